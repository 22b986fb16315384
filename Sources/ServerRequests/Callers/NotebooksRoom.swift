import Logging
import ServerBase
import Synchronization

/// The room that notebooks have on the server, as its operator rules; in bytes.
package struct AccountRooms: Hashable, Sendable {
    /// The files of one account, and as much for its texts, `ServerLimits.notebookBytesMax` at most.
    package var account = ServerLimits.accountRoom
    /// The same of a guest, and of an account until its phone or address is proven.
    package var guest = ServerLimits.guestRoom
    /// The texts and files of all notebooks.
    package var notebooks = ServerLimits.notebooksRoom

    /// The room of a server whose operator has not said anything.
    package init() {}
}

/// The bytes that all notebooks take, as this process knows it: it counts what it stores itself, and reads the sum
/// anew at each sweep, which tells it of other processes.
package final class NotebooksRoom: Sendable {
    private struct Taken {
        var stored: Int64 = 0
        var arriving: Int64 = 0
        var arrivingByAccount: [Int64: Int64] = [:]
    }

    private let rooms: AccountRooms
    private let taken = Mutex(Taken())

    package init(_ rooms: AccountRooms = AccountRooms()) { self.rooms = rooms }

    /// The room of an account.
    package func room(of account: Account) -> AccountRoom {
        let isStranger = account.isGuest || account.isUnproven
        return AccountRoom(
            notebooks: self, own: isStranger ? rooms.guest : rooms.account,
            // Strangers leave half to those who are known.
            all: isStranger ? rooms.notebooks / 2 : rooms.notebooks)
    }

    /// - Parameter bytes: that all notebooks take in the database.
    package func set(stored bytes: Int64) { taken.withLock { $0.stored = bytes } }

    /// Tells the operator where notebooks have no room left, or little.
    package func tell(_ logger: Logger) {
        let (stored, all) = (taken.withLock { $0.stored }, rooms.notebooks)
        let metadata: Logger.Metadata = ["bytes": "\(stored)", "room": "\(all)"]
        if stored > all {
            logger.error("notebooks take more than --notebooks-room, and get no more", metadata: metadata)
        } else if stored > all / 10 * 9 {
            logger.warning("notebooks take more than nine tenths of --notebooks-room", metadata: metadata)
        }
    }

    /// - Parameter bytes: that were stored, or deleted where it is negative.
    package func add(_ bytes: Int64) { taken.withLock { $0.stored = max($0.stored + bytes, 0) } }

    fileprivate func require(_ more: Int64, within all: Int64) throws(Failure) {
        guard taken.withLock({ $0.stored + $0.arriving + more <= all }) else { throw Failure(.quota) }
    }

    fileprivate func begin(_ bytes: Int64, of account: Int64, _ room: AccountRoom) throws(Failure) {
        let isTaken = taken.withLock { taken in
            let own = (taken.arrivingByAccount[account] ?? 0) + bytes
            guard own <= room.own, taken.stored + taken.arriving + bytes <= room.all else { return false }
            taken.arrivingByAccount[account] = own
            taken.arriving += bytes
            return true
        }
        guard isTaken else { throw Failure(.quota) }
    }

    fileprivate func end(_ bytes: Int64, of account: Int64) {
        taken.withLock { taken in
            taken.arriving -= bytes
            let left = (taken.arrivingByAccount[account] ?? 0) - bytes
            taken.arrivingByAccount[account] = left > 0 ? left : nil
        }
    }
}

/// The room of one account's notebook.
package struct AccountRoom: Sendable {
    fileprivate let notebooks: NotebooksRoom
    /// The bytes of its files, and of its texts.
    package let own: Int64
    fileprivate let all: Int64

    /// - Parameter bytes: that are to be stored.
    /// - Throws: `quota` where all notebooks together have no room for them.
    package func require(_ bytes: Int64) throws(Failure) { try notebooks.require(bytes, within: all) }

    /// See `NotebooksRoom.add`.
    package func add(_ bytes: Int64) { notebooks.add(bytes) }
}

/// The bytes of files that one request sends and that the database does not count yet. They leave the room with the
/// request.
package final class ArrivingBytes: Sendable {
    private let account: AuthenticatedAccount
    private let taken = Mutex<Int64>(0)

    package init(of account: AuthenticatedAccount) { self.account = account }

    /// - Throws: `quota` where the account, or all notebooks together, have no room for so many more.
    package func take(_ bytes: Int64) throws(Failure) {
        let room = account.room
        try room.notebooks.begin(bytes, of: account.id, room)
        taken.withLock { $0 += bytes }
    }

    /// The database counts these from now on.
    package func settle(_ bytes: Int64) {
        account.room.notebooks.end(bytes, of: account.id)
        taken.withLock { $0 -= bytes }
    }

    deinit { account.room.notebooks.end(taken.withLock { $0 }, of: account.id) }
}
