import TourModel
import TourStore

/// A complete file of a tour, exactly as its author sent it, read in pieces.
package struct FileReader: Sendable {
    /// The message's id.
    package let id: String
    /// Equal for equal content.
    package let blobID: String
    /// Safe as the name of a file.
    package let name: String
    /// The media type that its author gave.
    package let media: String
    private let file: PlainFile

    init(id: String, blobID: String, name: String, media: String, file: PlainFile) {
        self.id = id
        self.blobID = blobID
        self.name = name
        self.media = media
        self.file = file
    }

    /// Bytes.
    package var size: UInt64 { file.shape.size }

    /// Reads the beginning of the range, at most one chunk. Blocks: not for the event loop.
    /// - Parameter range: within the file, and not empty.
    package func read(_ range: Range<UInt64>) throws -> [UInt8] {
        let chunkBytes = UInt64(Limits.blobChunkBytes)
        let chunk = Int(range.lowerBound / chunkBytes)
        let start = UInt64(chunk) * chunkBytes
        let bytes: [UInt8]
        do { bytes = try file.read(chunk: chunk) } catch { throw NodeError.store(error) }
        let end = min(range.upperBound - start, UInt64(bytes.count))
        return Array(bytes[Int(range.lowerBound - start)..<Int(end)])
    }
}
