import Glibc
import Synchronization

/// The one directory of a node, held exclusively while a value of this type lives.
///
/// Mode 0700, not through a symbolic link, not another user's. The process's umask becomes 077, so that files others
/// create for us (SQLite's log, the socket) are private too.
package struct DataDirectory: Sendable {
    /// As it was given, so that messages show what the user wrote.
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
        // Before anything in it changes: somebody's photos are not ours to close to others.
        guard Self.contents(of: path) != .foreign else { throw .foreign }
        if status.st_mode & 0o777 != 0o700 && fchmod(descriptor, 0o700) != 0 { throw StoreError(errno: errno) }
        self.path = path
        lock = try DirectoryLock(path: path + "/lock")
    }

    /// The SQLite database; its log and index lie next to it.
    package var database: String { path + "/tour.sqlite" }
    /// Where the node's local API listens. A Unix socket path is at most 107 bytes.
    package var socket: String { path + "/node.sock" }
    /// See `StorageKeyFile`.
    package var storageKey: String { Self.storageKey(in: path) }

    static func storageKey(in directory: String) -> String { directory + "/storage.key" }

    /// Writes a key's file anew, as a whole.
    /// - Throws: also `wiped`: what was destroyed does not come back by a change that was under way.
    func replaceKey(_ slot: StorageKeyFile.Slot, with bytes: [UInt8]) throws(StoreError) {
        try changeKey { () throws(StoreError) in try PrivateFile.replace(keyFile(slot), in: path, with: bytes) }
    }

    /// A change of the keys' files, one at a time.
    /// - Throws: also `wiped`.
    func changeKey(_ work: () throws(StoreError) -> Void) throws(StoreError) {
        try gate.isDestroyed.withLock { isDestroyed throws(StoreError) in
            guard !isDestroyed else { throw .wiped }
            try work()
        }
    }

    /// The last that is done to the key's file; it counts if `work` throws nothing.
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

    package static func page(in directory: String) -> String { directory + "/page.json" }

    /// A copy of the database, while a backup is made of it.
    var snapshot: String { path + "/backup.sqlite" }
}

/// One change of the key's file at a time, and none after it was destroyed.
private final class KeyFileGate: Sendable {
    let isDestroyed = Mutex(false)
}

/// An exclusive `flock`, so that two nodes never write one log. The kernel drops it however the process ends.
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
        // Taken: from here on `deinit` closes.
        guard ftruncate(descriptor, 0) == 0 else { throw StoreError(errno: errno) }
        try PrivateFile.write(Array("\(getpid())\n".utf8), to: descriptor)
    }

    private static func holder(_ path: String) throws(StoreError) -> Int32? {
        let bytes = try PrivateFile.read(path, limit: 16) ?? []
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    // Given back, not only closed: a child that has been forked and has not begun its program yet has the lock too.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
