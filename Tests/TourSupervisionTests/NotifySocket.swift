import Dispatch
import Glibc
import Testing

/// Where systemd would listen.
final class NotifySocket: Sendable {
    /// As a program finds it in its environment.
    let name: String
    private let descriptor: Int32
    private let path: String?

    init(isAbstract: Bool = false) throws {
        let unique = "tour-supervision-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = isAbstract ? nil : "\(directory)/\(unique)"
        name = path ?? "@\(unique)"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        // A program that says nothing fails its test instead of holding it.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(result == 0)
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// The next datagram; nil: none came.
    func next() async -> String? {
        // Those who wait hold up no thread that others are to run on.
        await withCheckedContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(returning: self.receive(flags: 0)) }
        }
    }

    /// The last of those that are there.
    func last() async -> String? {
        var last = await next()
        while let more = receive(flags: Int32(MSG_DONTWAIT)) { last = more }
        return last
    }

    private func receive(flags: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, flags)
        return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
