import Glibc
import ServerBase

/// A lock that one process holds. The system releases it when the process ends, however it ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    // Unlocks before closing: a child process that has forked and not yet called exec holds the lock too.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// - Parameter path: a file, which is created if missing.
    /// - Returns: nil when another process holds the lock.
    /// - Throws: `unavailable`.
    package static func file(_ path: String) throws(Failure) -> FileLock? {
        let lock = FileLock(OwnedFile.open(path, O_RDWR))
        guard lock.descriptor >= 0 else { throw failure(path) }
        guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw failure(path) }
            return nil
        }
        return lock
    }

    /// Waits for the lock of a folder: for brief work.
    static func folder(_ path: String) throws(Failure) -> FileLock {
        try waiting(FileLock(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)), path)
    }

    /// Waits for the lock of a file, which is created if missing: for brief work in a folder that machines may share,
    /// since NFS locks no folders.
    package static func waiting(_ path: String) throws(Failure) -> FileLock {
        try waiting(FileLock(OwnedFile.open(path, O_RDWR)), path)
    }

    private static func waiting(_ lock: FileLock, _ path: String) throws(Failure) -> FileLock {
        guard lock.descriptor >= 0 else { throw failure(path) }
        while flock(lock.descriptor, LOCK_EX) != 0 { guard errno == EINTR else { throw failure(path) } }
        return lock
    }

    private static func failure(_ path: String) -> Failure {
        Failure(.unavailable, cause: "\(path) cannot be locked: \(String(cString: strerror(errno)))")
    }
}
