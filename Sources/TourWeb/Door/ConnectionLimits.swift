import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization
import TourModel
import TourTLS
import TourTransport
import TourWords

/// Guards one listening socket of the local API: which connections have a place there, and which must go. All of its
/// connections live on one event loop.
final class ConnectionLimits: Sendable {
    private struct State {
        var places: DoorPlaces<ObjectIdentifier>
        var channels = [ObjectIdentifier: any Channel]()
        /// A timer for what is overdue is set.
        var isWatching = false
        var listener: (any Channel)?
        /// Whether anybody is taken.
        var isOpen = true
    }

    /// How late an end may be.
    private static let watchPause: Duration = .seconds(1)

    private let state: Mutex<State>
    private let bounds: DoorBounds
    private let surfaces: ClientSurfaces
    /// The header fields of an answer given here.
    private let headers: HTTPFields
    private let showsSecret: @Sendable (HTTPRequest, any Channel) -> Bool
    private let partyOf: @Sendable (any Channel) -> DoorParty

    /// - Parameters:
    ///   - headers: of the answer to a client that gets no place.
    ///   - partyOf: whose a new connection is.
    ///   - showsSecret: whether such a request over this connection proves that its client is to be admitted.
    init(
        _ bounds: DoorBounds, _ surfaces: ClientSurfaces, headers: HTTPFields,
        partyOf: @escaping @Sendable (any Channel) -> DoorParty = { _ in .everybody },
        showsSecret: @escaping @Sendable (HTTPRequest, any Channel) -> Bool
    ) {
        state = Mutex(State(places: DoorPlaces(bounds)))
        self.bounds = bounds
        self.surfaces = surfaces
        self.headers = headers
        self.partyOf = partyOf
        self.showsSecret = showsSecret
    }

    var server: HTTPServerBuilder { .http1(configuration: configuration) }

    /// The same by TLS: a connection counts from its beginning, whether or not its client ever speaks TLS.
    func server(behind stunnel: Stunnel) -> HTTPServerBuilder {
        HTTPServerBuilder { [self] responder in
            KeptChannel(
                base: SecuredChannel(HTTP1Channel(responder: responder, configuration: configuration), by: stunnel),
                keeper: self)
        }
    }

