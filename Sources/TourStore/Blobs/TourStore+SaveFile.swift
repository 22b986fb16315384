import Glibc
import TourModel

extension TourStore {
    /// Opens a complete file chunk by chunk, verifies each, and saves it in one of the user's directories under an
    /// unused name: it never overwrites another file. Until everything is written and durable there is only a file with
    /// a random name that ends in `.part`. Mode 0644, less the process's mask.
    ///
    /// - Parameter progress: receives the bytes written and the total after each chunk, on this thread; false stops.
    /// - Returns: the path: "photo (2).jpg" if there is already a "photo.jpg".
    /// - Throws: `blobMissing`; `damaged(.blob)` for a chunk that must be fetched again; `sealBroken` where the key
    ///   does not open it; `badPath`, `diskFull`, `cancelled`.
    package func saveFile(
        _ id: BlobID, of tour: TourID, key: Bytes32, in directory: String, named name: SafeFileName,
        progress: (_ done: UInt64, _ total: UInt64) -> Bool
    ) throws(StoreError) -> String {
        let file = try readFile(id, of: tour, key: key)
        let target = try TargetFile(in: directory)
        try target.reserve(file.shape.size)
        var done: UInt64 = 0
        for chunk in 0..<file.shape.chunkCount {
            let plain = try file.read(chunk: chunk)
            try target.write(plain)
            done += UInt64(plain.count)
            guard progress(done, file.shape.size) else { throw .cancelled }
        }
        return try target.keep(as: name)
    }
}
