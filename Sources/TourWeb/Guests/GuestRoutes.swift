import HTTPTypes
import Hummingbird
import NIOCore
import TourCrypto
import TourModel
import TourNode
import TourPresentation
import TourTLS
import TourWords

/// A request at the door for guests, with the connection over which it came.
struct GuestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The phone's connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel.ofClient
    }

    /// Where the phone reaches us.
    var place: String { GuestAddress.authority(of: channel.localAddress) }
}

/// Everything that the door for guests answers: the guest page's files, the sealed channel, and what phones ask a
/// network that they enter. Nothing of the owner's API is here.
struct GuestRoutes: Sendable {
    let door: GuestDoor
    /// Of the port.
    let keeper: ConnectionLimits
    /// By their paths.
    let files: [String: PageFile]
    /// Whether its connections are TLS.
    let isSecure: Bool

    /// The beginning of the paths of the channel.
    static let channel = "/seat/"
    /// Opens a channel for somebody who typed the address.
    static let byDigits = channel + "hello-by-digits"

    var router: Router<GuestContext> {
        let router = Router(context: GuestContext.self)
        router.add(middleware: GuestHeaders())
        router.add(middleware: GuestGate(door: door, isSecure: isSecure))
        let channel = router.group("seat")
        channel.post("hello") { request, context in try await hello(request, context, isKeyless: false) }
        channel.post("hello-by-digits") { request, context in try await hello(request, context, isKeyless: true) }
        channel.post("ask") { request, context in try await ask(request, context) }
        channel.post("news") { request, context in try await news(request, context) }
        for path in ["hello", "ask", "news"] {
            channel.on(RouterPath(path), method: .options) { _, _ in Response(status: .noContent) }
        }
        router.get("/") { request, _ in try file("index.html", for: request) }
        // Asked for by browsers beside a file that names no icon.
        router.on("favicon.ico", method: .get) { _, _ in Response(status: .noContent) }
        router.get("**") { request, _ in try file(String(request.uri.path.dropFirst()), for: request) }
        return router
    }

    /// Looks up the path literally: there is no folder on the disk that it could lead out of.
    private func file(_ path: String, for request: Request) throws -> Response {
        guard let file = files[path] else { throw HTTPError(.notFound) }
        return file.answer(to: request)
    }

    private func hello(_ request: Request, _ context: GuestContext, isKeyless: Bool) async throws -> Response {
        let hello = try await bytes(of: request, context, most: SeatChannel.helloBytes)
        switch try await door.greet(hello, from: door.party(of: context.channel), isKeyless: isKeyless) {
        case .answered(let answer): return Self.sealed(answer)
        case .malformed: throw HTTPError(.badRequest)
        case .tooMany: throw HTTPError(.tooManyRequests)
        }
    }

    private func ask(_ request: Request, _ context: GuestContext) async throws -> Response {
        let sealed = try await self.sealed(request, context)
        let (asked, channel) = try open(sealed, context)
        let address = door.party(of: context.channel)
        let answer = await door.answer(asked, channel, to: sealed, from: address, language: request.language)
        guard let answer else { throw HTTPError(.notFound) }
        return Self.sealed(answer)
    }

    /// From the request on that has shown it, the connection is the seat's.
    private func open(
        _ sealed: SealedRequest, _ context: GuestContext
    ) throws -> (plaintext: [UInt8], channel: SeatChannel) {
        guard let opened = door.open(sealed) else { throw HTTPError(.notFound) }
        if case .seat(let seat) = door.owner(of: sealed.session) { keeper.belongs(context.channel, to: seat) }
        return opened
    }

    private func news(_ request: Request, _ context: GuestContext) async throws -> Response {
        let sealed = try await self.sealed(request, context)
        let (_, channel) = try open(sealed, context)
        let news = GuestNews(door: door, sealed: sealed, channel: channel, connection: context.channel)
        let reader = door.reader(of: sealed.session, or: request.language)
        // A phone that has gone is noticed when nothing of what was sent is acknowledged.
        context.channel.setOption(.unacknowledgedTime, value: GuestLimits.silenceMilliseconds).whenFailure { _ in }
        return Response(
            status: .ok, headers: Self.fields,
            body: ResponseBody { writer in
                try await reader.answered { try await news.write(&writer) }
                try await writer.finish(nil)
            })
    }

    private static let fields: HTTPFields = [.contentType: "application/octet-stream", .cacheControl: "no-store"]

