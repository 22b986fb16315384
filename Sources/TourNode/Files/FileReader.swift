import TourModel
import TourStore

/// A file of a tour that is here whole, as its author has it, a piece at a time.
package struct FileReader: Sendable {
    /// Of its message.
    package let id: String
    /// The same for the same content.
    package let blobID: String
    /// Safe to be saved under.
    package let name: String
    /// As its author says.
    package let media: String
    private let file: PlainFile

    init(id: String, blobID: String, name: String, media: String, file: PlainFile) {
        self.id = id
        self.blobID = blobID
        self.name = name
        self.media = media
        self.file = file
    }

    package var size: UInt64 { file.shape.size }

    /// Some of what is asked for, from its beginning on: at most a chunk. Blocks: not for the event loop.
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
