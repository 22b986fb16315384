import Glibc
import TourModel

extension TourStore {
    /// Opens a file that is here whole, chunk by chunk, each checked, and saves it in a directory of the user's under a
    /// name that nobody has there: another one is never overwritten. Until everything is written and durable there is
    /// only a file with a random name, which ends in `.part`. Mode 0644, less what the process's mask takes.
    ///
    /// - Parameter progress: bytes written so far and all of them, after each chunk, on this thread; false ends it.
    /// - Returns: where it is: "photo (2).jpg" where there is a "photo.jpg".
    /// - Throws: `blobMissing`; `damaged(.blob)` for a part that is to be fetched again; `sealBroken` where the key
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
