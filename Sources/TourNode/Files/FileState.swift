/// How much of a file is here.
package enum FileState: String, Sendable {
    /// All of it is here.
    case complete
    /// The node is fetching it.
    case fetching
    /// The file is wanted, but no neighbour has the missing parts.
    case waiting
    /// Nobody asked for it here.
    case known
    /// The disk has no room for it; the node tries again when somebody asks for it.
    case noRoom = "no-room"
}

/// How much of one file is here.
package struct FileProgress: Hashable, Sendable {
    /// Bytes of the file that are here, counting complete chunks only.
    package var have: UInt64
    /// Whether all of it is here.
    package var complete: Bool

    package init(have: UInt64, complete: Bool) {
        self.have = have
        self.complete = complete
    }
}
