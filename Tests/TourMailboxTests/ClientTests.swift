import Foundation
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import TourCurl
import TourMailbox
import TourModel

/// Goal: requests reach the server and nobody else, tokens are renewed once, and faults have their names.
/// Method: a real HTTP server that answers as it is told.
struct ClientTests {
    private static let tokenAnswer =
        #"{"access_token":"new","token_type":"bearer","expires_in":900,"refresh_token":"r2"}"#

    private final class Log: Sendable {
        private let list = Mutex<[Asked]>([])
        func add(_ asked: Asked) { list.withLock { $0.append(asked) } }
        var all: [Asked] { list.withLock { $0 } }
    }

    private static func bench(
        _ log: Log, account: AccountTokens? = nil, _ answer: @escaping @Sendable (Asked) -> Reaction?
    ) async throws -> Bench {
        try await Bench(account: account) { request in
            log.add(request)
            if let reaction = answer(request) { return reaction }
            guard request.path == "/healthz" else { return .refusal(404, "not-found") }
            return .json(200, #"{"service":"tour-chat","status":"ok","time":"2026-01-01T00:01:30Z"}"#)
        }
    }

    @Test func passwordLogsIn() async throws {
        let log = Log()
        let bench = try await Self.bench(log) { request in
            request.path == "/auth/login" ? .json(200, Self.tokenAnswer) : nil
        }
        try await bench.client.logIn(email: "guide@tours.example", password: "correct horse")
        #expect(bench.tokens.now?.access == "new")
        #expect(bench.tokens.now?.refresh == "r2")
        #expect(bench.tokens.now?.account == "guide@tours.example")
        #expect(bench.tokens.now?.base == bench.server.address)
        let sent = try #require(log.all.last)
        #expect(sent.token == nil)
        let body = try JSONSerialization.jsonObject(with: Data(sent.body)) as? [String: String]
        #expect(body == ["email": "guide@tours.example", "password": "correct horse"])
        // The server's clock is ninety seconds ahead.
        #expect(await bench.client.clockLead == 90_000)
        await bench.end()
    }

    @Test func codeLogsIn() async throws {
        let log = Log()
        let bench = try await Self.bench(log) { request in
            switch request.path {
            case "/auth/sms/request": .json(202, "{}")
            case "/auth/sms/verify": .json(200, Self.tokenAnswer)
            default: nil
            }
        }
        try await bench.client.requestCode(phone: "+905321234567")
        try await bench.client.logIn(phone: "+905321234567", code: "123456")
        #expect(bench.tokens.now?.account == "+905321234567")
        await bench.end()
    }

    @Test func refusedLoginSaysWhy() async throws {
        let bench = try await Self.bench(Log()) { request in
            request.path == "/auth/login" ? .refusal(401, "bad-credentials") : nil
        }
        await #expect(throws: APIError.http(status: 401, code: "bad-credentials")) {
            try await bench.client.logIn(email: "a@b.example", password: "x")
        }
        #expect(bench.tokens.now == nil)
        await bench.end()
    }

