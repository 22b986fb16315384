import SystemPackage
import TourModel

extension PictureTool {
    /// For a JPEG: below it edges fray, above it a picture's size grows faster than its quality.
    private static let quality = 82

    /// Thumbnails are tried in this order until one is small enough: the long side in pixels, and the quality. The
    /// last fits even if every pixel has a colour of its own.
    private static let thumbnails = [(240, 50), (240, 35), (160, 35), (96, 35), (48, 35)]

    /// A picture in the screen's own colours needs no profile.
    private static let screenColours = ["--import-profile", "srgb", "--export-profile", "srgb"]

    /// A copy that may be sent: turned as the camera says, at most `PreparedPicture.sideMax` pixels long, in the
    /// colours of every screen, and without the file's other information.
    ///
    /// - Parameter directory: an existing directory for the copy. After a crash, leftovers there begin with
    ///   `picture-`.
    package func prepare(_ path: String, in directory: String) async throws(PictureError) -> PreparedPicture {
        let file = try InputFile(path)
        let (format, header) = try await look(at: file)
        guard try !format.isMoving(file.head(PictureFormat.motionBytes)) else { throw .moving }
        let work = try WorkDirectory(in: directory)
        let made = try await scale(file, format, header, in: work)
        let picture = try InputFile(work.file(made))
        let final = try await self.header(of: picture, made)
        let thumbnail = try await thumbnail(of: picture, made)
        return PreparedPicture(
            path: try work.keep(made), format: made, bytes: picture.size, width: final.width, height: final.height,
            thumbnail: thumbnail)
    }

    /// Makes a JPEG of it, or of a PNG another PNG where that is smaller: drawings, writing, screenshots.
    ///
    /// - Returns: the format; `work` holds the file.
    private func scale(
        _ file: borrowing InputFile, _ format: PictureFormat, _ header: PictureHeader,
        in work: borrowing WorkDirectory
    ) async throws(PictureError) -> PictureFormat {
        // libvips comes with no colour profile for grey pictures.
        let colours = header.isGrey ? [] : Self.screenColours
        do throws(ChildFault) {
            try await scale(
                file, colours, to: .jpeg, "Q=\(Self.quality),optimize_coding,strip,background=255",
                in: work, bytesMax: PreparedPicture.bytesMax)
        } catch {
            throw PictureError(error, format)
        }
        // A PNG with more than a byte a pixel is a photograph, and those are smaller as JPEG. A file that fits into
        // one chunk costs the same either way, and as PNG keeps its sharp edges and its opacity.
        let chunk = Int64(Limits.blobChunkBytes)
        guard format == .png, file.size <= max(Int64(header.width * header.height), chunk) else { return .jpeg }
        let jpeg = try InputFile(work.file(.jpeg))
        let isSmall: Void? = try? await scale(
            file, colours, to: .png, "strip", in: work, bytesMax: Int(max(jpeg.size, chunk)))
        return isSmall == nil ? .jpeg : .png
    }

    /// - Parameter bytesMax: a larger picture is not made.
    private func scale(
        _ file: borrowing InputFile, _ colours: [String], to format: PictureFormat, _ options: String,
        in work: borrowing WorkDirectory, bytesMax: Int
    ) async throws(ChildFault) {
        let side = PreparedPicture.sideMax
        // A truncated file fails, instead of getting invented pixels.
        _ = try await child.run(
            .thumbnail,
            ["--size", "\(side)x\(side)>", "--output", "\(WorkDirectory.name(format))[\(options)]"] + colours + [
                "stdin[fail_on=truncated]"
            ],
            input: file.descriptor, in: FilePath(work.path), fileBytesMax: bytesMax,
            wordsMax: Self.wordsBytesMax)
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
                    wordsMax: isLast ? Limits.thumbnailBytesMax : PreparedPicture.thumbnailBytesAim)
            } catch .tooManyWords where !isLast {
                continue
            } catch {
                throw PictureError(error, format)
            }
        }
        return []
    }
}
