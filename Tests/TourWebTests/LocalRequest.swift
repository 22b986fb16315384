import Foundation
import Glibc
import TourJSON
import TourWeb

/// One request to a node's local API over its socket, and the answer.
struct LocalRequest {
    var status: Int
    var body: JSON
    /// All that came behind the head, as it came.
    var text: String

    /// The objects of a stream.
    var lines: [JSON] {
        text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.compactMap { try? JSON(parsing: $0.utf8) }
    }

    /// Waits on a thread of its own: the node needs those that tests run on.
    /// - Parameter json: the body; nil: none.
    static func made(
        _ method: String, _ path: String, _ json: JSON? = nil, headers: [String: String] = [:], socket: String
    ) async throws -> Self {
        try await made(method, path, bytes: json?.encoded ?? [], headers: headers, socket: socket)
    }

    /// The same with a body that is no JSON.
    static func made(
        _ method: String, _ path: String, bytes: [UInt8], headers: [String: String] = [:], socket: String
    ) async throws -> Self {
        try await withCheckedThrowingContinuation { answered in
            DispatchQueue.global().async {
                answered.resume(with: Result { try LocalRequest(method, path, bytes, headers, socket: socket) })
            }
        }
    }

    private init(_ method: String, _ path: String, _ body: [UInt8], _ headers: [String: String], socket: String) throws
    {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard descriptor >= 0, isConnected else { throw Unanswered() }
        let more = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(more)"
        let request = Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Unanswered()
        }
        var answer = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        let all = String(decoding: answer, as: UTF8.self)
        guard let status = Int(all.dropFirst(9).prefix(3)), let head = all.range(of: "\r\n\r\n") else {
            throw Unanswered()
        }
        self.status = status
        text = String(all[head.upperBound...])
        // One object, whether it came as a whole or as a chunk; of a stream or another file there is none.
        let start = text.firstIndex(of: "{") ?? text.startIndex
        let end = text.lastIndex(of: "}") ?? text.startIndex
        self.body = start < end ? (try? JSON(parsing: Array(text[start...end].utf8))) ?? .null : .null
    }

    struct Unanswered: Error {}
}
