/// Why a cast ended, for its sender or a receiver.
package enum CastEnd: String, Hashable, Sendable {
    /// Nobody asks any more; or all blocks have arrived.
    case done
    /// Nothing new arrived for a while, or the cast takes too long: links bring the rest.
    case quiet
    /// A chunk cannot be read.
    case unreadable
    /// Another member casts the same blob and has precedence.
    case yielded
    /// The cast brought a chunk that is not the blob's: this node follows no more casts of it by that member.
    case wrong
}
