import Foundation
import Glibc
import Synchronization

/// A connection to a port of this machine. What waits does so on a thread of its own: the node needs those that tests
/// run on.
final class PageConnection: Sendable {
    struct Closed: Error {}

    private let descriptor: Int32
    private let isOpen = Mutex(true)

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close() }

    static func open(port: UInt16) async throws -> PageConnection {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Nothing here takes so long: a test that hangs says so.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            Glibc.close(descriptor)
            throw Closed()
        }
        return PageConnection(descriptor)
    }

    /// A port that nobody has at the moment.
    static func freePort() -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                return getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends a request's beginning.
    /// - Parameter line: the first one, with its end.
    func send(_ line: String, _ headers: [String: String], _ body: [UInt8] = []) async throws {
        let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        try await send(Array("\(line)\(fields)\r\n".utf8) + body)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await beside { [descriptor] in
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    Glibc.send(
                        descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Closed() }
                done += count
            }
        }
    }

    /// What comes next; empty at the end.
    /// - Throws: `Closed` when nothing comes for half a minute.
    func next() async throws -> [UInt8] {
        try await beside { [descriptor] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 || errno == ECONNRESET else { throw Closed() }
            return Array(buffer[..<max(count, 0)])
        }
    }

    /// All of one answer.
    func answer() async throws -> PageAnswer {
        var all = [UInt8]()
        repeat {
            let bytes = try await next()
            guard !bytes.isEmpty else { break }
            all += bytes
        } while !PageAnswer.isWhole(all)
        return try PageAnswer(all)
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { Glibc.close(descriptor) }
    }

    private func beside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { done in
            DispatchQueue.global().async { done.resume(with: Result { try work() }) }
        }
    }
}