    private var configuration: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [DoorHandler(self)], idleTimeout: bounds.idleTime.map { TimeAmount($0) })
    }

    /// From here on the keeper copes with more connections than it has places for.
    func keep(_ listener: any Channel) async {
        state.withLock { $0.listener = listener }
        // The listener is closing: no connection arrives any more.
        try? await AcceptPause.add(to: listener)
    }

    /// From here on connections are taken, or closed as they come.
    func setOpen(_ isOpen: Bool) {
        let leaving = state.withLock { state in
            state.isOpen = isOpen
            return isOpen ? [] : Array(state.channels.values)
        }
        for channel in leaving { channel.close(promise: nil) }
    }

    fileprivate func opened(_ channel: any Channel) {
        guard state.withLock({ $0.isOpen }) else { return channel.close(promise: nil) }
        let party = partyOf(channel)
        let (leaving, pause) = state.withLock { state -> ((any Channel)?, Duration?) in
            let leaving = state.places.opened(ObjectIdentifier(channel), by: party, now: .now)
            state.channels[ObjectIdentifier(channel)] = channel
            guard let leaving else { return (nil, nil) }
            let (stay, pause) =
                leaving.isOfShare
                ? (DoorLimits.shareFloodStay, DoorLimits.shareFloodPause) : (bounds.floodPause, bounds.floodPause)
            return (state.channels.removeValue(forKey: leaving.id), leaving.stay < stay ? pause : nil)
        }
        leaving?.close(promise: nil)
        if let pause, let listener = state.withLock({ $0.listener }) { AcceptPause.pause(listener, for: pause) }
        watch(on: channel.eventLoop)
    }

    /// - Returns: the answer to a client for which there is no place.
    fileprivate func began(_ head: HTTPRequest, on channel: any Channel) -> (HTTPResponse, ByteBuffer)? {
        let isShown = showsSecret(head, channel)
        let (verdict, leaving) = state.withLock { state in
            let verdict = state.places.began(ObjectIdentifier(channel), showsSecret: isShown, now: .now)
            guard case .admittedFor(let id) = verdict else { return (verdict, (any Channel)?.none) }
            return (verdict, state.channels.removeValue(forKey: id))
        }
        leaving?.close(promise: nil)
        return verdict == .refused ? refusal(of: head) : nil
    }

    fileprivate func asked(_ channel: any Channel) {
        state.withLock { $0.places.asked(ObjectIdentifier(channel)) }
    }

    fileprivate func answered(_ channel: any Channel) {
        state.withLock { $0.places.answered(ObjectIdentifier(channel), now: .now) }
        watch(on: channel.eventLoop)
    }

    /// A part of an answer goes to the connection, which has accepted it when this ends.
    fileprivate func wrote(_ channel: any Channel, _ part: EventLoopFuture<Void>) {
        guard bounds.answerTime != nil else { return }
        let id = ObjectIdentifier(channel)
        state.withLock { $0.places.wrote(id, now: .now) }
        part.whenComplete { [weak self] _ in self?.state.withLock { $0.places.took(id, now: .now) } }
        watch(on: channel.eventLoop)
    }

    fileprivate func closed(_ channel: any Channel) {
        state.withLock { state in
            state.places.closed(ObjectIdentifier(channel))
            state.channels[ObjectIdentifier(channel)] = nil
        }
    }

    /// The request that came over this connection is a seat's.
    func belongs(_ channel: any Channel, to seat: String) {
        let leaving = state.withLock { state in
            state.places.belongs(ObjectIdentifier(channel), to: seat).flatMap { state.channels.removeValue(forKey: $0) }
        }
        leaving?.close(promise: nil)
    }

    /// Seats have ended: closes what they hold.
    /// - Parameter isKnown: whether an address is still that of a guest.
    func ended(_ seats: Set<String>, isKnown: @escaping @Sendable (String) -> Bool) {
        let gone = state.withLock { state in
            state.places.ended(seats, isKnown: isKnown).compactMap { state.channels.removeValue(forKey: $0) }
        }
        for channel in gone { channel.close(promise: nil) }
    }

    /// Closes connections that make us wait, now and as long as there may be any.
    private func watch(on loop: any EventLoop) {
        let (gone, next) = state.withLock { state -> ([any Channel], ContinuousClock.Instant?) in
            guard !state.isWatching else { return ([], nil) }
            let (gone, next) = state.places.overdue(now: .now)
            state.isWatching = next != nil
            return (gone.compactMap { state.channels.removeValue(forKey: $0) }, next)
        }
        for channel in gone { channel.close(promise: nil) }
        guard let next else { return }
        // What is awaited from now on may be due before that.
        let pause = min(ContinuousClock.now.duration(to: next), Self.watchPause)
        loop.scheduleTask(in: TimeAmount(pause)) { [weak self] in
            self?.state.withLock { $0.isWatching = false }
            self?.watch(on: loop)
        }
    }

    private func refusal(of head: HTTPRequest) -> (HTTPResponse, ByteBuffer) {
        let full = WebError(
            "busy",
            Phrase("Too many requests are open at this node: close pages or programs that follow it, and try again."))
        let body = ByteBuffer(bytes: Answer.refusal(full, for: surfaces.reader(of: head.headerFields)))
        var fields = headers
        fields[.contentType] = "application/json"
        fields[.contentLength] = String(body.readableBytes)
        fields[.connection] = "close"
        return (HTTPResponse(status: .serviceUnavailable, headerFields: fields), body)
    }
}

/// A connection by TLS, which the keeper has from its beginning.
private struct KeptChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let keeper: ConnectionLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        keeper.opened(channel)
        channel.closeFuture.whenComplete { [keeper] _ in keeper.closed(channel) }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Reports the events of one connection to the keeper; by TLS, those of its requests.
private final class DoorHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let keeper: ConnectionLimits
    private var isRefused = false

    init(_ keeper: ConnectionLimits) { self.keeper = keeper }

    func handlerAdded(context: ChannelHandlerContext) {
        let client = context.channel.ofClient
        if client === context.channel { keeper.opened(client) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        let client = context.channel.ofClient
        if client === context.channel { keeper.closed(client) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let (answer, body) = keeper.began(head, on: context.channel.ofClient) {
                return refuse(answer, body, context)
            }
        case .body: break
        case .end: keeper.asked(context.channel.ofClient)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let client = context.channel.ofClient
        if case .end = unwrapOutboundIn(data) { keeper.answered(client) }
        let part = promise ?? context.eventLoop.makePromise()
        keeper.wrote(client, part.futureResult)
        context.write(data, promise: part)
    }

    private func refuse(_ answer: HTTPResponse, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        isRefused = true
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}
