import Foundation
import Glibc

/// One request to a node's local API: a method, what it asks for, and perhaps a body. As a line of text, so that
/// inputs can be read.
struct NodeRequest: Sendable {
    private static let answerSeconds = 15
    private static let answerBytesMax = 4 << 20

    var method: String
    var target: String
    var body: String

    init(_ method: String, _ target: String, _ body: String = "") {
        self.method = method
        self.target = target
        self.body = body
    }

    /// - Returns: nil for a line that is no request, or one that would leave the harness: it would read or write this
    ///   machine's files, ask other machines, or wait for what never comes.
    init?(line: some Sequence<UInt8>) {
        let parts = String(decoding: Array(line), as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[1].hasPrefix("/"),
            (parts[0] + parts[1]).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        self.init(String(parts[0]), String(parts[1]), parts.count > 2 ? String(parts[2]) : "")
        let leaving = ["gpsd", "follow", "events", "mailbox", "watch", "sync", "sharing", "join", "wipe"]
        guard !leaving.contains(where: target.contains), !body.contains("\"/"), !body.contains("\\") else { return nil }
    }

    /// The same with `@` in the place of an id.
    func naming(_ id: String) -> NodeRequest {
        NodeRequest(method, target.replacing("@", with: id), body.replacing("@", with: id))
    }

    /// Asks, and reads the answer to its end.
    /// - Returns: nil when the node says nothing in time; empty when it is not there any more.
    func answer(from socket: String) -> String? {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: Self.answerSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        // It was told to wipe itself.
        guard isConnected else { return "" }
        let head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        let request = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        // A node that refuses the head does not wait for the body.
        _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        var answer = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while answer.count < Self.answerBytesMax {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { break }
            guard count > 0 else { return errno == ECONNRESET ? "" : nil }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
