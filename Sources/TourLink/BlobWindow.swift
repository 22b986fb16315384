import TourModel

/// How many bytes of files may be on their way at once. Source: `Protocol/11-blobs.md`, "Pace".
struct BlobWindow: Sendable {
    /// The most bytes of files on their way on one connection, and on all of one network: as much as 100 Mbit/s over 80
    /// ms.
    static let bytesMax = 1024 * 1024

    static let slice = Limits.slicePayloadBytesMax

    var bytes = slice {
        didSet { bytes = min(max(bytes, Self.slice), Self.bytesMax) }
    }

    /// Whether this many more bytes may be sent.
    func hasRoom(for more: Int, beside onTheWay: Int) -> Bool {
        onTheWay <= BlobWay.remainderBytes || onTheWay + more <= bytes
            || more <= BlobWay.remainderBytes && onTheWay <= bytes
    }
}
