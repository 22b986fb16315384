import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import TourNode
import TourPresentation
import TourTLS
import TourWords

/// The door for guests by https: a port of its own beside the one for http, with the same channels, seats and bounds.
/// Stunnel does the TLS of its connections, which have a thread of their own: a flood of handshakes is not to hold up
/// the links of the node. Source: `Protocol/15-seats.md`, "By https".
final class SecureDoor: Sendable {
    private struct State {
        /// Where it listens; nil: it does not, or not yet.
        var port: Int?
        /// What was said last of where it is.
        var said: String?
        var readAt = ContinuousClock.now
        var hasComplained = false
        /// Why it did not listen when that was last tried.
        var complaint: String?
        /// While it runs.
        var stunnel: Stunnel?
    }

    let keeper: ConnectionLimits
    private let door: GuestDoor
    private let files: [String: PageFile]
    private let certificate: GuestCertificate
    private let logger: Logger
    private let state = Mutex(State())
    /// Ends once it listens, or no port was free.
    private let first: AsyncStream<Void>
    private let firstEnd: AsyncStream<Void>.Continuation

    init(
        _ certificate: GuestCertificate, door: GuestDoor, files: [String: PageFile], keeper: ConnectionLimits,
        logger: Logger
    ) {
        self.certificate = certificate
        self.door = door
        self.files = files
        self.keeper = keeper
        self.logger = logger
        (first, firstEnd) = AsyncStream.makeStream(of: Void.self)
    }

    /// Listens until the program ends; a port that is taken is tried again.
    func run() async {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let wanted: [UInt16] = if let port = certificate.port { [port] } else { [GuestLimits.securePort, 0] }
        while !Task.isCancelled, !(await serve(at: wanted, group)) {
            firstEnd.finish()
            do { try await GuestListener.pause(GuestListener.retryPause) } catch { break }
        }
        firstEnd.finish()
        try? await group.shutdownGracefully()
    }

    /// Suspends until it listens, or has found no port.
    func untilTried() async { for await _ in first {} }

    /// `NAME:PORT`; nil where it does not listen, or browsers would not take the certificate now.
    func place() -> String? {
        let trouble = certificate.troubleNow
        if let trouble { complain(trouble.phrase(on: PlainSurface()).english) }
        return state.withLock { state in
            let name = trouble == nil && state.stunnel?.trouble == nil ? certificate.name : nil
            state.said = name.flatMap { name in state.port.map { "\(name):\($0)" } }
            return state.said
        }
    }

    /// Why it does not listen though it should, as long as no port or no stunnel is to be had; nil: it listens.
    var trouble: String? { state.withLock { $0.stunnel.map(\.trouble) ?? $0.complaint } }

    /// Reads the files again once they have changed.
    /// - Returns: whether `place` has changed since it was asked for.
    func review() async -> Bool {
        let isDue = state.withLock { state in
            guard ContinuousClock.now - state.readAt >= GuestLimits.certificatePause else { return false }
            state.readAt = .now
            return true
        }
        if isDue { await read() }
        let said = state.withLock { $0.said }
        return place() != said
    }

    private func read() async {
        do {
            guard try await besideTheLoop({ [certificate] in try certificate.read() }) else { return }
            let stunnel = state.withLock { state in
                state.hasComplained = false
                return state.stunnel
            }
            stunnel?.show(certificate.pair)
            logger.notice("guests are shown another certificate from now on")
        } catch {
            let words = (error as? CertificateFault)?.phrase(on: PlainSurface()).english ?? "\(error)"
            complain("the certificate for guests is not read, the one before is shown: \(words)")
        }
    }

    private func fail(_ cause: String) {
        state.withLock { $0.complaint = cause }
        complain("guests cannot be let in by https: \(cause)")
    }

    private func complain(_ words: String) {
        let isFirst = state.withLock { state in
            defer { state.hasComplained = true }
            return !state.hasComplained
        }
        if isFirst { logger.error("\(words)") }
    }

    /// - Returns: whether it listened.
    private func serve(at ports: [UInt16], _ group: any EventLoopGroup) async -> Bool {
        let stunnel: Stunnel
        do throws(StunnelFault) {
            stunnel = try await Stunnel.start(showing: certificate.pair, group: group, logger: logger)
        } catch {
            fail("\(error)")
            return false
        }
        state.withLock { $0.stunnel = stunnel }
        let hasListened = await serve(at: ports, group, behind: stunnel)
        state.withLock { $0.stunnel = nil }
        if !hasListened { fail("port \(ports[0]) is not available") }
        await stunnel.stop()
        return hasListened
    }

    private func serve(at ports: [UInt16], _ group: any EventLoopGroup, behind stunnel: Stunnel) async -> Bool {
        for port in ports {
            for host in GuestListener.places {
                if await serve(at: host, port, group, behind: stunnel) { return true }
            }
        }
        return false
    }

    /// - Returns: whether it listened.
    private func serve(
        at host: String, _ port: UInt16, _ group: any EventLoopGroup, behind stunnel: Stunnel
    ) async -> Bool {
        let hasListened = Mutex(false)
        let application = Application(
            router: GuestRoutes(door: door, keeper: keeper, files: files, isSecure: true).router,
            server: keeper.server(behind: stunnel),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: Int(port)), serverName: "tour-chat", backlog: DoorLimits.waitingMax),
            onServerRunning: { [self] channel in
                await keeper.keep(channel)
                hasListened.withLock { $0 = true }
                state.withLock { $0.port = channel.localAddress?.port ?? Int(port) }
                firstEnd.finish()
            },
            eventLoopGroupProvider: .shared(group), logger: logger)
        try? await application.run()
        state.withLock { $0.port = nil }
        return hasListened.withLock { $0 }
    }
}
