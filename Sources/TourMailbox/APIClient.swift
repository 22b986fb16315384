import FoundationEssentials
import NIOHTTP1
import TourCrypto
import TourCurl
import TourModel

/// Every request to one server: tokens, the check that it is the server, retries, decoding.
///
/// Sends no secret before the server has shown its marker on the present network.
package actor APIClient {
    /// The tag of the language of whoever reads the server's sentences in answers to the present task's requests; nil:
    /// the server's own choice.
    @TaskLocal package static var readerLanguage: String?

    /// The server's address.
    package nonisolated let base: MailboxBase
    private let transport: any HTTPTransport
    private let tokens: any TokenStore
    /// Waits; ends early, with `CancellationError`, when the task is cancelled.
    private let pause: @Sendable (Duration) async throws -> Void
    private let now: @Sendable () -> Instant
    private var rng = SplitMix64(seed: .random(in: 0 ... .max))
    /// Whether the server has shown its marker since the network last changed.
    private var isServerKnown = false
    private var refreshing: Task<Result<String, APIError>, Never>?
    private var memberTokens: [MemberID: MemberToken] = [:]
    /// The server's clock less ours, in milliseconds, by its last `/healthz`.
    package private(set) var clockLead: Int64?
    private let wallMilliseconds: @Sendable () -> Int64
    /// The account with which each member was last tied, or finally refused.
    private var tied: [MemberID: String] = [:]
    /// Control events by which a server proved that a member is out.
    private var evidence: [[UInt8]] = []

    private struct MemberToken {
        var text: String
        var endsAt: Instant
    }

    /// A member token is used only while it stays valid for longer than this.
    private static let tokenReserve: Duration = .seconds(30)

    // Source: `Protocol/09-mailbox.md`, "Limits".
    /// For a whole exchange: 4 MiB at 64 kbit/s.
    private static let exchangeTimeout: Duration = .seconds(600)
    /// The slowest rate assumed for longer bodies.
    private static let bytesPerSecond: Int64 = 8 * 1024
    /// For an endless body: the server sends a sign of life every 25 s.
    private static let followingTimeout: Duration = .seconds(24 * 60 * 60)

    /// - Parameter now: a clock that never steps.
    package init(
        base: MailboxBase, transport: any HTTPTransport, tokens: any TokenStore, now: @escaping @Sendable () -> Instant,
        wallMilliseconds: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.base = base
        self.transport = transport
        self.tokens = tokens
        self.now = now
        self.wallMilliseconds = wallMilliseconds
        self.pause = pause
    }

    /// A client that asks by libcurl.
    /// - Parameter authority: a PEM file with the certificates of authorities to trust instead of the system's.
    /// - Parameter now: a clock that never steps.
    /// - Throws: `badAuthority` for a file that holds none, `noLibrary` where libcurl is not installed.
    package init(
        base: MailboxBase, authority: String?, tokens: any TokenStore, now: @escaping @Sendable () -> Instant,
        wallMilliseconds: @escaping @Sendable () -> Int64
    ) throws(APIError) {
        let transport: CurlTransport
        do throws(TransferError) {
            transport = try CurlTransport(authority: authority)
        } catch {
            throw APIError(error)
        }
        self.init(
            base: base, transport: transport, tokens: tokens, now: now, wallMilliseconds: wallMilliseconds)
    }

    /// On a new network the server must prove itself again.
    package func networkChanged() { isServerKnown = false }

    /// Closes the connections.
    package func close() async { await transport.close() }

    /// An answer in JSON.
    package func request<Answer: Decodable>(_ type: Answer.Type, _ endpoint: Endpoint) async throws(APIError) -> Answer
    {
        try Self.decode(type, try await reply(to: endpoint).body)
    }

    /// The raw answer, if its status is below 400 and its type the expected one.
    func reply(to endpoint: Endpoint) async throws(APIError) -> Reply {
        try await checkServer(isInteractive: endpoint.isInteractive)
        let token = try await token(for: endpoint.access)
        do {
            return try await repeating(endpoint, token)
        } catch .http(401, let code, _) {
            guard let token, !Self.isBesideToken(code) else { throw .http(status: 401, code: code) }
            // The token expired on the way: tries once more with another one.
            let fresh = try await renewed(token, for: endpoint.access)
            do {
                return try await repeating(endpoint, fresh)
            } catch .http(401, _, _) {
                throw .unauthenticated
            }
        }
    }

    /// Whether a request was refused for something in it, which another token does not change: a removed member, a bad
    /// proof, a wrong code or password.
    private static func isBesideToken(_ code: Refusal) -> Bool {
        ["removed", "bad-proof", "bad-code", "bad-credentials", "second-factor-needed", "bad-second-factor"]
            .contains(code.code)
    }

    /// Follows an answer until the server ends it.
    func follow(
        _ endpoint: Endpoint, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(APIError) {
        try await checkServer()
        let token = try await token(for: endpoint.access)
        var outgoing = outgoing(endpoint, token)
        outgoing.timeout = Self.followingTimeout
        let reply: Reply
        do throws(TransferError) {
            reply = try await transport.follow(outgoing, receive: receive)
        } catch {
            throw APIError(error)
        }
        switch reply.status {
        case 200 where reply.type == endpoint.answer.rawValue: return
        case 401:
            // The next request uses another token.
            if let token { _ = try await renewed(token, for: endpoint.access) }
            throw refusal(reply)
        case 400..<511, 512..<600: throw refusal(reply)
        default: throw try await stranger(reply, endpoint)
        }
    }

    /// Asks the server for its marker, if that has not been checked on this network yet.
    private func checkServer(isInteractive: Bool = false) async throws(APIError) {
        guard !isServerKnown else { return }
        var endpoint = Endpoint.health
        endpoint.isInteractive = isInteractive
        let reply: Reply
        do {
            reply = try await repeating(endpoint, nil)
        } catch .http(400..<500, _, _) {
            throw .loginPage(.marker)
        }
        guard let health = try? Self.decode(HealthAnswer.self, reply.body), health.service == "tour-chat" else {
            throw .loginPage(.marker)
        }
        clockLead = health.time.milliseconds - wallMilliseconds()
        isServerKnown = true
    }

    /// Repeats a request until it is answered, or until repeating makes no sense.
    private func repeating(_ endpoint: Endpoint, _ token: String?) async throws(APIError) -> Reply {
        let outgoing = outgoing(endpoint, token)
        let tries = endpoint.isInteractive ? 1 : Backoff.triesMax
        for attempt in 0..<tries {
            do {
                return try await once(outgoing, endpoint)
            } catch {
                guard Backoff.isWorthwhile(error) else { throw error }
                var asked: Duration?
                if case .http(_, _, let retryAfter) = error { asked = retryAfter }
                try await wait(Backoff.pause(attempt: attempt, retryAfter: asked, using: &rng))
            }
        }
        return try await once(outgoing, endpoint)
    }

    private func wait(_ duration: Duration) async throws(APIError) {
        do { try await pause(duration) } catch { throw .network(.cancelled) }
    }

    private func outgoing(_ endpoint: Endpoint, _ token: String?) -> OutgoingRequest {
        var headers: HTTPHeaders = ["Accept": endpoint.answer.rawValue, "User-Agent": "tour-chat (Linux)"]
        if let language = Self.readerLanguage { headers.add(name: "Accept-Language", value: language) }
        if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let mark = endpoint.knownMark { headers.add(name: "If-None-Match", value: mark) }
        // Pieces of files repeat themselves without harm.
        if [.POST, .PATCH].contains(endpoint.method) || endpoint.method == .PUT && endpoint.answer == .json {
            headers.add(name: "Content-Type", value: endpoint.bodyType)
            headers.add(name: "Idempotency-Key", value: Hex.encode(Randomness.bytes(16)))
        }
        for (name, value) in endpoint.headers { headers.add(name: name, value: value) }
        var outgoing = OutgoingRequest(
            method: endpoint.method, address: base.address(of: endpoint.path), headers: headers, body: endpoint.body)
        outgoing.pieces = endpoint.pieces
        outgoing.answerMax = endpoint.answerMax
        let bytes = (endpoint.pieces?.length ?? 0) + Int64(max(endpoint.answerMax - Limits.mailboxAnswerBytesMax, 0))
        outgoing.timeout = Self.exchangeTimeout + .seconds(bytes / Self.bytesPerSecond)
        return outgoing
    }

    private func once(_ outgoing: OutgoingRequest, _ endpoint: Endpoint) async throws(APIError) -> Reply {
        let reply: Reply
        do throws(TransferError) { reply = try await transport.send(outgoing) } catch { throw APIError(error) }
        switch reply.status {
        case 304 where endpoint.knownMark != nil: return reply
        case 200..<300 where Self.isExpected(reply, endpoint): return reply
        case 400..<511, 512..<600: throw refusal(reply)
        default: throw try await stranger(reply, endpoint)
        }
    }

    private static func isExpected(_ reply: Reply, _ endpoint: Endpoint) -> Bool {
        // A login page has a type of its own, and allows sniffing.
        if endpoint.answer == .file {
            return reply.headers.first(name: "X-Content-Type-Options")?.lowercased() == "nosniff"
        }
        return reply.type == endpoint.answer.rawValue || reply.body.isEmpty
    }

    /// An answer that no server gives: finds out what gave it.
    private func stranger(_ reply: Reply, _ endpoint: Endpoint) async throws(APIError) -> APIError {
        let sign: APIError.Sign = (300..<400).contains(reply.status) ? .redirect : .type
        // No server has shown its marker on this network, or something else did so.
        guard isServerKnown else { return .loginPage(sign) }
        isServerKnown = false
        try await checkServer()
        return .decoding
    }

    private func refusal(_ reply: Reply) -> APIError {
        let seconds = reply.headers.first(name: "Retry-After").flatMap { Int64($0) }
        let detail = (try? Self.decode(RefusalAnswer.self, reply.body))?.error
        let code = Refusal(detail?.code ?? "http", words: detail?.message)
        if code == "removed" { evidence = detail?.controls?.prefix(Limits.mailboxControlsMax).map { Array($0) } ?? [] }
        return .http(
            status: reply.status, code: code,
            retryAfter: seconds.map { .seconds(min(max($0, 0), 86_400)) })
    }

    /// Removes and returns the events with which a server justified `removed`.
    func drainEvidence() -> [[UInt8]] {
        defer { evidence = [] }
        return evidence
    }

    static func decode<Answer: Decodable>(_ type: Answer.Type, _ bytes: [UInt8]) throws(APIError) -> Answer {
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch { throw .decoding }
    }
}

// Tokens.
extension APIClient {
    private func token(for access: Endpoint.Access) async throws(APIError) -> String? {
        switch access {
        case .open: return nil
        case .account:
            guard let tokens = await account else { throw .unauthenticated }
            return tokens.access
        case .member(let pass):
            if let token = memberTokens[pass.member], token.endsAt - now() > Self.tokenReserve { return token.text }
            return try await memberToken(pass, controls: nil)
        }
    }

    /// A token other than the refused one.
    private func renewed(_ old: String, for access: Endpoint.Access) async throws(APIError) -> String? {
        switch access {
        case .open: return nil
        case .account: return try await refresh(old)
        case .member(let pass):
            memberTokens[pass.member] = nil
            return try await memberToken(pass, controls: nil)
        }
    }

    /// The account that is logged in at this server.
    package var account: AccountTokens? {
        get async {
            guard let kept = await tokens.tokens(), kept.base == base.description else { return nil }
            return kept
        }
    }

    /// Several requests that were refused together wait for one new token.
    private func refresh(_ old: String) async throws(APIError) -> String {
        if let refreshing { return try await refreshing.value.get() }
        guard let kept = await account else { throw .unauthenticated }
        // Another request has renewed the token already.
        if kept.access != old { return kept.access }
        if let refreshing { return try await refreshing.value.get() }
        let task = Task { await self.buyTokens(kept) }
        refreshing = task
        let result = await task.value
        refreshing = nil
        return try result.get()
    }

    private func buyTokens(_ kept: AccountTokens) async -> Result<String, APIError> {
        guard let refresh = kept.refresh else { return .failure(.unauthenticated) }
        do {
            let answer = try Self.decode(TokenAnswer.self, try await repeating(.refresh(refresh), nil).body)
            await keep(answer, account: kept.account, before: refresh)
            return .success(answer.accessToken)
        } catch .http(400..<500, _, nil) {
            // The session is over, and cannot be renewed.
            await tokens.keep(nil)
            return .failure(.unauthenticated)
        } catch {
            return .failure(error)
        }
    }

    /// Asks the server to send a code. The answer is the same whether the server knows the phone or not.
    package func requestCode(phone: String) async throws(APIError) {
        _ = try await reply(to: .requestCode(phone: phone))
    }

    /// Logs in with a phone and the code that the server sent there.
    package func logIn(phone: String, code: String, secondFactor: String? = nil) async throws(APIError) {
        try await logIn(.verify(phone: phone, code: code, secondFactor: secondFactor), account: phone)
    }

    /// Logs in with an account that has an e-mail address and a password.
    package func logIn(email: String, password: String, secondFactor: String? = nil) async throws(APIError) {
        try await logIn(.login(email: email, password: password, secondFactor: secondFactor), account: email)
    }

    private func logIn(_ endpoint: Endpoint, account: String) async throws(APIError) {
        let answer = try await request(TokenAnswer.self, endpoint)
        await keep(answer, account: account, before: nil)
        tied = [:]
    }

    private func keep(_ answer: TokenAnswer, account: String, before: String?) async {
        await tokens.keep(
            AccountTokens(
                access: answer.accessToken, refresh: answer.refreshToken ?? before, account: account,
                base: base.description))
    }

    /// Ends the session here, whatever the server answers.
    package func logOut() async throws(APIError) {
        guard let kept = await account else { throw .unauthenticated }
        var problem: APIError?
        do { _ = try await reply(to: .logout(kept.refresh ?? "")) } catch { problem = error }
        await tokens.keep(nil)
        // A session that is over already counts as ended.
        if let problem, problem != .unauthenticated { throw problem }
    }
}

// Members.
extension APIClient {
    /// - Parameter controls: for a server that does not know the member yet.
    /// - Throws: `.http` with `unknown-group`, `unknown-member`, `removed`, `bad-proof`.
    func memberToken(_ pass: MemberPass, controls: [[UInt8]]?) async throws(APIError) -> String {
        let proof = try await proof(of: pass, for: .auth)
        let endpoint = Endpoint.memberToken(
            MemberRequest(
                groupId: pass.tour.hex, memberId: pass.member.hex, nonce: proof.nonce, signature: proof.signature,
                controls: controls?.map { Data($0) }))
        let answer = try Self.decode(TokenAnswer.self, try await repeating(endpoint, nil).body)
        let life = Duration.seconds(min(max(answer.expiresIn, 0), 86_400))
        memberTokens[pass.member] = MemberToken(text: answer.accessToken, endsAt: now() + life)
        return answer.accessToken
    }

    /// A signature over a nonce that the server has just made.
    func proof(
        of pass: MemberPass, for purpose: MailboxProof.Purpose
    ) async throws(APIError) -> (nonce: String, signature: Data) {
        try await checkServer()
        let nonce = try Self.decode(NonceAnswer.self, try await repeating(.nonce, nil).body).nonce
        guard (16...128).contains(nonce.utf8.count), nonce.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .decoding
        }
        return (nonce, Data(pass.signature(for: purpose, host: base.host, nonce: nonce)))
    }

    func isTied(_ member: MemberID, to account: String) -> Bool { tied[member] == account }

    /// Asked again only after the next login or start of the node: a server may have forgotten.
    func recordTie(of member: MemberID, to account: String) { tied[member] = account }
}
