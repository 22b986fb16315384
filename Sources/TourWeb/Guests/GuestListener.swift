import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import TourNode

/// The door for guests: a port of its own on every address of this machine, by plain HTTP, open while the owner gives
/// seats; and one for https, where there is a certificate. HTTP stays: phones that enter a network ask by it, and a
/// name is not found in every network. Source: `Protocol/15-seats.md`.
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
    /// After this time a port that was not available is tried again.
    static let retryPause: Duration = .seconds(5)
    /// Both families, and IPv4 alone where the system has no IPv6.
    static let places = ["::", "0.0.0.0"]

    func run() async throws {
        // It ends by being cancelled, or with the node.
        try? await watch()
    }

    /// Opens the door once the owner wants it. From then on the port listens as long as the program runs, and takes
    /// nobody while the owner wants no guests: a listener that ends loses what it accepts at that moment, and the
    /// process with it.
    private func watch() async throws {
        var hasComplained = false
        while true {
            _ = try await wanting()
            let wanted: [UInt16] = if let given = slot.settings.guestsPort { [given] } else { [GuestLimits.port, 0] }
            if await stay(at: wanted) {
                hasComplained = false
            } else if !hasComplained {
                logger.error("guests cannot be let in: port \(wanted[0]) is not available")
                hasComplained = true
            }
            try await Self.pause(Self.retryPause)
        }
    }

    /// Suspends until a node wants the door open.
    private func wanting() async throws -> ObjectIdentifier {
        try await wish { node in
            guard let node, await node.seats.wantsDoor else { return nil }
            return ObjectIdentifier(node)
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
    static func pause(_ time: Duration) async throws {
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: time) }
    }

    /// Serves at the first of these ports that is free, until the program ends.
    /// - Returns: false where none was free.
    private func stay(at ports: [UInt16]) async -> Bool {
        for port in ports {
            for place in Self.places {
                if await serve(at: place, port) { return true }
            }
        }
        return false
    }

    /// - Returns: whether it listened.
    private func serve(at place: String, _ port: UInt16) async -> Bool {
        let door = GuestDoor(slot: slot)
        let keeper = keeper(of: door)
        let secure = slot.certificate.map {
            SecureDoor($0, door: door, files: files, keeper: self.keeper(of: door), logger: logger)
        }
        let (openings, opening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: GuestRoutes(door: door, keeper: keeper, files: files, isSecure: false).router,
            server: keeper.server,
            configuration: ApplicationConfiguration(
                address: .hostname(place, port: Int(port)), serverName: "tour-chat", backlog: DoorLimits.waitingMax),
            onServerRunning: { channel in
                await keeper.keep(channel)
                opening.yield(channel.localAddress?.port ?? Int(port))
            },
            eventLoopGroupProvider: .shared(group), logger: logger)
        return await withTaskGroup(of: Bool.self) { tasks in
            // A port that is not available ends it at once.
            tasks.addTask {
                try? await application.run()
                opening.finish()
                return false
            }
            tasks.addTask {
                for await port in openings {
                    await attend(door, keeper, port: port, secure)
                    return true
                }
                return false
            }
            var hasListened = false
            for await listened in tasks { hasListened = hasListened || listened }
            await door.close()
            return hasListened
        }
    }

    /// Takes nobody yet.
    private func keeper(of door: GuestDoor) -> ConnectionLimits {
        let keeper = ConnectionLimits(
            bounds, surfaces, headers: .ofGuests, partyOf: { .address(door.party(of: $0)) },
            showsSecret: { _, channel in door.hasGuest(at: door.party(of: channel)) })
        keeper.setOpen(false)
        return keeper
    }

    /// Opens and closes both ports as the owner wants, until the program ends.
    private func attend(_ door: GuestDoor, _ keeper: ConnectionLimits, port: Int, _ secure: SecureDoor?) async {
        await withTaskGroup(of: Void.self) { tasks in
            if let secure {
                tasks.addTask { await secure.run() }
                // The first link is to be the one that stays.
                await secure.untilTried()
            }
            try? await attend(door, [keeper, secure?.keeper].compactMap(\.self), port: port, secure)
            tasks.cancelAll()
        }
    }

    private func attend(
        _ door: GuestDoor, _ keepers: [ConnectionLimits], port: Int, _ secure: SecureDoor?
    ) async throws {
        while true {
            let node = try await wanting()
            for keeper in keepers { keeper.setOpen(true) }
            await tell(door, port: port, secure)
            try? await untilUnwished(by: node, door, keepers, port: port, secure)
            // In this order: whoever lets guests in again, once they are gone, waits for the door.
            await (try? slot.node)?.seats.doorOpened(port: nil)
            for keeper in keepers { keeper.setOpen(false) }
            await door.close()
            try Task.checkCancellation()
        }
    }

    /// Tells the node, and phones that come, where the door is.
    private func tell(_ door: GuestDoor, port: Int, _ secure: SecureDoor?) async {
        door.https = secure?.place()
        await (try? slot.node)?.seats.doorOpened(port: port, secure: door.https, trouble: secure?.trouble)
    }

    /// Ends what is over at an open door, and tells where it is by https when that changes, until this node wants no
    /// door any more, or another one was unlocked since.
    private func untilUnwished(
        by node: ObjectIdentifier, _ door: GuestDoor, _ keepers: [ConnectionLimits], port: Int, _ secure: SecureDoor?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await wish { current -> Void? in
                    guard let current, ObjectIdentifier(current) == node, await current.seats.wantsDoor else {
                        return ()
                    }
                    return nil
                }
            }
            tasks.addTask {
                while true {
                    try await Self.pause(Self.sweepPause)
                    let ended = await door.sweep()
                    for keeper in keepers where !ended.isEmpty {
                        keeper.ended(ended) { door.hasGuest(at: $0) }
                    }
                    guard let secure, await secure.review() else { continue }
                    await tell(door, port: port, secure)
                }
            }
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }
}
