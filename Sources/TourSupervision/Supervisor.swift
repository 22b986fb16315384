import Glibc

/// The service manager that started this program and expects its state, in datagrams to a socket.
/// Source: sd_notify(3) and sd_watchdog_enabled(3) of systemd 252.
package struct Supervisor: Sendable {
    /// A state of the program.
    package enum Word: String, Sendable {
        /// The service that others depend on is available.
        case ready = "READY=1"
        /// The program is stopping.
        case stopping = "STOPPING=1"
        /// The program is working; without this the manager ends it and starts it anew.
        case alive = "WATCHDOG=1"
    }

    /// A path, or `@` and an abstract name.
    private let socket: String
    /// How often the manager expects `alive`; nil: never.
    package let watchdog: Duration?

    /// - Parameter environment: looks up a variable.
    /// - Returns: nil where no manager waits, or its address is invalid.
    package init?(environment: (String) -> String?, processID: pid_t = getpid()) {
        guard let socket = environment("NOTIFY_SOCKET"), socket.utf8.count > 1,
            socket.hasPrefix("/") || socket.hasPrefix("@"), Self.address(socket) != nil
        else { return nil }
        self.socket = socket
        watchdog = Self.watchdog(environment, processID)
    }

    /// - Returns: whether it was sent; there is nothing to do where it was not.
    @discardableResult
    package func report(_ word: Word) -> Bool {
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

    /// Ignores a setting for the program that started us.
    private static func watchdog(_ environment: (String) -> String?, _ processID: pid_t) -> Duration? {
        if let wanted = environment("WATCHDOG_PID"), wanted != String(processID) { return nil }
        guard let time = environment("WATCHDOG_USEC").flatMap(Int64.init), time > 0 else { return nil }
        return .microseconds(time)
    }

    private static func address(_ socket: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(socket.utf8)
        // An abstract name begins with a zero byte, and ends with the address.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard name.count <= room, let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return (address, socklen_t(start + name.count + (name[0] == 0 ? 0 : 1)))
    }
}
