import TourCrypto
import TourModel
import TourWire

extension FileContent {
    /// The name under which the sealed bytes are requested and kept. Source: `Protocol/11-blobs.md`, "Names".
    package var blob: BlobID { BlobID(size: shape.size, pageHashes: pageHashes) }
}
