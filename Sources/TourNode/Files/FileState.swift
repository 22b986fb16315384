/// How far a file is here.
package enum FileState: String, Sendable {
    /// All of it is here.
    case complete
    /// It is coming.
    case fetching
    /// It is wanted, and nobody near has what is missing.
    case waiting
    /// Nobody asked for it here.
    case known
    /// There is no room for it; it is tried again when it is asked for.
    case noRoom = "no-room"
}

/// What is here of one file.
package struct FileProgress: Hashable, Sendable {
    /// Bytes of the file that are here, of whole chunks.
    package var have: UInt64
    package var complete: Bool

    package init(have: UInt64, complete: Bool) {
        self.have = have
        self.complete = complete
    }
}
