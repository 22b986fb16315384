import SystemPackage
import TourModel

extension PictureTool {
    /// Of a JPEG: below it edges fray, above it a picture grows faster than it gets better.
    private static let quality = 82

    /// Thumbnails are tried in this order until one is small enough: the long side in pixels, and the quality. The last
    /// fits even where every pixel has a colour of its own.
    private static let thumbnails = [(240, 50), (240, 35), (160, 35), (96, 35), (48, 35)]

    /// What is in one picture's colours already needs no profile.
    private static let screenColours = ["--import-profile", "srgb", "--export-profile", "srgb"]

    /// A copy that may be sent: turned as the camera says, at most `Limits.pictureSideMax` pixels long, in the colours
    /// of every screen, and without what the file tells besides the picture.
    ///
    /// - Parameter directory: where it is made; it exists. What a crash leaves there begins with `picture-`.
    package func prepare(_ path: String, in directory: String) async throws(PictureError) -> PreparedPicture {
        let file = try InputFile(path)
        let (format, header) = try await look(at: file)
        let work = try WorkDirectory(in: directory)
        let made = try await scale(file, format, header, in: work)
        let picture = try InputFile(work.file(made))
        let final = try await self.header(of: picture, made)
        let thumbnail = try await thumbnail(of: picture, made)
        return PreparedPicture(
            path: try work.keep(made), format: made, bytes: picture.size, width: final.width, height: final.height,
            thumbnail: thumbnail)
    }

    /// Makes a JPEG of it, or of a PNG a PNG again where that is smaller: drawings, writing, what is seen on screens.
    ///
    /// - Returns: which; `work` has it.
    private func scale(
        _ file: borrowing InputFile, _ format: PictureFormat, _ header: PictureHeader,
        in work: borrowing WorkDirectory
    ) async throws(PictureError) -> PictureFormat {
        // A profile of colours for grey pictures is not among those that libvips brings.
        let colours = header.isGrey ? [] : Self.screenColours
        do throws(ChildFault) {
            try await scale(
                file, colours, to: .jpeg, "Q=\(Self.quality),optimize_coding,strip,background=255",
                in: work, bytesMax: Limits.picturePreparedBytesMax)
        } catch {
            throw PictureError(error, format)
        }
        // A PNG with more than a byte to a pixel is a photograph, and those are smaller as JPEG. What fits one chunk
        // costs the same either way, and keeps its sharp edges and its opacity.
        let chunk = Int64(Limits.blobChunkBytes)
        guard format == .png, file.size <= max(Int64(header.width * header.height), chunk) else { return .jpeg }
        let jpeg = try InputFile(work.file(.jpeg))
        let isSmall: Void? = try? await scale(
            file, colours, to: .png, "strip", in: work, bytesMax: Int(max(jpeg.size, chunk)))
        return isSmall == nil ? .jpeg : .png
    }

    /// - Parameter bytesMax: a picture that takes more is not made.
    private func scale(
        _ file: borrowing InputFile, _ colours: [String], to format: PictureFormat, _ options: String,
        in work: borrowing WorkDirectory, bytesMax: Int
    ) async throws(ChildFault) {
        let side = Limits.pictureSideMax
        // Where the file ends too early, nothing is made up for the rest.
        _ = try await child.run(
            .thumbnail,
            ["--size", "\(side)x\(side)>", "--output", "\(WorkDirectory.name(format))[\(options)]"] + colours + [
                "stdin[fail_on=truncated]"
            ],
            input: file.descriptor, in: FilePath(work.path), fileBytesMax: bytesMax,
            wordsMax: Limits.pictureWordsBytesMax)
    }

    private func thumbnail(
        of picture: borrowing InputFile, _ format: PictureFormat
    ) async throws(PictureError) -> [UInt8] {
        for (index, (side, quality)) in Self.thumbnails.enumerated() {
            let isLast = index == Self.thumbnails.count - 1
            do throws(ChildFault) {
                return try await child.run(
                    .thumbnail,
                    [
                        "--size", "\(side)x\(side)>", "--output",
                        ".jpg[Q=\(quality),optimize_coding,strip,background=255]", "stdin",
                    ],
                    input: picture.descriptor,
                    wordsMax: isLast ? Limits.thumbnailBytesMax : Limits.thumbnailBytesAim)
            } catch .tooManyWords where !isLast {
                continue
            } catch {
                throw PictureError(error, format)
            }
        }
        return []
    }
}
