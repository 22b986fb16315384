import Foundation
import Logging
import Testing
import TourJSON
import TourNode
import TourWeb

/// A real node without a network, with a page, on a directory of its own.
final class PageNode: Sendable {
    let scratch: URL

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: scratch) }

    func path(_ name: String) -> String { scratch.appendingPathComponent(name).path }

    /// What lies in the scratch directory of files that are on their way.
    var uploads: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path("data/uploads"))) ?? [] }

    /// Asks over the Unix socket.
    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> LocalRequest {
        try await LocalRequest.made(method, "/v1" + path, body, socket: self.path("data") + "/node.sock")
    }

    /// Does the work beside the node, which has one tour.
    func run(
        _ page: PagePlace = .last, isOffline: Bool = true, _ work: (PageAccess) async throws -> Void
    ) async throws {
        var settings = NodeSettings()
        settings.dataDirectory = path("data")
        settings.isOffline = isOffline
        settings.usesMDNS = false
        settings.usesMulticast = false
        settings.name = "Anna"
        settings.page = page
        let service = try NodeService(
            settings: settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await service.run() }
        do {
            let address = try await service.ready().web
            let doorway = try PageAccess(#require(address))
            if try await ask("GET", "/tours").body["tours"]?.list?.isEmpty == true {
                _ = try await ask("POST", "/tours", ["name": "Rome"])
            }
            try await work(doorway)
        } catch {
            running.cancel()
            _ = await running.result
            throw error
        }
        running.cancel()
        _ = await running.result
    }
}

/// The page's address, as somebody who opens it has it.
struct PageAccess: Hashable, Sendable {
    let port: UInt16
    let token: String

    init(_ address: String) throws {
        let parts = try #require(address.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{64})/))
        port = try #require(UInt16(parts.1))
        token = String(parts.2)
    }

    var host: String { "127.0.0.1:\(port)" }

    /// Asks with the token, as the page does.
    func ask(
        _ method: String, _ path: String, _ body: JSON? = nil, _ headers: [String: String] = [:]
    ) async throws -> PageAnswer {
        try await raw(
            method, "/v1" + path, headers.merging(["Authorization": "Bearer \(token)"]) { given, _ in given },
            body?.encoded ?? [])
    }

    /// Asks with these headers alone, and a Host unless one is given; one that is empty is left out.
    func raw(
        _ method: String, _ path: String, _ headers: [String: String] = [:], _ body: [UInt8] = []
    ) async throws -> PageAnswer {
        let connection = try await PageConnection.open(port: port)
        defer { connection.close() }
        let fixed = ["Host": host, "Connection": "close", "Content-Length": String(body.count)]
        let fields = headers.merging(fixed) { given, _ in given }.filter { !$0.value.isEmpty }
        try await connection.send("\(method) \(path) HTTP/1.1\r\n", fields, body)
        return try await connection.answer()
    }
}

/// An answer of the page's door.
struct PageAnswer {
    let status: Int
    /// By lower-case names.
    let headers: [String: String]
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSON { (try? JSON(parsing: bytes)) ?? .null }
    var code: String? { json["error"]?["code"]?.text }
    var lines: [JSON] { text.split(separator: "\n").compactMap { try? JSON(parsing: $0.utf8) } }

    init(_ all: [UInt8]) throws {
        let (head, body) = try Self.parts(all)
        var lines = head.components(separatedBy: "\r\n")
        let first = lines.removeFirst()
        status = try #require(Int(first.dropFirst(9).prefix(3)))
        headers = Dictionary(
            lines.map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (line[..<colon].lowercased(), String(line[colon...].dropFirst(2)))
            }, uniquingKeysWith: { $0 + ", " + $1 })
        bytes = headers["transfer-encoding"] == "chunked" ? Self.joined(body) : Array(body)
    }

    private static func parts(_ all: [UInt8]) throws -> (String, ArraySlice<UInt8>) {
        let end = try #require(headEnd(of: all))
        return (String(decoding: all[..<end], as: UTF8.self), all[(end + 4)...])
    }

    private static func headEnd(of all: [UInt8]) -> Int? {
        all.indices.dropLast(3).first { all[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }
    }

    /// Whether all of an answer is here: a server need not close while its client has more to say.
    static func isWhole(_ all: [UInt8]) -> Bool {
        guard headEnd(of: all) != nil, let answer = try? PageAnswer(all) else { return false }
        if answer.status == 304 { return true }
        if answer.headers["transfer-encoding"] == "chunked" { return all.suffix(5).elementsEqual("0\r\n\r\n".utf8) }
        return answer.headers["content-length"].flatMap { Int($0) }.map { answer.bytes.count >= $0 } ?? false
    }

    /// Source: RFC 9112, section 7.1.
    private static func joined(_ chunks: ArraySlice<UInt8>) -> [UInt8] {
        var rest = chunks
        var bytes = [UInt8]()
        while let end = rest.firstIndex(of: 0x0D),
            let count = Int(String(decoding: rest[rest.startIndex..<end], as: UTF8.self), radix: 16), count > 0
        {
            let start = end + 2
            bytes += rest[start..<min(start + count, rest.endIndex)]
            rest = rest[min(start + count + 2, rest.endIndex)...]
        }
        return bytes
    }
}
