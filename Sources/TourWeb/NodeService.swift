import CProcess
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TourAPI
import TourModel
import TourNode
import TourPresentation
import TourTLS
import TourWords

/// A node and its local API as one service: store, network and socket start together and stop in order.
package struct NodeService: Service {
    private let slot: NodeSlot
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger
    private let readiness = Readiness()
    private let teller: NoticeTeller?
    /// Nil where no page is to be served.
    private let door: PageListener?
    private let surfaces: ClientSurfaces

    /// Opens the data directory; does not listen yet.
    /// - Parameters:
    ///   - terminal: how the programs of the terminal that ask this node name what the user can do.
    ///   - notices: how to notify the user of messages; nil: not at all.
    /// - Throws: a `Fault`: in use, passphrase needed or wrong, damaged, full disk, read-only, or a certificate that
    ///   cannot be used.
    package init(
        settings: NodeSettings, logger: Logger, terminal: any Surface = PlainSurface(), notices: NoticeSettings? = nil
    ) throws {
        surfaces = ClientSurfaces(terminal: terminal)
        let certificate = try settings.guestsTLS.map { try GuestCertificate($0) }
        if let trouble = certificate?.troubleNow {
            logger.error("\(trouble.phrase(on: terminal).english)")
        }
        // Without a reader, arrivals would pile up.
        let notices = notices.flatMap { $0.hasMeans ? $0 : nil }
        let (arrivals, source) = AsyncStream.makeStream(
            of: Arrival.self, bufferingPolicy: .bufferingNewest(Self.arrivalsMax))
        self.logger = logger
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let slot = try NodeSlot(
                settings: settings, loop: group.next(), logger: logger, arrivals: notices == nil ? nil : source,
                certificate: certificate)
            self.slot = slot
            let door = Self.door(of: slot.settings)
            self.door = door
            teller = notices.map { NoticeTeller($0, arrivals: arrivals, slot: slot, door: door) }
        } catch {
            group.shutdownGracefully { _ in }
            throw error
        }
    }

    /// The node's events other than messages; ends with the service. For one reader.
    package var moments: AsyncStream<NodeMoment> { slot.moments }

    /// Suspends until the node listens.
    /// - Throws: the error of the start.
    package func ready() async throws -> ReadyReport { try await readiness.report() }

    /// Runs until graceful shutdown or cancellation; the store is closed in order when it returns.
    package func run() async throws {
        defer { slot.endMoments() }
        do {
            let port = try await slot.node.start()
            try await telling { try await serve(port: port) }
        } catch {
            readiness.fail(error)
            await slot.stop()
            try? await group.shutdownGracefully()
            throw error
        }
        readiness.fail(CancellationError())
        await slot.stop()
        try? await group.shutdownGracefully()
    }

    /// How many arrivals are kept for a slow reader.
    private static let arrivalsMax = 64

    /// Does the work, and meanwhile notifies the user of messages, and members of this machine's sleep.
    private func telling(_ work: () async throws -> Void) async throws {
        let (teller, slot) = (teller, slot)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            if let teller { tasks.addTask { await teller.run() } }
            if !slot.settings.isOffline { tasks.addTask { await SleepTeller(slot: slot).run() } }
            try await work()
            tasks.cancelAll()
        }
    }

    private func serve(port: Int) async throws {
        let socket = try LocalSocket(directory: slot.settings.dataDirectory)
        defer { socket.remove() }
        let report = try await report(port: port)
        let readiness = readiness
        let shares = DescriptorShares(
            limit: Int(process_raise_descriptors(UInt(DoorLimits.descriptorsMax))),
            guestDescriptors: slot.certificate == nil ? 1 : 1 + TLSLimits.descriptorsPerConnection)
        let page = page(shares.page)
        // Only the user can connect to the socket.
        let keeper = ConnectionLimits(shares.socket, surfaces, headers: [:]) { _, _ in true }
        let application = Application(
            router: LocalAPI(slot: slot, door: page?.door, surfaces: surfaces).router, server: keeper.server,
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: socket.path), serverName: "tour-chat",
                backlog: DoorLimits.waitingMax),
            onServerRunning: { channel in
                socket.restrict()
                await keeper.keep(channel)
                guard let door = page?.door else { return readiness.succeed(report) }
                // If the page could not start, its error ends the whole service.
                guard let address = await door.address() else { return }
                readiness.succeed(report.withPage(at: address))
            },
            eventLoopGroupProvider: .shared(group), logger: quiet)
        // A group of its own, so that this code too can stop it gracefully.
        let server = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: application, serviceName: "local API"),
                    .init(service: guests(shares.guests), serviceName: "guests"),
                ]
                    + (page.map { [.init(service: $0, serviceName: "page")] } ?? []), logger: quiet))
        let slot = slot
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await withTaskExecutorPreference(slot.clientExecutor) { try await server.run() }
            }
            tasks.addTask {
                try await gracefulShutdown()
                // Streams have ended by then; a client that holds its request open does not delay us.
                await slot.endWaiting()
                try await Task.sleep(for: .seconds(1))
            }
            tasks.addTask { try await CodePages.keepReleasing() }
            tasks.addTask {
                for await _ in slot.life {}
                // The client that asked for the wipe still gets its answer.
                try await Task.sleep(for: .milliseconds(200))
                await server.triggerGracefulShutdown()
                try await Task.sleep(for: .seconds(1))
            }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private static func door(of settings: NodeSettings) -> PageListener? {
        settings.page == .off ? nil : PageListener(PageRecord.kept(in: settings.dataDirectory) ?? PageRecord())
    }

    private func page(_ bounds: DoorBounds) -> PageService? {
        guard let door else { return nil }
        return PageService(
            door: door, place: slot.settings.page, directory: slot.settings.dataDirectory,
            api: LocalAPI(slot: slot, door: door, surfaces: surfaces), bounds: bounds, group: group, logger: quiet)
    }

    private func guests(_ bounds: DoorBounds) -> GuestListener {
        GuestListener(slot: slot, files: GuestFile.all, surfaces: surfaces, bounds: bounds, group: group, logger: quiet)
    }

    // Only the slot may hold the node, so that locking can release it.
    private func report(port: Int) async throws -> ReadyReport {
        let node = try slot.node
        let tour = try? await node.tour(nil).tourID
        return ReadyReport(
            port: port, nodeID: node.nodeID, tourID: tour, web: nil, name: await node.displayName)
    }

    /// Hummingbird's own log lines contain nothing useful to a user of the node.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = .error
        return logger
    }
}

/// The node's report once it listens.
package struct ReadyReport: Sendable {
    /// The port where other nodes reach this one; 0 offline.
    package let port: Int
    package let nodeID: String
    /// The chosen tour; nil: none.
    package let tourID: String?
    /// The page's address with its token; nil while there is no page.
    package let web: String?
    package let name: String

    fileprivate func withPage(at address: String) -> ReadyReport {
        ReadyReport(port: port, nodeID: nodeID, tourID: tourID, web: address, name: name)
    }
}
