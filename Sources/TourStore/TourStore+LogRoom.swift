import GRDB
import Glibc
import Synchronization

// Room in the write-ahead log. A commit that makes its file longer has the file system write down the new length, and
// with that what every other process on the machine has just written to any file: the disk is waited for twice as
// long, and now and then ten times. In a file that is long enough a commit waits for its own bytes alone.
extension TourStore {
    /// Bytes by which the log's file is made longer at a time: some hundred messages.
    private static let logRoomBytes = 4 << 20
    /// SQLite cuts a longer one back to this, and begins again at its start well before.
    static let logBytesMax = 16 << 20
    /// Whoever commits meanwhile waits for so many at most.
    private static let pieceBytes = 1 << 17

    /// Makes the log's file longer, by zeros, if commits have used up what it was made longer by before. To SQLite
    /// they are no log, as is whatever an earlier round left behind its end.
    ///
    /// Piece by piece, since a commit that waits for the disk waits for what is on its way to the same file too. What
    /// fails is left as it was: the log then grows as it always does.
    package func makeLogRoom() {
        guard let log = try? PrivateFile.open(directory.database + "-wal", flags: O_WRONLY) else { return }
        defer { Glibc.close(log) }
        var goal: Int?
        while let piece = addLogPiece(log, goal: goal) {
            goal = piece.goal
            PrivateFile.writeOut(log, from: off_t(piece.start), count: off_t(Self.pieceBytes), waits: true)
        }
        // The new length, now, so that no message waits for it.
        if goal != nil { fsync(log) }
    }

    /// While it runs writers wait, but not for the disk.
    ///
    /// - Parameter goal: how long the file is to be in the end; nil before the first piece.
    /// - Returns: where the piece begins; nil when the file is long enough, a commit went on behind the room meanwhile,
    ///   the disk is full (the file is as long as before) or the store was closed, whose files are left alone.
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
