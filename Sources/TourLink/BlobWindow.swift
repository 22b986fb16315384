import TourModel

/// How many bytes of files may be on their way at once. Source: `Protocol/11-blobs.md`, "Pace".
struct BlobWindow: Sendable {
    static let slice = Limits.slicePayloadBytesMax

    var bytes = slice {
        didSet { bytes = min(max(bytes, Self.slice), Limits.blobWindowBytesMax) }
    }

    /// Whether this many more bytes may be sent.
    func hasRoom(for more: Int, beside onTheWay: Int) -> Bool {
        onTheWay <= Limits.blobRemainderBytes || onTheWay + more <= bytes
            || more <= Limits.blobRemainderBytes && onTheWay <= bytes
    }
}
