import Foundation
import FoundationNetworking
import Logging
import NIOHTTP1
import ServerRequests
import ServiceLifecycle
import Synchronization
import Testing
import TourCurl
import TourServer

/// A whole server on a free port of the loopback, with a clock that the test sets and text messages that it reads.
final class RunningServer: Sendable {
    let port: Int
    /// Of the operator's listener; nil: there is none.
    let operatorPort: Int?
    /// Of the operator's page; nil: there is none.
    let adminPort: Int?
    let directory: String
    let clock: Clock
    let messages: SentMessages
    let client: CurlTransport
    /// Asks the server to end, as SIGTERM does.
    let end: @Sendable () async -> Void

    /// Microseconds since 1970; starts at 2026-06-01T00:00:00Z.
    final class Clock: Sendable {
        private let reading = Mutex<Int64>(1_780_272_000_000_000)
        var now: Int64 { reading.withLock { $0 } }
        func advance(seconds: Int64) { advance(microseconds: seconds * 1_000_000) }
        func advance(microseconds: Int64) { reading.withLock { $0 += microseconds } }
    }

    private init(
        port: Int, operatorPort: Int? = nil, adminPort: Int? = nil, directory: String, clock: Clock,
        messages: SentMessages, client: CurlTransport, end: @escaping @Sendable () async -> Void = {}
    ) {
        self.end = end
        self.port = port
        self.operatorPort = operatorPort
        self.adminPort = adminPort
        self.directory = directory
        self.clock = clock
        self.messages = messages
        self.client = client
    }

    /// A server that runs already, as another process.
    convenience init(port: Int, directory: String, client: CurlTransport) {
        self.init(port: port, directory: directory, clock: Clock(), messages: SentMessages(), client: client)
    }

    /// Runs the server for as long as `body` takes, in an empty data directory.
    static func run(
        change: (inout ServerSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        await TestDatabase.turns.enter()
        defer { TestDatabase.turns.leave() }
        let directory = temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var settings = ServerSettings.data(in: directory)
        // The least: what a password is worth is tested where the server runs as a process.
        settings.passwordCost = PasswordHasher.Cost(operations: 1, memoryBytes: 8 * 1024)
        // A busy machine is no slow client.
        settings.patience.body = patience
        // Nobody waits for clients of a test that is over.
        settings.patience.farewell = .zero
        // A test of its own looks at the room of strangers.
        settings.rules.rooms.guest = settings.rules.rooms.account
        change(&settings)
        let clock = Clock()
        let messages = SentMessages()
        let (ports, port) = AsyncStream<ServedPorts>.makeStream()
        let server = TourServer(
            settings: settings, logger: messages.logger, now: { clock.now }, onReady: { port.yield($0) })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.init(service: server)], logger: messages.logger))
        let client = try makeClient()
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    defer { port.finish() }
                    try await group.run()
                }
                var failure: (any Error)?
                for await found in ports {
                    do {
                        try await body(
                            RunningServer(
                                port: found.port, operatorPort: found.operatorPort, adminPort: found.adminPort,
                                directory: directory, clock: clock, messages: messages, client: client,
                                end: { await group.triggerGracefulShutdown() }))
                    } catch {
                        // Told when the server has ended in good order: cancelled, it may not end at all.
                        failure = error
                    }
                    break
                }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                if let failure { throw failure }
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    /// Other tests keep the machine busy meanwhile: no answer is judged by its time.
    static let patience = Duration.seconds(600)

    /// - Parameter authority: a PEM file of authorities to trust.
    static func makeClient(authority: String? = nil) throws -> CurlTransport {
        // No more connections than one address may have.
        try CurlTransport(
            authority: authority, limits: TransferLimits(connect: patience, silence: patience, connectionsMax: 8))
    }

    /// A request, with the token of whoever sends it.
    static func request(_ method: HTTPMethod, _ address: String, token: String? = nil) -> OutgoingRequest {
        var request = OutgoingRequest(method: method, address: address)
        request.timeout = patience
        request.answerMax = 32 * 1024 * 1024
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        return request
    }

    static func temporaryDirectory() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("tour-server-\(UUID().uuidString)").path
    }

    /// Asks the operator's listener.
    func ask(_ path: String, _ method: HTTPMethod = .GET) async throws -> Reply {
        let port = try #require(operatorPort)
        return try await send(method, path, port: port)
    }

    /// - Parameter body: JSON as it is sent; nil sends none.
    /// - Parameter port: another one than that of all clients.
    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, _ body: String? = nil,
        headers: [(String, String)] = [], port: Int? = nil
    ) async throws -> Reply {
        var request = Self.request(method, "http://127.0.0.1:\(port ?? self.port)\(path)", token: token)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = Array(body.utf8)
        }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        return Reply(try await client.send(request))
    }

    /// - Parameter bytes: as they are sent, of no type.
    func send(
        _ method: HTTPMethod, _ path: String, token: String, bytes: [UInt8], headers: [(String, String)] = []
    ) async throws -> Reply {
        var request = Self.request(method, "http://127.0.0.1:\(port)\(path)", token: token)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = bytes
        return Reply(try await client.send(request))
    }

    /// Signs up and logs in.
    func newAccount(_ email: String, password: String = "correct horse") async throws -> Tokens {
        let body = #"{"email":"\#(email)","password":"\#(password)"}"#
        _ = try await send(.POST, "/auth/signup", body)
        return try await send(.POST, "/auth/login", body).decoded()
    }

    /// Proves the account's e-mail address by the code that goes to it, which may be on its way for a while.
    func prove(_ email: String, token: String) async throws {
        _ = try await send(.POST, "/auth/email/request", token: token)
        var tried = Set<String>()
        let isProven = try await repeats {
            // Also the one that the signup sends may be the last.
            for code in messages.mailedCodes(email).reversed() where tried.insert(code).inserted {
                if try await send(.POST, "/auth/email/verify", token: token, #"{"code":"\#(code)"}"#).status == 200 {
                    return true
                }
            }
            return false
        }
        #expect(isProven, "no code for \(email) came, or none was taken")
    }

    /// Has a code sent, and reads it.
    func code(for phone: String) async throws -> String {
        _ = try await send(.POST, "/auth/sms/request", #"{"phone":"\#(phone)"}"#)
        return messages.lastCode ?? ""
    }
}

