import Dispatch

/// Turns this machine's own network on and off, beside any loop: what NetworkManager does takes seconds.
package final class HotspotSwitch: Sendable {
    /// How long the start of a network may take.
    private static let startTime: Duration = .seconds(45)
    private static let stopTime: Duration = .seconds(10)
    private static let pause: Int32 = 200

    /// One change after the other; looking at how it stands waits for none.
    private let changes = DispatchQueue(label: "tour-chat.hotspot")
    private let views = DispatchQueue(label: "tour-chat.hotspot.view")

    package init() {}

    /// How it stands; what is missing for it is no error here.
    package func view() async throws -> HotspotView {
        try await on(views) { () throws(HotspotError) in try Self.view() }
    }

    /// Serves the network that is asked for, also where one is served already, and waits until it is there.
    package func turnOn(_ order: HotspotOrder) async throws -> HotspotView {
        try await on(changes) { () throws(HotspotError) in try Self.turnOn(order) }
    }

    /// Ends the network, if there is one. What the card was in before comes back as NetworkManager does it.
    package func turnOff() async throws -> HotspotView {
        try await on(changes) { () throws(HotspotError) in
            try Self.turnOff()
            return try Self.view()
        }
    }

    private func on(
        _ queue: DispatchQueue, _ work: @escaping @Sendable () throws(HotspotError) -> HotspotView
    ) async throws -> HotspotView {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    // From here on: code of a queue.

    private static func view() throws(HotspotError) -> HotspotView {
        let service: NetworkService
        do throws(HotspotError) { service = try NetworkService() } catch {
            return HotspotView(state: .off, obstacle: error)
        }
        let hotspot = try service.profile()?.hotspot
        let cards = try service.cards()
        if let active = try service.active() {
            let card = cards.first { $0.path == active.device }
            return HotspotView(
                state: active.state == .up ? .on : .starting, hotspot: hotspot, interface: card?.interface)
        }
        do throws(HotspotError) {
            let card = try card(of: cards, for: .wide, service)
            let replaced = try replaced(on: card, service)
            return HotspotView(state: .off, hotspot: hotspot, interface: card.interface, replaced: replaced)
        } catch {
            return HotspotView(state: .off, hotspot: hotspot, obstacle: error)
        }
    }

    /// - Throws: also what the machine lacks.
    private static func card(
        of cards: [WirelessCard], for band: Hotspot.Band, _ service: NetworkService, ours: String? = nil
    ) throws(HotspotError) -> WirelessCard {
        guard !cards.isEmpty else { throw .noCard }
        try service.checkWifi()
        return try WirelessCard.choose(from: cards, for: band, ours: ours)
    }

    private static func replaced(
        on card: WirelessCard, _ service: NetworkService, ours: String? = nil
    ) throws(HotspotError) -> String? {
        guard let connection = card.connection, connection != ours else { return nil }
        return try service.name(ofConnection: connection)
    }

    private static func turnOn(_ order: HotspotOrder) throws(HotspotError) -> HotspotView {
        var generator = SystemRandomNumberGenerator()
        // What the user wrote is looked at before anything else: it is wrong on each machine.
        _ = try order.hotspot(after: nil, using: &generator)
        let service = try NetworkService()
        let profile = try service.profile()
        let hotspot = try order.hotspot(after: profile?.hotspot, using: &generator)
        let active = try service.active()
        let card = try card(of: try service.cards(), for: hotspot.band, service, ours: active?.path)
        if let active, active.state == .up, profile?.hotspot == hotspot {
            return HotspotView(state: .on, hotspot: hotspot, interface: card.interface)
        }
        let replaced = try replaced(on: card, service, ours: active?.path)
        service.watch(card)
        let connection =
            if let profile {
                try service.start(hotspot, by: profile, on: card)
            } else {
                try service.start(hotspot, on: card)
            }
        try waitForStart(of: connection, hotspot, on: card, service)
        return HotspotView(state: .on, hotspot: hotspot, interface: card.interface, replaced: replaced)
    }

    private static func waitForStart(
        of connection: String, _ hotspot: Hotspot, on card: WirelessCard, _ service: NetworkService
    ) throws(HotspotError) {
        let start = ContinuousClock.now
        var reason: UInt32?
        while ContinuousClock.now - start < startTime {
            switch try service.state(of: connection) {
            case .up: return
            case .down:
                // What it said may have come before the question was asked.
                reason = try service.wait(milliseconds: 0) ?? reason
                throw .notStarted(StartFailure.cause(reason, of: hotspot), interface: card.interface)
            case .starting: reason = try service.wait(milliseconds: pause) ?? reason
            }
        }
        // One that has gone meanwhile needs no end.
        try? service.stop(connection)
        throw .notStarted(.timeout, interface: card.interface)
    }

    private static func turnOff() throws(HotspotError) {
        let service = try NetworkService()
        guard let active = try service.active() else { return }
        try service.stop(active.path)
        let start = ContinuousClock.now
        while ContinuousClock.now - start < stopTime {
            guard try service.state(of: active.path) != .down else { return }
            _ = try service.wait(milliseconds: pause)
        }
    }
}
