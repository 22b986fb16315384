import TourCrypto
import TourModel
import TourWire

extension FileContent {
    /// What the sealed bytes are asked for and kept by. Source: `Protocol/11-blobs.md`, "Names".
    package var blob: BlobID { BlobID(size: shape.size, pageHashes: pageHashes) }
}
