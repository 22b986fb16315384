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
    private static let pieceBytes = 1 << 16

    /// Makes the log's file longer, by zeros, if commits have used up what it was made longer by before. To SQLite
    /// they are no log, as is whatever an earlier round left behind its end.
    ///
    /// Meanwhile writers wait, but not for the disk. What fails is left as it was: the log then grows as it always
    /// does.
    package func makeLogRoom() {
        let grown = try? writing { db -> Int32? in
            // A store that was closed leaves its files alone.
            guard db.sqliteConnection != nil else { return nil }
            let descriptor = try PrivateFile.open(directory.database + "-wal", flags: O_WRONLY)
            let size = (try? PrivateFile.size(of: descriptor)) ?? 0
            let isUsedUp = size > 0 && size < Self.logBytesMax && logRoomEnd.withLock { size != $0 }
            guard isUsedUp, Self.appendZeros(descriptor, from: size) else {
                Glibc.close(descriptor)
                return nil
            }
            logRoomEnd.withLock { $0 = size + Self.logRoomBytes }
            return descriptor
        }
        guard let descriptor = grown ?? nil else { return }
        // Now, so that no message waits for it.
        fsync(descriptor)
        Glibc.close(descriptor)
    }

    /// - Returns: whether there was room on the disk; else the file is as long as before.
    private static func appendZeros(_ descriptor: Int32, from start: Int) -> Bool {
        let zeros = [UInt8](repeating: 0, count: pieceBytes)
        for offset in stride(from: start, to: start + logRoomBytes, by: pieceBytes) {
            guard pwrite(descriptor, zeros, pieceBytes, offset) == pieceBytes else {
                ftruncate(descriptor, start)
                return false
            }
        }
        return true
    }
}
