import Foundation
import Glibc
import ServerBase
import ServerStorage

/// A file that an export is written into: readable for its owner alone, and under its name only once it is whole and on
/// the disk.
final class ExportFile: ByteSink {
    private let path: String
    private let descriptor: Int32

    /// - Throws: `unavailable`, also where there is a file of this name.
    init(path: String) throws(Failure) {
        self.path = path
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Failure(.unavailable, cause: "there is a \(path) already: name another file")
        }
        descriptor = open(Self.partial(path), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else { throw Self.failure(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(.unavailable, cause: "another export writes \(Self.partial(path))")
        }
        // What an interrupted export has left.
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path) }
    }

    deinit { close(descriptor) }

    func write(bytes: [UInt8]) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            done += count
        }
    }

    /// Flushes the file, and gives it its name.
    /// - Throws: `unavailable`, also where a file of this name has come meanwhile.
    func finish() throws(Failure) {
        // A link replaces nothing.
        guard fsync(descriptor) == 0, link(Self.partial(path), path) == 0 else { throw Self.failure(path) }
        unlink(Self.partial(path))
        let folder = (path as NSString).deletingLastPathComponent
        try FileTree.flush(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY)
    }

    /// Removes what is written.
    func abandon() { unlink(Self.partial(path)) }

    private static func partial(_ path: String) -> String { path + ".part" }

    private static func failure(_ path: String) -> Failure {
        Failure(.unavailable, cause: "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
