import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerBase
import TourCrypto
import TourGzip
import TourModel
import TourTLS

/// The stages of a request: route, bans, rates, caller, body, idempotency, handler, answer, log. Every error becomes
/// one of the contract's.
package struct Pipeline: HTTPResponder {
    /// The connection that a request came on.
    package struct Context: InitializableFromSource {
        let channel: any Channel
        package init(source: ApplicationRequestContextSource) { channel = source.channel }
    }

    private let parts: RequestParts
    private let table: RouteTable
    private let idempotency: Idempotency
    /// Whether a proxy names the client. See `ClientAddress`.
    private let isBehindProxy: Bool
    /// Whose pages may call the server from a browser.
    private let origins: AllowedOrigins
    /// How long the body of a request may take.
    private let bodyTimeout: Duration
    /// At a listener of the operator's own no ban holds, and what clients do elsewhere counts for nothing: an attack is
    /// when the operator has to come in. No client's token says anything there.
    private let isOperators: Bool

    package init(
        parts: RequestParts, routes: [Route], isBehindProxy: Bool, bodyTimeout: Duration,
        origins: AllowedOrigins = AllowedOrigins(), isOperators: Bool = false
    ) {
        self.origins = origins
        self.isOperators = isOperators
        self.parts = parts
        self.isBehindProxy = isBehindProxy
        self.bodyTimeout = bodyTimeout
        table = RouteTable(routes)
        idempotency = Idempotency(storage: parts.storage, secret: parts.secret)
    }

    /// The facts that the head of a request tells.
    private struct Arrival {
        let id: String
        let now: Int64
        /// As rate limits count it.
        let address: String
        /// As bans name it; nil where it cannot be read.
        let client: IPNetwork?
        let language: Language
        /// Whether the client accepts gzip.
        let takesGzip: Bool
    }

    /// Takes a request through all stages. It never throws.
    package func respond(to request: Request, context: Context) async throws -> Response {
        let begun = ContinuousClock.now
        let address = ClientAddress.address(
            of: request.head, from: context.channel.ofClient.remoteAddress, isBehindProxy: isBehindProxy)
        let arrival = Arrival(
            id: Hex.encode(Randomness.bytes(8)), now: parts.now(),
            address: address.map(ClientAddress.name(of:)) ?? ClientAddress.unknown,
            client: address?.ipAddress.flatMap { IPNetwork($0) },
            language: Language(accepting: request.headers[.acceptLanguage]),
            takesGzip: Gzip.isTaken(by: request.headers[.acceptEncoding]))
        parts.metrics.begin()
        var response: Response
        // An answer that its handler still writes may take long.
        var isWhole = true
        var route: Route?
        var cause: String?
        do throws(Failure) {
            if let asked = origins.preflight(request.head) {
                try await admit(arrival)
                response = asked
            } else {
                let match = try find(request.head)
                route = match.route
                // Monitoring programs may be older than the Host header.
                // Source: RFC 9112, section 3.2.
                guard request.head.authority != nil || match.route.isProbe else {
                    throw Failure(.badRequest)
                }
                (response, isWhole) = try await answer(match, request, arrival)
            }
        } catch {
            response = error.response(in: arrival.language)
            cause = error.cause
            if let limit = error.limit { parts.metrics.countRefusal(by: limit) }
            if Self.leavesBody(request.head, error) {
                // Tells the client to send no further request on a connection that is about to close.
                // Source: RFC 9112, section 9.6.
                response.headers[.connection] = "close"
                Self.closeSoon(context.channel)
            }
        }
        response.headers[.requestID] = arrival.id
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        origins.mark(&response.headers, for: request.head)
        if parts.farewell.isBegun {
            response.headers[.connection] = "close"
            // A longer one may take more than a second: the client closes the connection behind it.
            if isWhole, response.body.contentLength.map({ $0 <= ServerLimits.jsonBytesMax }) == true {
                Self.closeSoon(context.channel)
            }
        }
        let seconds = Double((ContinuousClock.now - begun).microseconds) / 1_000_000
        report(request.head, route, response.status, seconds, cause, id: arrival.id)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func find(_ head: HTTPRequest) throws(Failure) -> RouteTable.Match {
        let target = head.path ?? "/"
        guard target.utf8.count <= ServerLimits.addressBytesMax else { throw Failure(.addressTooLong) }
        return try table.match(head.method, String(target.prefix { $0 != "?" }))
    }

    /// A response, and whether its whole body is in memory.
    private typealias Said = (response: Response, isWhole: Bool)

    private func answer(
        _ match: RouteTable.Match, _ request: Request, _ arrival: Arrival
    ) async throws(Failure) -> Said {
        let route = match.route
        if !route.isProbe, !isOperators { try await admit(arrival, route.limits) }
        let caller = isOperators ? nil : try await caller(of: request, for: route, arrival)
        try await check(caller, route, arrival)
        // At the operator's a browser adds a cookie of its own accord.
        let isStrict = isOperators || origins.isForeign(request.head, to: parts.served)
        let body = try await BodyReader.read(request, as: route.body, isStrict: isStrict, within: bodyTimeout)
        var call = Call(
            id: arrival.id, head: request.head, parameters: match.parameters, body: body,
            stream: request.body, account: caller?.account, member: caller?.member, address: arrival.address,
            client: arrival.client, language: arrival.language, now: arrival.now)
        guard route.keepsAnswers, let key = request.headers[.idempotencyKey] else {
            return try await response(to: try await handle(call, route), arrival)
        }
        let place = try Idempotency.Place(key: key, call: call)
        call.keeper = AnswerKeeper(place: place, secret: parts.secret, isRepeatable: route.method != .post)
        return try await once(place, call, route, arrival)
    }

    /// - Throws: `banned`; `tooManyRequests`.
    private func admit(_ arrival: Arrival, _ limits: [RateLimit] = []) async throws(Failure) {
        await parts.bans.renew(now: arrival.now)
        try parts.bans.refuse(client: arrival.client, now: arrival.now)
        let limits = ([.perAddress] + limits).flatMap { $0.at(arrival.address) }
        try await parts.rates.count(limits, now: arrival.now)
    }

    /// On an open route a token of a disabled or banned account is as good as none: another account may log in.
    /// - Throws: `accountDisabled`; `banned`.
    private func caller(
        of request: Request, for route: Route, _ arrival: Arrival
    ) async throws(Failure) -> Caller? {
        do throws(Failure) {
            return try await parts.authenticator.caller(request.headers[.authorization], now: arrival.now)
        } catch {
            guard [.accountDisabled, .banned].contains(error.code), route.access == .open else { throw error }
            return nil
        }
    }

    /// Checks whether the caller may use the route, and counts the request.
    private func check(_ caller: Caller?, _ route: Route, _ arrival: Arrival) async throws(Failure) {
        switch route.access {
        case .open: break
        case .member: guard caller != nil else { throw Failure(.unauthenticated) }
        case .account: guard caller?.account != nil else { throw Failure(.unauthenticated) }
        case .role(let role):
            guard let account = caller?.account else { throw Failure(.unauthenticated) }
            try account.require(role, or: .forbidden)
        }
        guard let caller, !route.isProbe else { return }
        try await parts.rates.count([.perAccount], for: caller.name, now: arrival.now)
    }

    private func once(
        _ place: Idempotency.Place, _ call: Call, _ route: Route, _ arrival: Arrival
    ) async throws(Failure) -> Said {
        if case .answered(let answer) = try await idempotency.begin(place, now: call.now) {
            var said = try await response(to: answer, arrival)
            said.response.headers[.idempotencyReplayed] = "true"
            return said
        }
        let answer: Answer
        do {
            answer = try await handle(call, route)
        } catch {
            try await idempotency.forget(place)
            throw error
        }
        if !answer.isKept { try await idempotency.keep(answer, at: place) }
        return try await response(to: answer, arrival)
    }

    private func handle(_ call: Call, _ route: Route) async throws(Failure) -> Answer {
        guard route.isHeavy else { return try await route.handler(call) }
        return try await parts.heavy.run(for: call.callerName) { () async throws(Failure) in
            try await route.handler(call)
        }
    }

    private func response(to answer: Answer, _ arrival: Arrival) async throws(Failure) -> Said {
        switch answer.content {
        case .session(let ticket):
            let body = try parts.authenticator.body(ticket, now: arrival.now)
            return (try Answer.json(body, status: answer.status).response, true)
        case .none, .bytes: return (answer.response(takesGzip: arrival.takesGzip), true)
        case .file, .events, .pieces: return (answer.response(takesGzip: arrival.takesGzip), false)
        }
    }

    /// Writes one line to the log: no body, token, address or number.
    private func report(
        _ head: HTTPRequest, _ route: Route?, _ status: HTTPResponse.Status, _ seconds: Double, _ cause: String?,
        id: String
    ) {
        let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
        let method = known.contains(head.method) ? head.method.rawValue : "-"
        let path = route?.path ?? "-"
        parts.metrics.end(method: method, route: path, status: status.code, seconds: seconds)
        var metadata: Logger.Metadata = [
            "request": "\(id)", "method": "\(method)", "route": "\(path)", "status": "\(status.code)",
            "milliseconds": "\(Int(seconds * 1_000))",
        ]
        if let cause { metadata["cause"] = "\(cause)" }
        parts.logger.log(level: status.code >= 500 ? .error : .info, "request", metadata: metadata)
    }

    /// Whether the client may still be sending a body that nobody reads.
    private static func leavesBody(_ head: HTTPRequest, _ failure: Failure) -> Bool {
        if failure.code == .tooLarge || failure.code == .timeout { return true }
        let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
        return length > ServerLimits.jsonBytesMax || head.headerFields[.transferEncoding] != nil
    }

    /// Closes the connection after a second, in which the answer reaches the client; the server would otherwise read
    /// the whole body.
    private static func closeSoon(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}
