import TourBus

/// NetworkManager, for what a hotspot takes. Calls block; use from one thread at a time.
/// Source: NetworkManager 1.42, D-Bus API Reference.
final class NetworkService {
    private static let service = "org.freedesktop.NetworkManager"
    private static let root = "/org/freedesktop/NetworkManager"
    private static let settings = "/org/freedesktop/NetworkManager/Settings"
    private static let managerInterface = service
    private static let settingsInterface = service + ".Settings"
    private static let profileInterface = service + ".Settings.Connection"
    private static let activeInterface = service + ".Connection.Active"
    private static let deviceInterface = service + ".Device"
    private static let wirelessInterface = service + ".Device.Wireless"
    private static let propertiesInterface = "org.freedesktop.DBus.Properties"
    /// The path that means no object.
    private static let none = "/"
    private static let wirelessType: UInt32 = 2
    /// Source: `NMDeviceState`.
    private static let failedState: UInt32 = 120
    private static let callMilliseconds: Int32 = 10_000
    /// The machine may ask the user for a password before it allows a change.
    private static let changeMilliseconds: Int32 = 60_000

    /// The states of a connection. Source: `NMActiveConnectionState`.
    enum ConnectionState {
        case starting, up, down
    }

    /// A profile of ours that NetworkManager keeps.
    struct Profile {
        let path: String
        /// nil: incomplete, or its password may not be read.
        let hotspot: Hotspot?
    }

    private let bus: BusConnection

    /// - Throws: `noLibrary`, `noManager`.
    init() throws(HotspotError) {
        do throws(BusError) { bus = try BusConnection(.system) } catch {
            throw error == .noLibrary ? .noLibrary : .noManager
        }
        guard bus.hasOwner(of: Self.service) else { throw .noManager }
    }

    /// Whether Wi-Fi is on.
    /// - Throws: `wifiOff`.
    func checkWifi() throws(HotspotError) {
        guard try property("WirelessHardwareEnabled", of: Self.root, Self.managerInterface) != .flag(false) else {
            throw .wifiOff(bySwitch: true)
        }
        guard try property("WirelessEnabled", of: Self.root, Self.managerInterface) != .flag(false) else {
            throw .wifiOff(bySwitch: false)
        }
    }

    /// The machine's Wi-Fi cards.
    func cards() throws(HotspotError) -> [WirelessCard] {
        let answer = try call(Self.root, Self.managerInterface, "GetDevices", [])
        var cards: [WirelessCard] = []
        for path in Self.paths(in: answer.first) {
            // A card may be pulled out at any time.
            if let card = try card(path) { cards.append(card) }
        }
        return cards
    }

    private func card(_ path: String) throws(HotspotError) -> WirelessCard? {
        guard try property("DeviceType", of: path, Self.deviceInterface) == .number(Self.wirelessType),
            case .text(let interface)? = try property("Interface", of: path, Self.deviceInterface),
            case .number(let state)? = try property("State", of: path, Self.deviceInterface),
            case .number(let abilities)? = try property("WirelessCapabilities", of: path, Self.wirelessInterface)
        else { return nil }
        let connection = Self.path(in: try property("ActiveConnection", of: path, Self.deviceInterface))
        return WirelessCard(
            path: path, interface: interface, abilities: WirelessCard.Abilities(rawValue: abilities), state: state,
            connection: connection == Self.none ? nil : connection)
    }

    /// Our profile, if there is one.
    func profile() throws(HotspotError) -> Profile? {
        let found = try ask(
            Self.settings, Self.settingsInterface, "GetConnectionByUuid", [.text(Hotspot.profileID)])
        guard let path = Self.path(in: found?.first) else { return nil }
        let settings = try ask(path, Self.profileInterface, "GetSettings", [])?.first
        let secrets = try ask(path, Self.profileInterface, "GetSecrets", [.text(Hotspot.wirelessSecurity)])?.first
        return Profile(path: path, hotspot: settings.flatMap { Hotspot(settings: $0, secrets: secrets) })
    }

    /// The connection of our profile, if it has one, and on which card.
    func active() throws(HotspotError) -> (path: String, state: ConnectionState, device: String?)? {
        let all = Self.paths(in: try property("ActiveConnections", of: Self.root, Self.managerInterface))
        for path in all {
            guard try property("Uuid", of: path, Self.activeInterface) == .text(Hotspot.profileID) else { continue }
            let state = try state(of: path)
            if state == .down { continue }
            return (path, state, Self.paths(in: try property("Devices", of: path, Self.activeInterface)).first)
        }
        return nil
    }

    /// The name of the profile of a connection; nil: it has gone.
    func name(ofConnection path: String) throws(HotspotError) -> String? {
        guard case .text(let name)? = try property("Id", of: path, Self.activeInterface) else { return nil }
        return name
    }

