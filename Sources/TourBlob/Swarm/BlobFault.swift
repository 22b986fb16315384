import TourModel

/// What a peer should not have sent of a file. Source: `Protocol/11-blobs.md`, "Failures".
package enum BlobFault: String, Fault {
    /// A chunk whose hash is not that of its page, or of another length.
    case falseChunk = "blob-false-chunk"
    /// A page whose hash is not that of its file, or of another length.
    case falsePage = "blob-false-page"
    /// The number of a chunk or page that the file does not have.
    case foreignChunk = "blob-foreign-chunk"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
