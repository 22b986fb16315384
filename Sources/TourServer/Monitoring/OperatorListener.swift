import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServerBase
import ServerRequests
import ServiceLifecycle

/// The ports that a server has.
package struct ServedPorts: Hashable, Sendable {
    /// Of all clients.
    package let port: Int
    /// Of the operator's listener; nil: there is none.
    package let operatorPort: Int?
    /// Of the operator's page; nil: there is none.
    package let adminPort: Int?
}

/// Listens for the operator at an address of its own, where no other route is.
struct OperatorListener: Service {
    private let listener: ServerSettings.Listener
    private let pipeline: Pipeline
    private let logger: Logger
    private let patience: ServerSettings.Patience
    private let ports: AsyncStream<Int>
    private let found: AsyncStream<Int>.Continuation

    init(
        _ listener: ServerSettings.Listener, routes: [Route], parts: RequestParts, patience: ServerSettings.Patience,
        logger: Logger
    ) {
        self.listener = listener
        self.patience = patience
        self.logger = logger
        // No proxy of clients leads here.
        pipeline = Pipeline(
            parts: parts, routes: routes, isBehindProxy: false, bodyTimeout: patience.body, isOperators: true)
        (ports, found) = AsyncStream<Int>.makeStream()
    }

    /// Waits until it listens, for one caller.
    /// - Returns: the port; nil where the server ends first.
    func port() async -> Int? { await ports.first { _ in true } }

    func run() async throws {
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionTimer(headTimeout: patience.head, idleTimeout: patience.idle)
            ], idleTimeout: TimeAmount(patience.idle))
        let application = Application(
            responder: pipeline,
            server: HTTPServerBuilder { HTTP1Channel(responder: $0, configuration: configuration) },
            configuration: ApplicationConfiguration(
                address: .hostname(listener.host, port: listener.port), serverName: "tour-server",
                availableConnectionsDelegate: .maximum(ServerLimits.operatorConnectionsMax, logger: logger)),
            onServerRunning: { [found] channel in found.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        defer { found.finish() }
        try await application.run()
    }
}

/// Ends first of all services, so that a proxy learns at once that the server is ending, and loses nothing that it has
/// sent meanwhile.
struct EndNotice: Service {
    let readiness: Readiness
    let requests: RequestParts
    /// How long clients have to come to the end of their connections.
    let patience: Duration

    func run() async throws {
        try? await gracefulShutdown()
        await readiness.end()
        requests.farewell.begin()
        let end = ContinuousClock.now + patience
        while requests.metrics.openConnections > 0, ContinuousClock.now < end {
            try await Task.sleep(for: ServerLimits.farewellInterval)
        }
    }
}