    /// Gone counts as down.
    func state(of connection: String) throws(HotspotError) -> ConnectionState {
        guard case .number(let state)? = try property("State", of: connection, Self.activeInterface) else {
            return .down
        }
        return switch state {
        case 0, 1: .starting
        case 2: .up
        default: .down
        }
    }

    /// From here on `wait` returns why this card failed. It tells so once: a moment later it is ready for the next
    /// network, as if nothing had been.
    func watch(_ card: WirelessCard) {
        bus.watch(
            """
            type='signal',sender='\(Self.service)',path='\(card.path)',interface='\(Self.deviceInterface)',\
            member='StateChanged'
            """)
    }

    /// Makes the profile and starts it.
    /// - Returns: the connection.
    func start(_ hotspot: Hotspot, on card: WirelessCard) throws(HotspotError) -> String {
        let answer = try call(
            Self.root, Self.managerInterface, "AddAndActivateConnection",
            [hotspot.settings, .path(card.path), .path(Self.none)], milliseconds: Self.changeMilliseconds)
        guard answer.count == 2, let path = Self.path(in: answer[1]) else { throw .failed("no connection") }
        return path
    }

    /// Starts the profile that is there, changed if need be.
    func start(_ hotspot: Hotspot, by profile: Profile, on card: WirelessCard) throws(HotspotError) -> String {
        if profile.hotspot != hotspot {
            _ = try call(
                profile.path, Self.profileInterface, "Update", [hotspot.settings],
                milliseconds: Self.changeMilliseconds)
        }
        let answer = try call(
            Self.root, Self.managerInterface, "ActivateConnection",
            [.path(profile.path), .path(card.path), .path(Self.none)], milliseconds: Self.changeMilliseconds)
        guard let path = Self.path(in: answer.first) else { throw .failed("no connection") }
        return path
    }

    /// Ends a connection. NetworkManager then takes the card back to a network that it knows.
    func stop(_ connection: String) throws(HotspotError) {
        _ = try call(
            Self.root, Self.managerInterface, "DeactivateConnection", [.path(connection)],
            milliseconds: Self.changeMilliseconds)
    }

    /// - Returns: why the watched card failed, by NetworkManager's number, if it did. Source: `NMDeviceStateReason`.
    /// - Throws: `managerGone` where the bus has gone.
    func wait(milliseconds: Int32) throws(HotspotError) -> UInt32? {
        let signals: [BusSignal]
        do throws(BusError) { signals = try bus.signals(waiting: milliseconds) } catch { throw .managerGone }
        return signals.compactMap { signal -> UInt32? in
            guard signal.interface == Self.deviceInterface, signal.name == "StateChanged", signal.values.count == 3,
                signal.values[0] == .number(Self.failedState), case .number(let reason) = signal.values[2]
            else { return nil }
            return reason
        }.last
    }
}

// Calls and their answers.
extension NetworkService {
    private func call(
        _ object: String, _ interface: String, _ method: String, _ arguments: [BusValue],
        milliseconds: Int32 = callMilliseconds
    ) throws(HotspotError) -> [BusValue] {
        let target = BusObject(service: Self.service, path: object, interface: interface)
        do throws(BusError) {
            return try bus.call(target, method, arguments, milliseconds: milliseconds)
        } catch { throw fault(error) }
    }

    /// - Returns: nil where NetworkManager answers with an error: it does not have what was asked for, or tells it not.
    private func ask(
        _ object: String, _ interface: String, _ method: String, _ arguments: [BusValue]
    ) throws(HotspotError) -> [BusValue]? {
        do throws(HotspotError) {
            return try call(object, interface, method, arguments)
        } catch {
            switch error {
            case .failed, .refused: return nil
            default: throw error
            }
        }
    }

    /// - Returns: nil for an object that has gone, or has no such property.
    private func property(_ name: String, of object: String, _ interface: String) throws(HotspotError) -> BusValue? {
        try ask(object, Self.propertiesInterface, "Get", [.text(interface), .text(name)])?.first?.inside
    }

    private func fault(_ error: BusError) -> HotspotError {
        switch error {
        case .noLibrary: .noLibrary
        case .unavailable: .managerGone
        case .failed(let name) where Self.isRefusal(name): .refused
        // A program that ends answers no more; the bus says so without saying why.
        case .failed(let name): bus.hasOwner(of: Self.service) ? .failed(name) : .managerGone
        }
    }

    private static func isRefusal(_ name: String) -> Bool {
        let ends = [".PermissionDenied", ".AccessDenied", ".NotAuthorized", ".InteractiveAuthorizationRequired"]
        return ends.contains { name.hasSuffix($0) }
    }

    private static func path(in value: BusValue?) -> String? {
        guard case .path(let path)? = value else { return nil }
        return path
    }

    private static func paths(in value: BusValue?) -> [String] {
        guard case .list(let values, _)? = value else { return [] }
        return values.compactMap { path(in: $0) }
    }
}