    /// A wrong code or password beside a good token is told, and costs neither a refresh nor another try.
    @Test(arguments: ["bad-code", "bad-credentials", "second-factor-needed", "bad-second-factor"])
    func aWrongCodeIsNoReasonToRefresh(code: String) async throws {
        let log = Log()
        let bench = try await Self.bench(log) { request in
            switch request.path {
            case "/auth/login": .json(200, Self.tokenAnswer)
            case "/auth/me/phone": .refusal(401, code)
            default: nil
            }
        }
        try await bench.client.logIn(email: "a@b.example", password: "x")
        let account = ServerAccount(client: bench.client)
        await #expect(throws: APIError.http(status: 401, code: Refusal(code))) {
            try await account.set(
                .phone("+905321234567"), code: "123456", .init(password: "x", secondFactor: nil))
        }
        #expect(log.all.filter { $0.path == "/auth/me/phone" }.count == 1)
        #expect(!log.all.contains { $0.path == "/auth/refresh" } && bench.tokens.now != nil)
        await bench.end()
    }

    /// No text that is no id becomes part of a path.
    @Test func aSessionIsNamedByItsIDAlone() async throws {
        let log = Log()
        let bench = try await Self.bench(log) { _ in nil }
        for id in ["../me", "a b", "ä", "a?b"] {
            await #expect(throws: APIError.http(status: 404, code: "not-found")) {
                try await ServerAccount(client: bench.client).endSessions(id)
            }
        }
        #expect(log.all.isEmpty)
        await bench.end()
    }

    /// The server has words for people, in the language of whoever asked.
    @Test func aRefusalIsSaidInTheServersWords() async throws {
        let log = Log()
        let bench = try await Self.bench(log) { request in
            request.path == "/auth/login"
                ? .json(422, #"{"error":{"code":"invalid-field","message":"email alanı\n eksik."}}"#) : nil
        }
        let problem = await #expect(throws: APIError.self) {
            try await APIClient.$readerLanguage.withValue("tr") {
                try await bench.client.logIn(email: "a", password: "x")
            }
        }
        #expect(problem == .http(status: 422, code: "invalid-field"))
        let words: String? = if case .http(_, let refusal, _)? = problem { refusal.words } else { nil }
        #expect(words == "email alanı eksik.")
        #expect(log.all.last?.headers.first(name: "Accept-Language") == "tr")
        await bench.end()
    }

    @Test func aRefusalWithoutWordsIsSaidByItsCode() {
        #expect(APIError.http(status: 500, code: "internal").description == "the server refused (500 internal)")
        #expect(Refusal("busy", words: "").words == nil)
    }

    private static let pages: [Reaction] = [
        .loginPage, .redirect, .json(200, #"{"status":"ok"}"#), .json(200, "[]"), .refusal(404, "not-found"),
        .answer(511, [("Content-Type", "text/html")], Array("<html>".utf8)),
    ]

    /// Nothing but the question who is there goes to somebody who has not shown the marker.
    @Test(arguments: pages)
    func nothingIsToldToALoginPage(page: Reaction) async throws {
        let log = Log()
        let bench = try await Self.bench(log) { _ in page }
        let problem = await #expect(throws: APIError.self) {
            try await bench.client.logIn(email: "a@b.example", password: "secret")
        }
        #expect(problem?.code == "mailbox-login-page")
        #expect(log.all.allSatisfy { $0.path == "/healthz" && $0.body.isEmpty && $0.token == nil })
        await bench.end()
    }

    /// The network changes to one with a login page between two requests.
    @Test func loginPageThatComesLaterIsFound() async throws {
        let isBehind = Flag()
        let bench = try await Self.bench(Log()) { request in
            if isBehind.value { return .loginPage }
            return request.path == "/auth/login" ? .json(200, Self.tokenAnswer) : nil
        }
        try await bench.client.logIn(email: "a@b.example", password: "x")
        isBehind.set()
        await #expect(throws: APIError.loginPage(.type)) {
            try await bench.client.logIn(email: "a@b.example", password: "x")
        }
        await bench.end()
    }

    @Test func serverThatMakesNoSenseIsNoLoginPage() async throws {
        let bench = try await Self.bench(Log()) { request in
            request.path == "/auth/login" ? .answer(200, [("Content-Type", "text/plain")], [1, 2]) : nil
        }
        await #expect(throws: APIError.decoding) { try await bench.client.logIn(email: "a@b.example", password: "x") }
        await bench.end()
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var value: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    private static let kept = AccountTokens(access: "old", refresh: "r1", account: "guide", base: "")

    /// `/auth/logout` is the simplest request that carries the account's token.
    @Test func expiredTokenIsRenewedOnceForAll() async throws {
        let log = Log()
        let bench = try await Self.bench(log, account: Self.kept) { request in
            switch request.path {
            case "/auth/refresh": .json(200, Self.tokenAnswer)
            case "/probe" where request.token == "old": .refusal(401, "invalid-token")
            case "/probe": .json(200, "{}")
            default: nil
            }
        }
        let client = bench.client
        await withTaskGroup(of: Bool.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask { (try? await client.request(Empty.self, .probe)) != nil }
            }
            for await isAnswered in tasks { #expect(isAnswered) }
        }
        #expect(log.all.filter { $0.path == "/auth/refresh" }.count == 1)
        #expect(bench.tokens.now?.access == "new")
        #expect(bench.tokens.now?.refresh == "r2")
        await bench.end()
    }

    @Test func secondRefusalIsTheEnd() async throws {
        let log = Log()
        let bench = try await Self.bench(log, account: Self.kept) { request in
            request.path == "/auth/refresh"
                ? .json(200, Self.tokenAnswer)
                : request.path == "/probe"
                    ? .refusal(401, "invalid-token") : nil
        }
        await #expect(throws: APIError.unauthenticated) { try await bench.client.request(Empty.self, .probe) }
        #expect(log.all.filter { $0.path == "/probe" }.count == 2)
        await bench.end()
    }

    @Test func sessionThatIsOverIsForgotten() async throws {
        let bench = try await Self.bench(Log(), account: Self.kept) { request in
            request.path == "/healthz" ? nil : .refusal(401, "bad-refresh-token")
        }
        await #expect(throws: APIError.unauthenticated) { try await bench.client.request(Empty.self, .probe) }
        #expect(bench.tokens.now == nil)
        await bench.end()
    }

    @Test func serverInTroubleIsNoReasonToForgetASession() async throws {
        let bench = try await Self.bench(Log(), account: Self.kept) { request in
            switch request.path {
            case "/auth/refresh": .refusal(503, "busy")
            case "/probe": .refusal(401, "invalid-token")
            default: nil
            }
        }
        let problem = await #expect(throws: APIError.self) { try await bench.client.request(Empty.self, .probe) }
        #expect(problem == .http(status: 503, code: "busy"))
        #expect(bench.tokens.now == Self.keptAt(bench))
        await bench.end()
    }

    private static func keptAt(_ bench: Bench) -> AccountTokens {
        var tokens = kept
        tokens.base = bench.server.address
        return tokens
    }

    @Test func tokensGoToTheirServerOnly() async throws {
        let log = Log()
        let bench = try await Self.bench(log) { $0.path == "/probe" ? .json(200, "{}") : nil }
        await bench.tokens.keep(AccountTokens(access: "t", refresh: nil, account: "a", base: "https://other.example"))
        await #expect(throws: APIError.unauthenticated) { try await bench.client.request(Empty.self, .probe) }
        #expect(log.all.allSatisfy { $0.token == nil })
        await bench.end()
    }

    @Test func longPauseThatTheServerAsksForEndsTheSync() async throws {
        let bench = try await Self.bench(Log(), account: Self.kept) { request in
            request.path == "/probe" ? .refusal(429, "too-many-requests", retryAfter: 120) : nil
        }
        await #expect(throws: APIError.http(status: 429, code: "too-many-requests", retryAfter: .seconds(120))) {
            try await bench.client.request(Empty.self, .probe)
        }
        #expect(bench.waits.isEmpty)
        await bench.end()
    }

    @Test func triesEndAndPausesGrow() async throws {
        let log = Log()
        let bench = try await Self.bench(log, account: Self.kept) { request in
            request.path == "/probe" ? .refusal(500, "internal") : nil
        }
        await #expect(throws: APIError.http(status: 500, code: "internal")) {
            try await bench.client.request(Empty.self, .probe)
        }
        #expect(log.all.filter { $0.path == "/probe" }.count == 5)
        let ranges: [ClosedRange<Duration>] = [
            .milliseconds(250) ... .milliseconds(750), .milliseconds(500) ... .milliseconds(1_500),
            .seconds(1) ... .seconds(3), .seconds(2) ... .seconds(6),
        ]
        #expect(zip(ranges, bench.waits).allSatisfy { $0.contains($1) } && bench.waits.count == 4)
        await bench.end()
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let bench = try await Self.bench(Log()) { _ in nil }
        await bench.server.close()
        await #expect(throws: APIError.network(.unreachable)) {
            try await bench.client.logIn(email: "a@b.example", password: "x")
        }
        await bench.end()
    }

    /// The server never answers: only the cancellation ends the request.
    @Test func cancellingEndsTheRequest() async throws {
        let (arrived, source) = AsyncStream.makeStream(of: Void.self)
        let bench = try await Self.bench(Log(), account: Self.kept) { request in
            guard request.path == "/probe" else { return nil }
            source.yield()
            return .silence
        }
        let client = bench.client
        let task = Task { try await client.request(Empty.self, .probe) }
        for await _ in arrived { break }
        task.cancel()
        await #expect(throws: APIError.network(.cancelled)) { try await task.value }
        await bench.end()
    }

    @Test func certificateOfSomebodyElseIsALoginPage() async throws {
        let server = try await DoubleServer(isSecure: true) { _ in .hangUp }
        let transport = try CurlTransport()
        let failure = await #expect(throws: TransferError.self) {
            try await transport.send(OutgoingRequest(method: .GET, address: server.address + "/"))
        }
        #expect(failure.map { APIError($0) } == .loginPage(.certificate))
        await transport.close()
        await server.close()
    }

    @Test func namedAuthorityIsTrusted() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem")
        try Data(Certificate.certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try await DoubleServer(isSecure: true) { _ in .json(200, "{}") }
        let transport = try CurlTransport(authority: file.path)
        let reply = try await transport.send(
            OutgoingRequest(method: .GET, address: server.address + "/", headers: [:], body: []))
        #expect(reply.status == 200)
        await transport.close()
        await server.close()
    }

    /// A file that is shorter than was said ends its request at once; the server never answers.
    @Test func bodyThatEndsTooEarlyEndsTheRequest() async throws {
        let server = try await DoubleServer { _ in .silence }
        let transport = try CurlTransport()
        var outgoing = OutgoingRequest(method: .PUT, address: server.address + "/", headers: [:], body: [])
        outgoing.pieces = BodyPieces(length: 10) { $0 == 0 ? [1, 2, 3] : nil }
        await #expect(throws: TransferError(.broken)) { try await transport.send(outgoing) }
        await transport.close()
        await server.close()
    }

    /// Piece by piece, more than the library asks for at once, an empty one among them.
    @Test func bodyGoesOutInPieces() async throws {
        let log = Log()
        let server = try await DoubleServer { request in
            log.add(request)
            return .json(200, "{}")
        }
        let transport = try CurlTransport()
        let pieces = [[UInt8](repeating: 1, count: 100_000), [], [UInt8](repeating: 2, count: 7)]
        var outgoing = OutgoingRequest(method: .PUT, address: server.address + "/", headers: [:], body: [])
        outgoing.pieces = BodyPieces(length: 100_007) { pieces.indices.contains($0) ? pieces[$0] : nil }
        #expect(try await transport.send(outgoing).status == 200)
        #expect(log.all.map(\.body) == [pieces.flatMap { $0 }])
        await transport.close()
        await server.close()
    }

    @Test func fileWithoutCertificatesIsRefused() throws {
        #expect(throws: TransferError(.badAuthority)) {
            try CurlTransport(authority: "/dev/null")
        }
    }

    @Test func whatTheServerTellsIsHeard() async throws {
        let tour = TestTour()
        let member = tour.creator.hex
        let mailbox = MiniMailbox(tour)
        let stream =
            ": listening\n\nevent: heads\ndata: {\"heads\":{\"\(member)\":7}}\n\ndata: nonsense\n\n"
            + "data:{\"heads\":{\"\(member)\":8}}\n"
        let bench = try await Bench { request in
            request.path.hasSuffix("live")
                ? .answer(200, [("Content-Type", "text/event-stream")], Array(stream.utf8)) : mailbox.answer(request)
        }
        let heard = Mutex<[[MemberID: UInt64]]>([])
        try await Mailbox(client: bench.client, pass: TestTour.pass(1, of: tour.tour)).follow { heads in
            heard.withLock { $0.append(heads) }
        }
        #expect(heard.withLock { $0 } == [[:], [tour.creator: 7], [tour.creator: 8]])
        await bench.end()
    }

    @Test func loginPageTellsNothing() async throws {
        let tour = TestTour()
        let mailbox = MiniMailbox(tour)
        let bench = try await Bench { request in
            request.path.hasSuffix("live") ? .json(200, "{}") : mailbox.answer(request)
        }
        await #expect(throws: APIError.decoding) {
            try await Mailbox(client: bench.client, pass: TestTour.pass(1, of: tour.tour)).follow { _ in }
        }
        await bench.end()
    }
}
