/// The state of a tour for this node. The words: `Protocol/Schema/local-api.yaml`.
package enum TourState: String, Encodable, JSONReadable {
    /// Messages can be written, or will be when the log is whole.
    case active
    case closed
    case left
    case removed
    /// Another device wrote with our key.
    case keyForked = "key-forked"
    /// The user gave the key up.
    case keyRetired = "key-retired"
}
