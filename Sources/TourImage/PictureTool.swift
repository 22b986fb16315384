import Glibc
import SystemPackage
import TourModel

/// Prepares pictures with libvips, in separate processes with limits on all resources.
package struct PictureTool: Sendable {
    /// A picture's file: photographs have 2 to 40 MB.
    package static let fileBytesMax = 128 * 1024 * 1024
    /// Its pixels, by its header: the largest sensor in common phones has 108 million.
    package static let pixelsMax = 120_000_000
    /// Detecting a file's type takes milliseconds, and a file can be sent without its type.
    private static let mediaTypeTime: Duration = .seconds(5)
    /// A program's output about a file: one line.
    static let wordsBytesMax = 4 * 1024

    let child: BoundedChild

    /// - Parameter folders: where the programs are.
    package init(
        folders: [String] = ["/usr/local/bin", "/usr/bin", "/bin"], bounds: ChildBounds = ChildBounds()
    ) {
        child = BoundedChild(folders: folders, bounds: bounds)
    }

    /// The first missing program that pictures need; nil when all are installed.
    package var missing: PictureProgram? {
        [.header, .thumbnail, .limits].first { child.path(of: $0) == nil }
    }

    /// The picture's properties by its header, without decoding it.
    package func look(at path: String) async throws(PictureError) -> PictureFacts {
        let file = try InputFile(path)
        let (format, header) = try await look(at: file)
        let isTurned = await orientation(of: file) >= 5
        return PictureFacts(
            format: format, width: isTurned ? header.height : header.width,
            height: isTurned ? header.width : header.height)
    }

    /// The media type of any file, by its content: `application/octet-stream` where nothing better is known.
    package func mediaType(of path: String) async -> String {
        guard let file = try? InputFile(path), file.size > 0 else { return MediaType.unknown }
        if let format = try? file.format() { return format.mediaType }
        return await mediaType(of: file)?.text ?? MediaType.unknown
    }

    /// The format by the first bytes, and the header, which must agree with it.
    func look(at file: borrowing InputFile) async throws(PictureError) -> (PictureFormat, PictureHeader) {
        if let missing { throw .programMissing(missing) }
        guard file.size > 0 else { throw .empty }
        guard file.size <= Self.fileBytesMax else { throw .tooLong(bytes: file.size) }
        guard let format = try file.format() else { throw .notAPicture }
        let header = try await header(of: file, format)
        guard header.loader.hasPrefix(format.loader) else { throw .notAPicture }
        let pixels = header.width.multipliedReportingOverflow(by: header.height)
        guard !pixels.overflow, pixels.partialValue <= Self.pixelsMax else {
            throw .tooManyPixels(width: header.width, height: header.height)
        }
        return (format, header)
    }

    func header(
        of file: borrowing InputFile, _ format: PictureFormat
    ) async throws(PictureError) -> PictureHeader {
        do throws(ChildFault) {
            let words = try await child.run(
                .header, ["stdin"], input: file.descriptor, wordsMax: Self.wordsBytesMax)
            guard let header = PictureHeader(words) else { throw .failed("") }
            return header
        } catch {
            throw PictureError(error, format)
        }
    }

    private func mediaType(of file: borrowing InputFile) async -> MediaType? {
        var bounds = child.bounds
        bounds.time = min(bounds.time, Self.mediaTypeTime)
        let words = try? await BoundedChild(folders: child.folders, bounds: bounds).run(
            .mediaType, ["--brief", "--mime-type", "-"], input: file.descriptor, wordsMax: Self.wordsBytesMax)
        return words.flatMap { MediaType($0) }
    }

    /// Its orientation, 1 to 8 as in EXIF; 5 to 8 exchange width and height. 1 where the file has none.
    private func orientation(of file: borrowing InputFile) async -> Int {
        let words = try? await child.run(
            .header, ["-f", "orientation", "stdin"], input: file.descriptor, wordsMax: Self.wordsBytesMax)
        return words.flatMap { Int(String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) } ?? 1
    }
}
