import Glibc
import TourWords

/// The Unix socket of a node, `<data-dir>/node.sock`.
package enum NodeSocket {
    /// O_PATH of Linux, which the system module does not import.
    private static let pathOnly: Int32 = 0o10_000_000

    /// A connected stream socket.
    package struct Connection {
        /// The socket, which its user closes.
        package let descriptor: Int32
        /// The listening process, as the kernel reports it.
        package let processID: Int32
    }

    /// - Returns: nil when no process listens: no socket file, or a stale one.
    package static func connect(dataDirectory: String) throws(CommandFailure) -> Connection? {
        let directory = open(dataDirectory, pathOnly | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(Phrase("cannot open the data directory \(dataDirectory)"), errno: errno)
        }
        defer { close(directory) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(Phrase("cannot make a socket"), errno: errno) }
        var address = address(dataDirectory: dataDirectory, directory: directory)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return Connection(descriptor: descriptor, processID: peer(of: descriptor)) }
        let code = errno
        close(descriptor)
        if code == ENOENT || code == ECONNREFUSED { return nil }
        throw .system(Phrase("cannot reach the node in \(dataDirectory)"), errno: code)
    }

    /// Whether a process listens.
    package static func isAnswering(dataDirectory: String) throws(CommandFailure) -> Bool {
        guard let connection = try connect(dataDirectory: dataDirectory) else { return false }
        close(connection.descriptor)
        return true
    }

    /// A path that is too long for `sun_path` (107 bytes) is reached through the opened directory.
    private static func address(dataDirectory: String, directory: Int32) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let plain = dataDirectory + "/node.sock"
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        let path = plain.utf8.count <= room ? plain : "/proc/self/fd/\(directory)/node.sock"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(room)) }
        return address
    }

    private static func peer(of descriptor: Int32) -> Int32 {
        // struct ucred: process, user and group, 32 bits each.
        var credentials: (Int32, Int32, Int32) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return credentials.0
    }
}
