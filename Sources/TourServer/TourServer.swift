import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServerAccounts
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServiceLifecycle
import TourTLS

/// The server as one service: database, routes and socket start together and shut down in order.
package struct TourServer: Service {
    private let settings: ServerSettings
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let reloads: AsyncStream<Void>
    private let onReady: @Sendable (ServedPorts) async -> Void

    /// - Parameter now: microseconds since 1970.
    /// - Parameter reloads: an element for each time that the operator asks to read renewed files.
    /// - Parameter onReady: receives the ports once the server listens.
    package init(
        settings: ServerSettings, logger: Logger, now: @escaping @Sendable () -> Int64 = WallClock.now,
        reloads: AsyncStream<Void> = AsyncStream { $0.finish() },
        onReady: @escaping @Sendable (_ ports: ServedPorts) async -> Void
    ) {
        self.settings = settings
        self.logger = logger
        self.now = now
        self.reloads = reloads
        self.onReady = onReady
    }

    /// Runs until graceful shutdown, which accepts no new connection and gives requests `ServerLimits.shutdownTime` to
    /// end.
    /// - Throws: a `Failure`, or the network's error when the server cannot listen.
    package func run() async throws {
        let door = try OpenedServer(settings: settings, logger: logger)
        let isAlone = try await door.storage.beginServing()
        let taken = try await door.storage.migrate()
        if !taken.isEmpty { logger.notice("database migrated", metadata: ["steps": "\(taken)"]) }
        do throws(Failure) {
            _ = try await door.blobs.roomLeft()
        } catch {
            // A service that is away comes back; wrong credentials do not mend themselves.
            guard error.retryAfter != nil else { throw error }
            logger.error("blobs are out of reach", metadata: ["cause": "\(error)"])
        }
        if isAlone {
            try await Idempotency(storage: door.storage, secret: try ServerSecret(directory: door.directory))
                .forgetUnended()
        }
        let passwords = try PasswordHasher(cost: settings.passwordCost)
        let outcome: Result<Void, any Error>
        do {
            var outside: OutsideIssuer?
            if let issuer = settings.issuer {
                outside = try await OutsideIssuer(settings: issuer, now: now(), logger: logger)
            }
            let parts = try ServerParts(
                storage: door.storage, directory: door.directory, bytes: door.blobs, passwords: passwords,
                sms: sender(),
                mail: try settings.mail.map { try SMTPSender(settings: $0) } ?? LogMailer(logger: logger),
                outside: outside, rules: settings.rules, logger: logger, served: settings.served,
                liveSilence: settings.patience.live, now: now)
            try await parts.requests.rates.load()
            try await parts.files.countRoom()
            parts.notebooks.tell(logger)
            outcome = .success(try await serve(parts, of: door))
        } catch {
            outcome = .failure(error)
        }
        await passwords.stop()
        try await door.storage.close()
        try outcome.get()
    }

    private func serve(_ parts: ServerParts, of door: OpenedServer) async throws {
        guard let files = settings.tls else { return try await serve(parts, of: door, by: nil) }
        let group = MultiThreadedEventLoopGroup.singleton
        let certificate = try await ServedCertificate.start(files, group: group, requests: reloads, logger: logger)
        let outcome: Result<Void, any Error>
        do {
            await parts.readiness.watch(certificate.stunnel)
            outcome = .success(try await serve(parts, of: door, by: certificate))
        } catch {
            outcome = .failure(error)
        }
        await certificate.stunnel.stop()
        try outcome.get()
    }

    private func serve(_ parts: ServerParts, of door: OpenedServer, by certificate: ServedCertificate?) async throws {
        var quiet = logger
        quiet.logLevel = .error
        let own = settings.operatorListener.map { listener in
            OperatorListener(
                listener, routes: OperatorRoutes(parts: parts, connectionsMax: settings.connectionsMax).ownRoutes,
                parts: parts.requests, patience: settings.patience, logger: quiet)
        }
        let page = settings.adminPage.map { page in
            OperatorListener(
                page.listener, routes: AdminRoutes(page, door: door, parts: parts, settings: settings).routes,
                parts: parts.requests, patience: settings.patience, logger: quiet)
        }
        defer { PageAddress.forget(in: door.directory) }
        let routes = OperatorRoutes.beside(listener: settings.operatorListener, parts.routes)
        let application = Application(
            responder: Pipeline(
                parts: parts.requests, routes: routes, isBehindProxy: settings.isBehindProxy,
                bodyTimeout: settings.patience.body, origins: settings.origins),
            server: channels(certificate?.stunnel, parts.requests.metrics),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "tour-server",
                availableConnectionsDelegate: .maximum(settings.connectionsMax, logger: quiet)),
            onServerRunning: { [onReady, settings, logger] channel in
                let ports = ServedPorts(
                    port: channel.localAddress?.port ?? 0, operatorPort: await own?.port(),
                    adminPort: await page?.port())
                if let page = settings.adminPage, let port = ports.adminPort {
                    PageAddress(page, port: port).write(in: door.directory, logger: logger)
                }
                await onReady(ports)
            }, logger: quiet)
        let notice = EndNotice(
            readiness: parts.readiness, requests: parts.requests, patience: settings.patience.farewell)
        var services: [any Service] = [
            Sweeper(parts: parts, keepTours: settings.rules.keepTours), parts.requests.rates,
        ]
        if let queue = parts.requests.mailQueue { services.append(queue) }
        if let certificate { services.append(certificate) }
        services += [own, page].compactMap { $0 }
        services += [application, notice] as [any Service]
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, logger: quiet)
        configuration.maximumGracefulShutdownDuration = ServerLimits.shutdownTime
        try await ServiceGroup(configuration: configuration).run()
    }

    private func channels(
        _ stunnel: Stunnel?, _ metrics: ServerMetrics
    ) -> HTTPServerBuilder {
        let (head, idle) = (settings.patience.head, settings.patience.idle)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionTimer(headTimeout: head, idleTimeout: idle)],
            idleTimeout: TimeAmount(idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: ServerLimits.headerBytesMax, maxHeaderListSize: ServerLimits.headerBytesMax,
                maxHeaderFieldCount: ServerLimits.headersMax))
        // Behind a proxy all connections are the proxy's, which limits its clients itself.
        let perAddress = ServerLimits.connectionsPerAddress(of: settings.connectionsMax)
        let connections = Connections(
            perAddressMax: settings.isBehindProxy ? settings.connectionsMax : perAddress, metrics: metrics)
        return HTTPServerBuilder { responder -> any ServerChildChannel in
            let http = MeasuredChannel(
                base: HTTP1Channel(responder: responder, configuration: configuration), metrics: metrics)
            guard let stunnel else { return CountedChannel(base: http, connections: connections) }
            return CountedChannel(
                base: SecuredChannel(http, by: stunnel, handshakeTime: TimeAmount(head)), connections: connections)
        }
    }

    private func sender() throws(Failure) -> any SMSSender {
        switch settings.sms {
        case .log: LogSender(logger: logger)
        case .twilio(let settings): try TwilioSender(settings: settings)
        case .gammu(let outbox): GammuSender(outbox: outbox)
        }
    }
}
