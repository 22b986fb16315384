import TourCrypto
import TourModel

extension TourStore {
    /// Opens a complete file for reading piece by piece.
    /// - Throws: `blobMissing`.
    package func readFile(_ id: BlobID, of tour: TourID, key: Bytes32) throws(StoreError) -> PlainFile {
        guard let file = try openBlob(id, of: tour), file.have.isFull else { throw .blobMissing }
        return PlainFile(file, key: key)
    }
}

/// The plaintext of a file that is here: each chunk is verified and opened when it is read. Calls may come from any
/// thread; each blocks until it is done.
package struct PlainFile: Sendable {
    private let file: BlobFile
    private let seal: BlobSeal

    init(_ file: BlobFile, key: Bytes32) {
        self.file = file
        seal = BlobSeal(key: key)
    }

    /// The file's size, and its chunks and pages.
    package var shape: BlobShape { file.shape }

    /// - Throws: `damaged(.blob)` for a chunk that must be fetched again; `sealBroken` where the key does not open it.
    package func read(chunk: Int) throws(StoreError) -> [UInt8] {
        let sealed = try file.read(chunk)
        guard let plain = try? seal.open(chunk: sealed, index: chunk, isLast: shape.isLast(chunk)) else {
            throw .sealBroken
        }
        return plain
    }
}
