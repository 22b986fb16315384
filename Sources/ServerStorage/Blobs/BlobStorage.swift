import ServerBase

/// Where the bytes of whole blobs and files are, by their places: `blobs/TOUR/HASH` and `files/AB/ID`. What still
/// arrives is in files of the data directory, whose locks also say who may put or remove at a place.
/// Source: `Protocol/10-server.md`, "Where the bytes are".
package protocol BlobStorage: Sendable {
    /// Whether a file that is put is moved, so that nothing stays where it came from.
    var movesFiles: Bool { get }

    /// Stores a file that is whole and flushed, over what is there: afterwards it survives a power cut, and until then
    /// nobody sees a part of it.
    /// - Throws: `unavailable`.
    func put(_ file: BlobFile, at place: String) async throws(Failure)

    /// Stores some bytes as `put` stores a file.
    /// - Throws: `unavailable`.
    func put(_ bytes: [UInt8], at place: String) async throws(Failure)

    /// - Returns: nil when nothing is at that place.
    /// - Throws: `unavailable`.
    func open(_ place: String) async throws(Failure) -> (any StoredBytes)?

    /// Removes what is at a place, if anything is.
    /// - Throws: `unavailable`.
    func remove(_ place: String) async throws(Failure)

    /// All places that begin with this text, sorted.
    /// - Throws: `unavailable`.
    func places(below start: String) async throws(Failure) -> [String]

    /// The bytes for which there is room; nil where the storage names no bound.
    /// - Throws: `unavailable`: with a time to try again while the storage does not answer, without one where only the
    ///   operator can mend what is wrong.
    func roomLeft() async throws(Failure) -> UInt64?
}

/// The stored bytes of one blob or file.
package protocol StoredBytes: Sendable {
    /// How many there are.
    /// - Throws: `unavailable`.
    func size() throws(Failure) -> Int64

    /// Passes the bytes of a range to `take`, piece by piece, as fast as `take` returns.
    /// - Throws: `unavailable` when the bytes end before the range does; whatever `take` throws.
    func read(_ range: Range<Int64>, _ take: ([UInt8]) async throws -> Void) async throws
}