struct Tokens: Decodable {
    var access_token: String
    var token_type: String
    var expires_in: Int
    var refresh_token: String
}

/// One answer.
struct Reply {
    let status: Int
    let headers: HTTPHeaders
    let body: Data

    private struct Failed: Decodable {
        struct Words: Decodable {
            var code: String
            var message: String
            var detail: String?
        }
        var error: Words
    }

    init(_ reply: TourCurl.Reply) {
        status = reply.status
        headers = reply.headers
        body = Data(reply.body)
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The stable code of a refusal.
    var code: String? { (try? JSONDecoder().decode(Failed.self, from: body))?.error.code }
    var field: String? { (try? JSONDecoder().decode(Failed.self, from: body))?.error.detail }
    var message: String? { (try? JSONDecoder().decode(Failed.self, from: body))?.error.message }

    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: body)
    }
}

/// What the sender `log` was told to send, and every line of the log.
final class SentMessages: Sendable {
    private let lines = Mutex<[String]>([])
    private let texts = Mutex<[String]>([])
    private let mails = Mutex<[String: [String]]>([:])

    var all: [String] { lines.withLock { $0 } }
    var lastCode: String? {
        // A notice to the owner may come after it.
        texts.withLock { $0.compactMap { $0.firstMatch(of: /\d{6}/).map { String($0.0) } }.last }
    }
    /// Of every text message and every mail.
    var allTexts: [String] { texts.withLock { $0 } }
    var allMails: [String] { mails.withLock { $0.values.flatMap(\.self) } }
    var lastText: String? { texts.withLock { $0.last } }

    /// The codes in what was mailed to this address.
    func mailedCodes(_ address: String) -> [String] {
        mails.withLock { $0[address] ?? [] }.compactMap { $0.firstMatch(of: /\d{6}/).map { String($0.0) } }
    }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(messages: self) }
    }

    fileprivate func take(_ line: String, _ metadata: Logger.Metadata?) {
        lines.withLock {
            $0.append(line + " " + (metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " "))
        }
        if let mail = metadata?["mail"], let to = metadata?["to"] {
            mails.withLock { $0["\(to)", default: []].append("\(mail)") }
        }
        if let text = metadata?["text"] { texts.withLock { $0.append("\(text)") } }
    }

    private struct Handler: LogHandler {
        let messages: SentMessages
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { messages.take("\(event.message)", event.metadata) }
    }
}

extension BodyPieces {
    /// The first bytes at once, and the rest when `more` says so; nothing more where that ends without a word.
    init(_ bytes: [UInt8], first: Int, more: AsyncStream<Void>) {
        self.init(length: Int64(bytes.count)) { number in
            guard number > 0 else { return Array(bytes[..<first]) }
            if number == 1 { for await _ in more { return Array(bytes[first...]) } }
            return nil
        }
    }
}

/// Whole numbers, one after the other.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

extension URLSession {
    /// As the guides' clients have it, but that it waits longer on a busy machine.
    static let patient = {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 600
        return URLSession(configuration: configuration)
    }()
}
