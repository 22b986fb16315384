import Synchronization
import TourAPI
import TourJSON
import TourWords

/// The method of a request. Source: RFC 9110 and, for PATCH, RFC 5789.
package enum LocalMethod: String, Sendable {
    case GET, POST, PUT, PATCH, DELETE
}

/// The local API of one node: HTTP/1.1 over its Unix socket, with one connection for each request.
///
/// Source: `Protocol/Schema/local-api.yaml`.
package struct LocalClient: Sendable {
    /// The limit for an answer that is read as a whole.
    static let answerBytesMax = 16 * 1024 * 1024

    /// Where the node keeps everything.
    package let dataDirectory: String
    /// The node is our own, for this command only.
    let isOwn: Bool
    /// The node is our own and has no network.
    let isOffline: Bool
    /// A connection that is open already, for the first request.
    private let first: FirstConnection?

    /// - Parameter isOwn: the node is our own, for this command only.
    /// - Parameter isOffline: the node is our own and has no network.
    package init(dataDirectory: String, isOwn: Bool = false, isOffline: Bool = false) {
        self.dataDirectory = dataDirectory
        self.isOwn = isOwn
        self.isOffline = isOffline
        first = nil
    }

    /// - Parameter first: a connection that is open already, for the first request.
    init(dataDirectory: String, first: FirstConnection) {
        self.dataDirectory = dataDirectory
        isOwn = false
        isOffline = false
        self.first = first
    }

    /// One request, one answer.
    /// - Throws: `CommandFailure`, with the node's own code when it refused.
    package func call(_ method: LocalMethod, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let answer = try await bytes(method, path, body)
        guard let value = try? JSON(parsing: answer) else { throw CommandFailure.badAnswer }
        return value
    }

    /// The same, with the answer as its type.
    /// - Throws: `CommandFailure`, `bad-answer` also for an answer that is not what the contract says.
    package func ask<Answer: JSONReadable>(
        _ method: LocalMethod, _ path: String, _ body: JSON? = nil
    ) async throws -> Answer {
        try Answer(answer: try await call(method, path, body))
    }

    /// The node's status.
    package func status() async throws -> Status { try await ask(.GET, LocalPath.make(["status"])) }

    /// Gives this node's member a name.
    /// - Returns: the answer as it came, for programs.
    func setName(_ name: String) async throws -> JSON {
        try await call(.PUT, LocalPath.make(["name"]), ["name": .text(name)])
    }

    /// Sends one message.
    /// - Returns: the answer as it came, for programs.
    func send(_ draft: Draft, _ path: String) async throws -> (answer: JSON, sent: SentMessage) {
        let answer = try await call(.POST, path, draft.json)
        return (answer, try SentMessage(answer: answer))
    }

    /// The same where the answer is a file.
    func bytes(_ method: LocalMethod, _ path: String, _ body: JSON? = nil) async throws -> [UInt8] {
        let connection = try connect()
        // A node that refuses a request may answer before the whole request was sent: the answer says more than the
        // writer's error.
        do {
            try await connection.write(request(method, path, body))
        } catch let failure as CommandFailure where failure == .nodeGone {}
        var answer: [UInt8] = []
        try await read(connection) { answer = try Self.added($0, to: answer) }
        return answer
    }

    /// A request whose answer is passed on in pieces as it arrives.
    func stream(
        _ path: String, _ method: LocalMethod = .GET, _ body: JSON? = nil, receive: ([UInt8]) async throws -> Void
    ) async throws {
        let connection = try connect()
        try await connection.write(request(method, path, body))
        try await read(connection, receive: receive)
    }

    /// A POST of NDJSON; request and answer run at the same time, until both have ended.
    func converse(
        _ path: String, send: @escaping @Sendable (([UInt8]) async throws -> Void) async throws -> Void,
        receive: ([UInt8]) async throws -> Void
    ) async throws {
        let connection = try connect()
        let fields = "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n"
        try await connection.write(Self.head(.POST, path, fields))
        // A node that refuses a request may end its answer before the request ends: the writer is then cancelled, and
        // its error on the closed connection says nothing new. (For the type of a task group the runtime searches all
        // conformances of the program, at each start.)
        async let _ = Self.write(send, to: connection)
        try await read(connection, receive: receive)
    }

    /// A POST whose answer is reports, line by line: programs get each as it came.
    /// - Parameter show: gets each for people.
    /// - Returns: the last one.
    /// - Throws: `node-gone` where there is none; the error of a line.
    func report<Report: JSONReadable>(
        _ path: String, sending body: JSON? = nil, _ output: Output, show: (Report) throws -> Void
    ) async throws -> Report {
        let body = body?.encoded ?? []
        var lines = WholeLines()
        var last: Report?
        try await converse(path) { write in
            if !body.isEmpty { try await write(body) }
        } receive: { chunk in
            for line in lines.add(chunk).split(separator: 0x0A) {
                guard let answer = try? JSON(parsing: line) else { throw CommandFailure.badAnswer }
                if (try? Refusal.read(answer)) != nil { throw CommandFailure(answer: answer, status: 500) }
                let report = try Report(answer: answer)
                last = report
                if output.json { try output.object(answer) } else { try show(report) }
            }
        }
        guard let last else { throw CommandFailure.nodeGone }
        return last
    }

    /// Writes a request's body, chunk by chunk, to its end.
    private static func write(
        _ send: @Sendable (([UInt8]) async throws -> Void) async throws -> Void, to connection: NodeConnection
    ) async throws {
        try await send { bytes in
            let size = String(bytes.count, radix: 16)
            try await connection.write(Array("\(size)\r\n".utf8) + bytes + [0x0D, 0x0A])
        }
        try await connection.write(Array("0\r\n\r\n".utf8))
    }

    private func request(_ method: LocalMethod, _ path: String, _ body: JSON?) -> [UInt8] {
        guard let body = body?.encoded else { return Self.head(method, path, "") }
        return Self.head(method, path, "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n") + body
    }

    /// - Parameter fields: the header fields about the body, each with its line break.
    private static func head(_ method: LocalMethod, _ path: String, _ fields: String) -> [UInt8] {
        let head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        return Array("\(head)\(languageField)\(fields)\r\n".utf8)
    }

    /// The node answers in English unless asked for another language.
    private static let languageField =
        Language.ofUser == .english ? "" : "Accept-Language: \(Language.ofUser.rawValue)\r\n"

    private func connect() throws -> NodeConnection {
        // The user may have thought for long since it was opened, and the node may have closed it.
        if let first = first?.pop(), first.isOpen { return first }
        guard let connection = try NodeSocket.connect(dataDirectory: dataDirectory) else {
            throw CommandFailure.noNode
        }
        return NodeConnection(connection)
    }

    private func read(_ connection: NodeConnection, receive: ([UInt8]) async throws -> Void) async throws {
        var reader = AnswerReader()
        var refusal: (status: UInt, answer: [UInt8])?
        while true {
            let bytes = try await connection.read()
            for part in try Self.parts(of: bytes, &reader) {
                switch part {
                case .status(let status) where !(200..<300).contains(status): refusal = (status, [])
                case .status: break
                case .body(let piece):
                    if let known = refusal {
                        refusal = (known.status, try Self.added(piece, to: known.answer))
                    } else {
                        try await receive(piece)
                    }
                case .end:
                    guard let refusal else { return }
                    throw CommandFailure(answer: try? JSON(parsing: refusal.answer), status: refusal.status)
                }
            }
        }
    }

    private static func parts(
        of bytes: [UInt8], _ reader: inout AnswerReader
    ) throws(CommandFailure) -> [AnswerReader.Part] {
        do { return bytes.isEmpty ? try reader.close() : try reader.add(bytes) } catch { throw .nodeGone }
    }

    private static func added(_ piece: [UInt8], to answer: [UInt8]) throws(CommandFailure) -> [UInt8] {
        guard answer.count + piece.count <= answerBytesMax else { throw .badAnswer }
        return answer + piece
    }
}

/// A connection that was opened to see whether a node runs, kept for the first request.
final class FirstConnection: Sendable {
    private let connection: Mutex<NodeConnection?>

    init(_ connection: NodeSocket.Connection) { self.connection = Mutex(NodeConnection(connection)) }

    /// - Returns: nil when it was taken before.
    func pop() -> NodeConnection? {
        connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
    }
}
