import GRDB
import Glibc
import Synchronization

// Room in the write-ahead log. When a commit lengthens the log's file, the file system records the new length, and with
// it everything that other processes on the machine have just written to any file: the wait for the disk is twice as
// long, and now and then ten times. In a file that is long enough a commit waits only for its own bytes.
extension TourStore {
    /// The bytes by which the log's file is lengthened at a time: some hundred messages.
    private static let logRoomBytes = 4 << 20
    /// SQLite truncates a longer log to this, and restarts at its beginning well before.
    static let logBytesMax = 16 << 20
    /// The most bytes that a concurrent commit waits for.
    private static let pieceBytes = 1 << 17

    /// Lengthens the log's file with zeros if commits have used up the previous room. SQLite does not read them as log,
    /// nor whatever an earlier round left behind its end.
    ///
    /// Works piece by piece, since a commit that waits for the disk also waits for other data of the same file. A
    /// failure changes nothing: the log then grows as usual.
    package func makeLogRoom() {
        guard let log = try? PrivateFile.open(directory.database + "-wal", flags: O_WRONLY) else { return }
        defer { Glibc.close(log) }
        var goal: Int?
        while let piece = addLogPiece(log, goal: goal) {
            goal = piece.goal
            PrivateFile.writeOut(log, from: off_t(piece.start), count: off_t(Self.pieceBytes), waits: true)
        }
        // Records the new length now, so that no message waits for it.
        if goal != nil { fsync(log) }
    }

    /// Writers wait while this runs, but not for the disk.
    ///
    /// - Parameter goal: the final length of the file; nil before the first piece.
    /// - Returns: the offset of the piece; nil when the file is long enough, a commit has written beyond the room
    ///   meanwhile, the disk is full (the file keeps its length), or the store was closed and its files must not
    ///   change.
    private func addLogPiece(_ log: Int32, goal: Int?) -> (start: Int, goal: Int)? {
        try? writing { db in
            guard db.sqliteConnection != nil, let size = try? PrivateFile.size(of: log) else { return nil }
            return logRoomEnd.withLock { end in
                let isUsedUp = size > 0 && size < Self.logBytesMax && size != end
                let isDue = goal.map { size == end && size < $0 } ?? isUsedUp
                guard isDue else { return nil }
                let zeros = [UInt8](repeating: 0, count: Self.pieceBytes)
                guard pwrite(log, zeros, zeros.count, size) == zeros.count else {
                    ftruncate(log, size)
                    return nil
                }
                end = size + zeros.count
                return (size, goal ?? size + Self.logRoomBytes)
            }
        }
    }
}
