import TourBus

/// The bus of the user's session, for the few calls to a keyring. Calls block.
final class SessionBus {
    private static let promptInterface = "org.freedesktop.Secret.Prompt"
    private static let callMilliseconds: Int32 = 10_000
    /// The user may need time to look up a password.
    private static let promptTime: Duration = .seconds(120)
    private static let promptPause: Int32 = 250

    private let connection: BusConnection
    private let service: String

    /// - Parameter service: the bus name for all calls; a program that does not run is not started.
    /// - Throws: `unavailable`, `noLibrary`.
    init(service: String) throws(KeyringError) {
        do throws(BusError) { connection = try BusConnection() } catch { throw Self.fault(error) }
        self.service = service
        guard connection.hasOwner(of: service) else { throw .unavailable }
    }

    /// One call and its answer.
    func call(
        _ object: String, _ interface: String, _ method: String, _ arguments: [BusValue]
    ) throws(KeyringError) -> [BusValue] {
        let target = BusObject(service: service, path: object, interface: interface)
        do throws(BusError) {
            return try connection.call(target, method, arguments, milliseconds: Self.callMilliseconds)
        } catch { throw Self.fault(error) }
    }

    /// Lets the keyring ask the user, and waits for the answer.
    /// - Throws: `locked` when the user declines or does not answer.
    func prompt(_ object: String) throws(KeyringError) {
        let rule = "type='signal',interface='\(Self.promptInterface)',member='Completed',path='\(object)'"
        connection.watch(rule)
        defer { connection.unwatch(rule) }
        _ = try call(object, Self.promptInterface, "Prompt", [.text("")])
        let start = ContinuousClock.now
        while ContinuousClock.now - start < Self.promptTime {
            guard let answer = try completion(of: object) else { continue }
            guard answer.values.first == .flag(false) else { throw .locked }
            return
        }
        throw .locked
    }

    private func completion(of object: String) throws(KeyringError) -> BusSignal? {
        do throws(BusError) {
            return try connection.signals(waiting: Self.promptPause).first { signal in
                signal.interface == Self.promptInterface && signal.name == "Completed" && signal.path == object
            }
        } catch { throw Self.fault(error) }
    }

    private static func fault(_ error: BusError) -> KeyringError {
        switch error {
        case .unavailable: .unavailable
        case .noLibrary: .noLibrary
        case .failed(let name): name.hasSuffix(".IsLocked") ? .locked : .failed(name)
        }
    }
}
