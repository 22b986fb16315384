import Glibc
import TourModel

/// A file that the user sends: a regular one, read once from end to end, and refused if it changes meanwhile.
final class SourceFile {
    let size: UInt64
    private let path: String
    private let descriptor: Int32
    private let changedAt: timespec

    /// Follows symbolic links, since the path is the user's own. Does not wait for a pipe's writer.
    init(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // The errors for a socket, and for a missing device.
            if [ENXIO, ENODEV].contains(errno) { throw .badPath(path, .notRegular) }
            throw StoreError(errno: errno, reading: path)
        }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        do throws(StoreError) {
            guard code == 0 else { throw StoreError(errno: code) }
            guard status.st_mode & S_IFMT != S_IFDIR else { throw .badPath(path, .isDirectory) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .badPath(path, .notRegular) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
        size = UInt64(clamping: status.st_size)
        changedAt = status.st_mtim
    }

    deinit { close(descriptor) }

    /// - Throws: `badPath` for a file that has become shorter.
    func read(count: Int) throws(StoreError) -> [UInt8] {
        let bytes = try PrivateFile.read(descriptor, count: count)
        guard bytes.count == count else { throw .badPath(path, .hasChanged) }
        return bytes
    }

    /// Call it after the last read.
    /// - Throws: `badPath` unless the file is unchanged and at its end.
    func checkUnchanged() throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(errno: errno) }
        let isSame =
            status.st_mtim.tv_sec == changedAt.tv_sec && status.st_mtim.tv_nsec == changedAt.tv_nsec
            && UInt64(clamping: status.st_size) == size
        guard isSame, try PrivateFile.read(descriptor, count: 1).isEmpty else { throw .badPath(path, .hasChanged) }
    }
}
