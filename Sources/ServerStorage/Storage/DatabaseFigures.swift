/// What a database takes, and this process's connections to it.
package struct DatabaseFigures: Hashable, Sendable {
    /// The size of the database, in bytes.
    package var bytes: Int64 = 0
    /// Bytes of pages that nothing uses; nil where the engine does not tell.
    package var freeBytes: Int64?
    /// The size of the write-ahead log, in bytes; nil where the log is the engine's own matter.
    package var logBytes: Int64?
    /// The connections of a pool; nil where there is none.
    package var pool: Pool?

    /// The connections of this process.
    package struct Pool: Hashable, Sendable {
        /// Connections that a transaction has.
        package var used: Int
        /// Connections that wait for one.
        package var idle: Int
    }
}
