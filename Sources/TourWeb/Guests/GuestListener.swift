import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import TourNode

/// The door for guests: a port of its own on every address of this machine, by plain HTTP, open while the owner gives
/// seats. Source: `Protocol/15-seats.md`.
struct GuestListener: Service {
    let slot: NodeSlot
    /// The guest page, by the paths of its files.
    let files: [String: PageFile]
    let surfaces: ClientSurfaces
    let bounds: DoorBounds
    let group: any EventLoopGroup
    let logger: Logger

    /// How often an open door ends what is over.
    private static let sweepPause: Duration = .milliseconds(500)
    /// How long the streams and requests of a door that closes may take to end.
    private static let farewell: Duration = .seconds(3)
    /// A door that closed by itself does not open and close without end.
    private static let reopenPause: Duration = .milliseconds(200)
    /// After this time a port that was not available is tried again.
    private static let retryPause: Duration = .seconds(5)
    /// Both families, and IPv4 alone where the system has no IPv6.
    private static let places = ["::", "0.0.0.0"]

    func run() async throws {
        // It ends by being cancelled, or with the node.
        try? await watch()
    }

    /// Opens and closes the door as the owner wants.
    private func watch() async throws {
        var last: UInt16?
        var hasComplained = false
        while true {
            let node = try await wish { node -> ObjectIdentifier? in
                guard let node, await node.seats.wantsDoor else { return nil }
                return ObjectIdentifier(node)
            }
            let given = slot.settings.guestsPort.map { [$0] }
            let wanted = given ?? [GuestLimits.port] + [last].compactMap(\.self) + [0]
            if let port = await stay(at: wanted, for: node) {
                (last, hasComplained) = (port, false)
                try await Self.pause(Self.reopenPause)
            } else {
                try await Self.pause(Self.retryPause)
                if !hasComplained { logger.error("guests cannot be let in: port \(wanted[0]) is not available") }
                hasComplained = true
            }
        }
    }

    /// Waits for something of the node and the owner's switch; asks whenever one of them has changed. Wakes for nothing
    /// else: a door that nobody wants costs nothing. It ends at once, by an error, when the node stops.
    /// - Parameter answer: nil: it waits on. The node is nil while none runs; only the slot may hold it.
    private func wish<Answer: Sendable>(
        _ answer: @escaping @Sendable (TourNode?) async -> Answer?
    ) async throws -> Answer {
        try await cancelWhenGracefulShutdown { [slot] in
            let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            slot.reportTurnover(to: change)
            change.yield()
            for await _ in changes {
                let node = try? slot.node
                await node?.seats.reportDoorWish(to: change)
                if let answer = await answer(node) { return answer }
            }
            throw CancellationError()
        }
    }

    /// Ends at once, by an error, when the node stops.
    private static func pause(_ time: Duration) async throws {
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: time) }
    }

    /// Serves at the first of these ports that is free, until the owner ends it.
    /// - Returns: the port; nil where none was free.
    private func stay(at ports: [UInt16], for node: ObjectIdentifier) async -> UInt16? {
        for port in ports {
            for place in Self.places {
                let opening = GuestOpening()
                await serve(at: place, port, for: node, opening)
                if let opened = opening.port { return opened }
            }
        }
        return nil
    }

    private func serve(at place: String, _ port: UInt16, for node: ObjectIdentifier, _ opening: GuestOpening) async {
        let door = GuestDoor(slot: slot)
        let keeper = ConnectionLimits(bounds, surfaces, headers: .ofGuests) { _, channel in
            door.hasGuest(at: GuestAddress.host(of: channel.remoteAddress))
        }
        let application = Application(
            router: GuestRoutes(door: door, files: files).router, server: keeper.server,
            configuration: ApplicationConfiguration(
                address: .hostname(place, port: Int(port)), serverName: "tour-chat", backlog: DoorLimits.waitingMax),
            onServerRunning: { [slot] channel in
                await keeper.keep(channel)
                let opened = channel.localAddress?.port ?? Int(port)
                opening.open(UInt16(clamping: opened))
                await (try? slot.node)?.seats.doorOpened(port: opened)
            },
            eventLoopGroupProvider: .shared(group), logger: logger)
        let server = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: application, serviceName: "guests")], logger: logger))
        await withTaskGroup(of: Void.self) { tasks in
            // A port that is not available ends it at once.
            tasks.addTask { try? await server.run() }
            tasks.addTask {
                await attend(door, for: node)
                guard !Task.isCancelled else { return }
                await (try? slot.node)?.seats.doorOpened(port: nil)
                // Only a listener that has closed may be cancelled: what it accepted at that moment would be lost, and
                // the process with it.
                await server.triggerGracefulShutdown()
                await door.close()
                try? await Task.sleep(for: Self.farewell)
            }
            await tasks.next()
            tasks.cancelAll()
            await tasks.waitForAll()
        }
        guard opening.port != nil else { return }
        await (try? slot.node)?.seats.doorOpened(port: nil)
        await door.close()
    }

    /// Ends what is over at an open door, until the owner or the node wants no door any more.
    private func attend(_ door: GuestDoor, for node: ObjectIdentifier) async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try? await unwished(by: node) }
            tasks.addTask { while (try? await Self.pause(Self.sweepPause)) != nil { await door.sweep() } }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Suspends until this node wants no door any more, or another one was unlocked since.
    private func unwished(by node: ObjectIdentifier) async throws {
        try await wish { current -> Void? in
            guard let current, ObjectIdentifier(current) == node, await current.seats.wantsDoor else { return () }
            return nil
        }
    }
}
