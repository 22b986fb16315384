// The module that declares `stat`, CDispatch, CoreFoundation or Glibc, depends on the order in which the compiler meets
// them.
import CDispatch
import CoreFoundation
import Foundation
import Glibc
import ServerBase

/// The server's data directory: its mode is 0700, its files' mode 0600, and no symbolic link is followed.
package struct ServerDirectory: Sendable {
    /// The path, without a slash at the end.
    package let path: String

    /// The file that is there while a backup is being restored into the directory: no server may start on half of it.
    package static let restoring = "restoring"

    /// Creates the directory (its parents must exist) or opens it, and tightens its mode. The process's umask becomes
    /// 077.
    /// - Throws: `unavailable` when the path is no directory of this user.
    package init(path: String) throws(Failure) {
        umask(0o077)
        self.path = path
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw Self.failure("cannot be made") }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("cannot be opened") }
        defer { close(descriptor) }
        // Succeeds only for this user's own directory.
        guard fchmod(descriptor, 0o700) == 0 else { throw Self.failure("cannot be closed to others") }
    }

    /// A directory in this one, which is created if missing.
    package func directory(_ name: String) throws(Failure) -> ServerDirectory {
        guard OwnedFile.makeFolder(file(name)) || errno == EEXIST else { throw Self.failure("cannot be written") }
        return try ServerDirectory(path: file(name))
    }

    /// The path of a file in this directory.
    package func file(_ name: String) -> String { path + "/" + name }

    /// - Returns: at most the first `bytesMax` bytes; nil when the file does not exist.
    package func read(_ name: String, bytesMax: Int) throws(Failure) -> [UInt8]? {
        let descriptor = open(file(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("has a file that cannot be read")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        var filled = 0
        while filled < bytesMax {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), bytesMax - filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("has a file that cannot be read") }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Replaces a file as a whole, whose owner is that of the directory: the new content survives a power cut once this
    /// returns, and until then the old one stays.
    package func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
        let temporary = file(name) + ".new"
        unlink(temporary)
        let descriptor = OwnedFile.open(temporary, O_WRONLY | O_EXCL)
        guard descriptor >= 0 else { throw Self.failure("cannot be written") }
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isDurable = written == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isDurable, rename(temporary, file(name)) == 0 else {
            let failure = Self.failure("cannot be written")
            unlink(temporary)
            throw failure
        }
        try sync()
    }

    /// Flushes the directory: afterwards the names in it survive a power cut.
    package func sync() throws(Failure) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Self.failure("cannot be opened") }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Self.failure("cannot be written") }
    }

    /// The names in the directory, sorted.
    package func names() throws(Failure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Failure(.unavailable, cause: "the data directory cannot be listed")
        }
    }

    /// The state of the directory, which changes with the names in it.
    package func state() throws(Failure) -> DirectoryState {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.failure("cannot be looked at") }
        return DirectoryState(status)
    }

    /// The free bytes on the directory's disk.
    package func freeBytes() throws(Failure) -> UInt64 {
        let disk = try disk()
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    }

    /// The size of the directory's disk, in bytes.
    package func diskBytes() throws(Failure) -> UInt64 {
        let disk = try disk()
        return UInt64(disk.f_blocks) * UInt64(disk.f_frsize)
    }

    private func disk() throws(Failure) -> statvfs {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { throw Self.failure("cannot be looked at") }
        return disk
    }

    /// Removes a file, if it is there.
    package func remove(_ name: String) throws(Failure) {
        guard unlink(file(name)) == 0 || errno == ENOENT else { throw Self.failure("cannot be written") }
    }

    private static func failure(_ trouble: String) -> Failure {
        Failure(.unavailable, cause: "the data directory \(trouble): \(String(cString: strerror(errno)))")
    }
}

/// Whether the names in a directory may have changed between two looks at it.
package struct DirectoryState: Hashable, Sendable {
    private let inode: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    fileprivate init(_ status: stat) {
        inode = UInt64(status.st_ino)
        seconds = status.st_ctim.tv_sec
        nanoseconds = status.st_ctim.tv_nsec
    }

    /// Whether the next change will show in the state: file systems' clocks advance in steps, and what is changed twice
    /// within one of them looks the same afterwards.
    package var isSettled: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return seconds < now.tv_sec - 2
    }
}
