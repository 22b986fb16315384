import Glibc
import TourModel
import TourWords

/// The Unix socket of the local API, `<data-dir>/node.sock`, mode 0600.
struct LocalSocket: Sendable {
    /// The path to bind: the socket's own, or one through the opened directory where that is too long for `sun_path`.
    let path: String
    private let plain: String
    private let directory: Int32
    private static let pathBytesMax = 107

    /// Removes the socket of a killed node; the directory's lock proves that no process uses it.
    init(directory name: String) throws {
        plain = name + "/node.sock"
        directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else {
            throw WebError("socket", Phrase("The data directory \(name) cannot be opened."))
        }
        path = plain.utf8.count <= Self.pathBytesMax ? plain : "/proc/self/fd/\(directory)/node.sock"
        unlink(plain)
    }

    func restrict() { chmod(plain, 0o600) }

    func remove() {
        unlink(plain)
        close(directory)
    }
}
