/// What a database takes, and this process's connections to it.
package struct DatabaseFigures: Hashable, Sendable {
    /// The size of the database, in bytes.
    var bytes: Int64 = 0
    /// Bytes of pages that nothing uses; nil where the engine does not tell.
    var freeBytes: Int64?
    /// The size of the write-ahead log, in bytes; nil where the log is the engine's own matter.
    var logBytes: Int64?
    /// The connections of a pool; nil where there is none.
    var pool: Pool?

    /// The connections of this process.
    struct Pool: Hashable, Sendable {
        var used: Int
        var idle: Int
    }
}