    private static func sealed(_ bytes: [UInt8]) -> Response {
        Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    // MARK: - Bodies

    /// - Throws: `notFound` for a channel that is not known, before the rest of the request is read.
    private func sealed(_ request: Request, _ context: GuestContext) async throws -> SealedRequest {
        let all = try await bytes(of: request, context, most: GuestLimits.requestBytesMax) { door.owner(of: $0) }
        guard let sealed = SealedRequest(all) else { throw HTTPError(.notFound) }
        return sealed
    }

    /// The whole body, whose length is known before any of it is read. Room for it is made when it has named a channel
    /// that there is, which it has to do soon: nobody else can fill the memory.
    /// - Parameter owner: for whom a body that begins with these bytes counts; nil: it is not worth reading.
    private func bytes(
        of request: Request, _ context: GuestContext, most: Int, owner: (([UInt8]) -> GuestBodies.Owner?)? = nil
    ) async throws -> [UInt8] {
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length >= 0 else {
            throw HTTPError(.lengthRequired)
        }
        guard length <= most else { throw HTTPError(.contentTooLarge) }
        var wait = door.watch.begin(context.channel, for: GuestLimits.beginningTime)
        defer { door.watch.end(wait) }
        var payer: GuestBodies.Owner?
        defer { if let payer { door.free(length, for: payer) } }
        var all = [UInt8]()
        var hasBegun = false
        for try await part in request.body {
            guard all.count + part.readableBytes <= length else { throw HTTPError(.contentTooLarge) }
            all += part.readableBytesView
            guard !hasBegun, all.count >= SeatChannel.sessionBytes else { continue }
            hasBegun = true
            door.watch.end(wait)
            wait = door.watch.begin(context.channel)
            guard let owner else { continue }
            guard let found = owner(Array(all.prefix(SeatChannel.sessionBytes))) else { throw HTTPError(.notFound) }
            guard length > GuestLimits.shortBytesMax else { continue }
            guard door.reserve(length, for: found) else { throw HTTPError(.serviceUnavailable) }
            payer = found
            all.reserveCapacity(length)
        }
        return all
    }
}

/// What every answer of the door says to browsers: nothing is loaded from elsewhere, and no other page frames or reads
/// the guest page. The channel alone may be asked by pages of other hosts, which go on here; what is asked there is
/// sealed, and no browser adds anything to it by itself.
struct GuestHeaders: RouterMiddleware {
    typealias Context = GuestContext

    private static let farewell: TimeAmount = .seconds(2)

    func handle(
        _ request: Request, context: GuestContext, next: (Request, GuestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = Response(status: error.status)
            // The rest of a body that is not worth reading is not read: the browser learns why, and then goes.
            response.headers[.connection] = "close"
            if request.method == .post {
                context.channel.eventLoop.scheduleTask(in: Self.farewell) { context.channel.close(promise: nil) }
            }
        } catch {
            response = Response(status: .serviceUnavailable)
        }
        for field in HTTPFields.ofGuests where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        // No other page tries digits: only a person who typed this address does.
        guard request.uri.path.hasPrefix(GuestRoutes.channel), request.uri.path != GuestRoutes.byDigits else {
            return response
        }
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        guard request.method == .options else { return response }
        response.headers[.accessControlAllowMethods] = "POST"
        response.headers[.accessControlAllowHeaders] = "Content-Type"
        response.headers[.accessControlMaxAge] = "600"
        if request.headers[.accessControlRequestPrivateNetwork] == "true" {
            response.headers[.accessControlAllowPrivateNetwork] = "true"
        }
        return response
    }
}

/// Answers what phones ask a network that they enter, which they do by http alone, and refuses what names another host.
struct GuestGate: RouterMiddleware {
    typealias Context = GuestContext

    let door: GuestDoor
    let isSecure: Bool

    func handle(
        _ request: Request, context: GuestContext, next: (Request, GuestContext) async throws -> Response
    ) async throws -> Response {
        let place = context.place
        let host = request.head.authority
        let isOurs = GuestAddress.isOurs(host, door: place) || door.isNamed(host)
        if isSecure {
            guard isOurs else { throw HTTPError(.misdirectedRequest) }
            return try await next(request, context)
        }
        let phone = door.party(of: context.channel)
        let question = CaptivePortal.Question(
            request.method, request.head.path ?? "/", host: isOurs ? place : host, door: place, https: door.https,
            phone: phone, isGuest: door.hasGuest(at: phone), language: request.language)
        if let answer = door.captive(question) {
            var response = Response(
                status: answer.status, headers: answer.fields,
                body: request.method == .head
                    ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
            response.headers[.connection] = "close"
            return response
        }
        guard isOurs else { throw HTTPError(.misdirectedRequest) }
        return try await next(request, context)
    }
}

extension Request {
    fileprivate var language: Language { headers[.acceptLanguage].map { Language(acceptLanguage: $0) } ?? .english }
}

extension HTTPFields {
    static let ofGuests: Self = [
        .contentSecurityPolicy: """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src blob:; \
        connect-src *; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """,
        .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
        .referrerPolicy: "no-referrer", .cacheControl: "no-store",
    ]
}

extension HTTPField.Name {
    fileprivate static let accessControlRequestPrivateNetwork = Self("Access-Control-Request-Private-Network")!
    fileprivate static let accessControlAllowPrivateNetwork = Self("Access-Control-Allow-Private-Network")!
}

extension ChannelOption where Self == ChannelOptions.Types.SocketOption {
    /// How long sent bytes may go unacknowledged, in milliseconds, before the connection ends. Source: tcp(7),
    /// `TCP_USER_TIMEOUT`.
    fileprivate static var unacknowledgedTime: Self {
        ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: 18))
    }
}
