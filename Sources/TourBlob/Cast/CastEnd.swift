/// Why a cast is over, at either end.
package enum CastEnd: String, Hashable, Sendable {
    /// Nobody asks for anything any more; or: all blocks came.
    case done
    /// Nothing new came for a while, or it takes too long: the rest comes by links.
    case quiet
    /// A chunk cannot be read.
    case unreadable
    /// Another member casts the same blob, and goes before us.
    case yielded
    /// A chunk that it brought was not the blob's: this member's casts of it are not followed again.
    case wrong
}
