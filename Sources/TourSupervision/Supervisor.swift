import Glibc

/// The service manager that started this program and waits for word of it, in datagrams to a socket.
/// Source: sd_notify(3) and sd_watchdog_enabled(3) of systemd 252.
package struct Supervisor: Sendable {
    package enum Word: String, Sendable {
        /// What others wait for is there.
        case ready = "READY=1"
        /// The end has begun.
        case stopping = "STOPPING=1"
        /// Work goes on; without this the manager ends the program and starts it anew.
        case alive = "WATCHDOG=1"
    }

    /// A path, or `@` and an abstract name.
    private let socket: String
    /// Within which it wants to hear `alive` again; nil: it does not.
    package let watchdog: Duration?

    /// - Parameter environment: looks up a variable.
    /// - Returns: nil where none waits, and where its address is none that a datagram can go to.
    package init?(environment: (String) -> String?, processID: pid_t = getpid()) {
        guard let socket = environment("NOTIFY_SOCKET"), socket.utf8.count > 1,
            socket.hasPrefix("/") || socket.hasPrefix("@"), Self.address(socket) != nil
        else { return nil }
        self.socket = socket
        watchdog = Self.watchdog(environment, processID)
    }

    /// - Returns: whether it went out; nothing can be done where it did not.
    @discardableResult
    package func tell(_ word: Word) -> Bool {
        guard let (address, length) = Self.address(socket) else { return false }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(word.rawValue.utf8)
        let sent = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == bytes.count
    }

    /// What is meant for a program that started us is not for us.
    private static func watchdog(_ environment: (String) -> String?, _ processID: pid_t) -> Duration? {
        if let wanted = environment("WATCHDOG_PID"), wanted != String(processID) { return nil }
        guard let time = environment("WATCHDOG_USEC").flatMap(Int64.init), time > 0 else { return nil }
        return .microseconds(time)
    }

    private static func address(_ socket: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(socket.utf8)
        // An abstract name begins with a zero byte, and ends where the address does.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard name.count <= room, let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return (address, socklen_t(start + name.count + (name[0] == 0 ? 0 : 1)))
    }
}
