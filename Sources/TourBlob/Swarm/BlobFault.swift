import TourModel

/// Faults in a peer's messages about a file. Source: `Protocol/11-blobs.md`, "Failures".
package enum BlobFault: String, Fault {
    /// A chunk whose hash its page does not list, or of another length.
    case falseChunk = "blob-false-chunk"
    /// A page whose hash its file does not list, or of another length.
    case falsePage = "blob-false-page"
    /// A chunk or page number that the file does not have.
    case foreignChunk = "blob-foreign-chunk"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
