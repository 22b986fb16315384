import Dispatch
import Foundation
import Glibc
import NIOHTTP1
import Testing
import TourServer

/// Goal: a client that is slow, or never ends, is answered and cut off, and keeps nobody else waiting.
/// Method: a whole server with a short time for bodies, and clients that write bytes on a connection of their own.
struct SlowClientTests {
    private static let head =
        "POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    private static func run(
        within limit: Duration, _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            change: {
                $0.patience.body = limit
                // A busy machine takes its time for what others send meanwhile.
                $0.patience.idle = .seconds(600)
            }, body)
    }

    @Test func bodyThatDoesNotComeIsNotWaitedFor() async throws {
        try await Self.run(within: .milliseconds(100)) { server async throws in
            for start in ["Content-Length: 50\r\n\r\n{\"email\":", "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"ema\r\n"]
            {
                let answer = try await RawClient.exchange(server.port, [Self.head + start])
                #expect(answer.hasPrefix("HTTP/1.1 408"), "\(answer.prefix(80))")
                #expect(answer.contains(#""code":"timeout""#))
                #expect(answer.lowercased().contains("connection: close"), "nobody begins another request on it")
            }
        }
    }

    /// The limit of bytes ends it long before the limit of time.
    @Test func chunksWithoutEndAreCutOff() async throws {
        try await Self.run(within: .seconds(20)) { server async throws in
            let chunk = "1000\r\n" + String(repeating: " ", count: 0x1000) + "\r\n"
            let pieces = [Self.head + "Transfer-Encoding: chunked\r\n\r\n"] + Array(repeating: chunk, count: 10_000)
            let answer = try await RawClient.exchange(server.port, pieces)
            #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer.prefix(80))")
        }
    }

    @Test func headWithoutEndIsCutOff() async throws {
        try await Self.run(within: .seconds(20)) { server async throws in
            let line = "X-Padding: " + String(repeating: "a", count: 500) + "\r\n"
            let pieces = ["GET /healthz HTTP/1.1\r\nHost: localhost\r\n"] + Array(repeating: line, count: 10_000)
            let answer = try await RawClient.exchange(server.port, pieces)
            #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(80))")
        }
    }

    /// The time of a request is that of its head: others were counted meanwhile, at later times.
    @Test func aBodyThatComesLateForgivesNothing() async throws {
        try await Self.run(within: .seconds(600)) { server async throws in
            let body = #"{"email":"a@example.org","password":"wrong horse"}"#
            let client = try await RawClient(server.port)
            try client.write(Self.head + "Content-Length: \(body.utf8.count)\r\n\r\n")
            #expect(
                try await server.repeats {
                    try await server.send(.GET, "/metrics").text.contains("tour_server_requests_under_way 2\n")
                })
            server.clock.advance(seconds: 5)
            for _ in 0..<10 { #expect(try await server.send(.POST, "/auth/login", body).status == 401) }
            try client.write(body)
            let answer = await client.read(until: "too-many-requests")
            #expect(answer.hasPrefix("HTTP/1.1 429 "), "\(answer.prefix(200))")
            #expect(try await server.send(.POST, "/auth/login", body).status == 429)
            client.close()
        }
    }

    /// Who waits to be told to go on does not wait in vain.
    @Test func aBodyThatWaitsIsAskedFor() async throws {
        try await Self.run(within: .seconds(600)) { server async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            let client = try await RawClient(server.port)
            try client.write(Self.head + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
            try client.write(body)
            #expect(await client.read(until: "bad-credentials").hasPrefix("HTTP/1.1 401 "))
            client.close()
        }
    }

    /// Which site is meant is not guessed; who only looks whether the server lives need not say.
    @Test func aRequestWithoutAHostIsBad() async throws {
        try await Self.run(within: .seconds(20)) { server async throws in
            for (path, status) in [("/auth/me", "400"), ("/healthz", "200")] {
                let request = "GET \(path) HTTP/1.1\r\nConnection: close\r\n\r\n"
                let answer = try await RawClient.exchange(server.port, [request])
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(80))")
            }
        }
    }

    /// More who send nothing than there are threads.
    @Test func othersAreServedMeanwhile() async throws {
        try await Self.run(within: .seconds(20)) { server async throws in
            var slow = [RawClient]()
            for _ in 0..<64 { slow.append(try await RawClient(server.port)) }
            for client in slow { try client.write(Self.head + "Content-Length: 50\r\n\r\n{") }
            #expect(try await server.send(.GET, "/readyz").status == 200)
            for client in slow { client.close() }
        }
    }
}

/// A connection on which a test writes what it likes.
///
/// What blocks runs on a thread of its own: the tests' few threads are for the tests.
struct RawClient: Sendable {
    struct Failed: Error {}

    private let descriptor: Int32

    /// - Parameter own: an address of this machine, where it comes from.
    /// - Parameter window: how many bytes the system reads ahead, about; nil: as many as it likes.
    init(_ port: Int, from own: String = "127.0.0.1", window: Int32? = nil) async throws {
        // The kernel drops a connection that a full queue has no room for and tries again for minutes: a server whose
        // threads all wait here would never empty its queue.
        let made = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: Self.connected(port, from: own, window: window)) }.start()
        }
        guard let made else { throw Failed() }
        descriptor = made
    }

    /// The descriptor of a connection; nil if nobody takes it.
    private static func connected(_ port: Int, from own: String, window: Int32?) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var window {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var source = sockaddr_in()
        source.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, own, &source.sin_addr)
        withUnsafePointer(to: &source) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { Glibc.close(descriptor) }
        return isConnected ? descriptor : nil
    }

    /// Writes the pieces for as long as the other side takes them, and reads until it ends the connection.
    static func exchange(_ port: Int, _ pieces: [String]) async throws -> String {
        let client = try await RawClient(port)
        defer { client.close() }
        return await withCheckedContinuation { continuation in
            let written = DispatchSemaphore(value: 0)
            Thread {
                for piece in pieces {
                    do { try client.write(piece) } catch { break }
                }
                written.signal()
            }.start()
            // Read as it comes: what has arrived is lost when a connection is broken off.
            Thread {
                let answer = client.read()
                written.wait()
                continuation.resume(returning: answer)
            }.start()
        }
    }

    /// Whether the answer to the pieces has this in it.
    static func exchange(
        _ port: Int, from own: String, _ pieces: [String], until end: String
    ) async throws -> Bool {
        let client = try await RawClient(port, from: own)
        defer { client.close() }
        for piece in pieces { try? client.write(piece) }
        return await client.read(until: end).contains(end)
    }

    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failed() }
            rest = rest.dropFirst(count)
        }
    }

    func close() { Glibc.close(descriptor) }

    /// Breaks the connection off, as a device does that loses its network: what was sent may not be answered any more.
    func reset() {
        var immediately = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &immediately, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Reads until this was read, or the other side ends the connection.
    func read(until end: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: self.read(until: end)) }.start()
        }
    }

    private func read(until end: String) -> String {
        var bytes = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains(end) { return text }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }

    private func read() -> String {
        var bytes = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
