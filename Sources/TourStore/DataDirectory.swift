import Glibc
import Synchronization

/// A node's data directory, locked while a value of this type exists.
///
/// Mode 0700, not through a symbolic link, not another user's. The process's umask becomes 077, so that files that
/// others create for us (SQLite's log, the socket) are private too.
package struct DataDirectory: Sendable {
    /// The path as given, so that messages show what the user wrote.
    package let path: String
    private let lock: DirectoryLock
    private let gate = KeyFileGate()

    /// Creates the directory (its parents must exist) or opens it, then takes the lock.
    ///
    /// - Throws: `inUse`, `notOurs`, `foreign`, `badPath`, `readOnly`, `diskFull`, `io`.
    package init(path: String) throws(StoreError) {
        umask(0o077)
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw StoreError(errno: errno, directory: path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, directory: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(errno: errno) }
        guard status.st_uid == geteuid() else { throw .notOurs }
        // Checked before anything in it changes: another user's photos must not become private to us.
        guard Self.contents(of: path) != .foreign else { throw .foreign }
        if status.st_mode & 0o777 != 0o700 && fchmod(descriptor, 0o700) != 0 { throw StoreError(errno: errno) }
        self.path = path
        lock = try DirectoryLock(path: path + "/lock")
    }

    /// The SQLite database; its log and index are beside it.
    package var database: String { path + "/tour.sqlite" }
    /// The socket of the node's local API. A Unix socket path has at most 107 bytes.
    package var socket: String { path + "/node.sock" }
    /// See `StorageKeyFile`.
    package var storageKey: String { Self.storageKey(in: path) }

    static func storageKey(in directory: String) -> String { directory + "/storage.key" }

    /// Replaces a key's file as a whole.
    /// - Throws: also `wiped`: a change in progress must not restore a destroyed key.
    func replaceKey(_ slot: StorageKeyFile.Slot, with bytes: [UInt8]) throws(StoreError) {
        try changeKey { () throws(StoreError) in try PrivateFile.replace(keyFile(slot), in: path, with: bytes) }
    }

    /// Serialises changes of the keys' files.
    /// - Throws: also `wiped`.
    func changeKey(_ work: () throws(StoreError) -> Void) throws(StoreError) {
        try gate.isDestroyed.withLock { isDestroyed throws(StoreError) in
            guard !isDestroyed else { throw .wiped }
            try work()
        }
    }

    /// The last change of the keys' files; it counts if `work` does not throw.
    func endKey(_ work: () throws(StoreError) -> Void) throws(StoreError) {
        try gate.isDestroyed.withLock { isDestroyed throws(StoreError) in
            try work()
            isDestroyed = true
        }
    }

    /// See `DirectoryPlace`.
    var place: String { path + "/place" }
    /// See `PageRecord`.
    package var page: String { Self.page(in: path) }

    /// The file of `PageRecord` in a directory.
    package static func page(in directory: String) -> String { directory + "/page.json" }

    /// The copy of the database from which a backup is made.
    var snapshot: String { path + "/backup.sqlite" }
}

/// Allows one change of the key's file at a time, and none after its destruction.
private final class KeyFileGate: Sendable {
    let isDestroyed = Mutex(false)
}

/// An exclusive `flock`, so that two nodes never write one log. The kernel releases it however the process ends.
private final class DirectoryLock: Sendable {
    private let descriptor: Int32

    init(path: String) throws(StoreError) {
        let descriptor = try PrivateFile.open(path, flags: O_RDWR | O_CREAT)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else { throw StoreError(errno: code) }
            throw .inUse(pid: try Self.holder(path))
        }
        self.descriptor = descriptor
        // The lock is taken: from here on `deinit` closes.
        guard ftruncate(descriptor, 0) == 0 else { throw StoreError(errno: errno) }
        try PrivateFile.write(Array("\(getpid())\n".utf8), to: descriptor)
    }

    private static func holder(_ path: String) throws(StoreError) -> Int32? {
        let bytes = try PrivateFile.read(path, limit: 16) ?? []
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    // Unlocked, not only closed: a forked child that has not started its program yet holds the lock too.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
