/// A Wi-Fi card as NetworkManager shows it.
package struct WirelessCard: Hashable, Sendable {
    /// What it can do. Source: NetworkManager, `NMDeviceWifiCapabilities`.
    package struct Abilities: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// AES, and WPA2 with it.
        package static let ccmp = Abilities(rawValue: 0x08)
        package static let rsn = Abilities(rawValue: 0x20)
        /// It can serve a network.
        package static let accessPoint = Abilities(rawValue: 0x40)
        /// It says which frequencies it has.
        package static let knowsFrequencies = Abilities(rawValue: 0x100)
        package static let fiveGigahertz = Abilities(rawValue: 0x400)
    }

    /// The states of a device that matter here. Source: NetworkManager, `NMDeviceState`.
    private enum State {
        static let unmanaged: UInt32 = 10
        static let disconnected: UInt32 = 30
    }

    /// NetworkManager's object.
    package let path: String
    package let interface: String
    package let abilities: Abilities
    let state: UInt32
    /// NetworkManager's object of the connection that it has; nil: none.
    package let connection: String?

    package init(path: String, interface: String, abilities: Abilities, state: UInt32, connection: String?) {
        self.path = path
        self.interface = interface
        self.abilities = abilities
        self.state = state
        self.connection = connection
    }

    private var canServe: Bool { abilities.isSuperset(of: [.ccmp, .rsn, .accessPoint]) }

    private func has(_ band: Hotspot.Band) -> Bool {
        band == .wide || !abilities.contains(.knowsFrequencies) || abilities.contains(.fiveGigahertz)
    }

    /// The card that serves a network. A card serves one or is in one, as NetworkManager runs it: one that is free goes
    /// before one that is in a network, which it would leave.
    /// - Parameter ours: the connection of a hotspot that runs, whose card serves the next one.
    /// - Throws: why none can, by what would help most.
    package static func choose(
        from cards: [WirelessCard], for band: Hotspot.Band, ours: String? = nil
    ) throws(HotspotError) -> WirelessCard {
        guard let first = cards.first else { throw .noCard }
        let managed = cards.filter { $0.state > State.unmanaged }
        guard let one = managed.first else { throw .notManaged(first.interface) }
        let serving = managed.filter(\.canServe)
        guard let server = serving.first else { throw .cannotServe(one.interface) }
        let fitting = serving.filter { $0.has(band) }
        guard let fit = fitting.first else { throw .noFiveGigahertz(server.interface) }
        let ready = fitting.filter { $0.state >= State.disconnected }
        guard !ready.isEmpty else { throw .notReady(fit.interface) }
        let inOrder = ready.sorted { ($0.cost(ours), $0.interface) < ($1.cost(ours), $1.interface) }
        return inOrder[0]
    }

    private func cost(_ ours: String?) -> Int { connection == nil ? 1 : connection == ours ? 0 : 2 }
}
