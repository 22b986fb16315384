import TourModel

/// The random names of this start, one for each interface: otherwise two interfaces on one network would answer for the
/// same name with different addresses, and Avahi would see a collision with itself.
final class ServiceNames {
    /// The most interfaces whose random names are remembered while they are gone.
    private static let rememberedMax = 64

    private let naming: @Sendable () -> ServiceName
    private var names: [String: ServiceName] = [:]

    init(naming: @escaping @Sendable () -> ServiceName) { self.naming = naming }

    /// Stays the same for as long as the interface is remembered, so that one that comes back revives its record.
    func name(for interface: String) -> ServiceName {
        if let name = names[interface] { return name }
        let name = naming()
        names[interface] = name
        return name
    }

    /// Forgets interfaces that are gone once there are too many of them.
    func prune(keeping interfaces: [String]) {
        guard names.count > ServiceNames.rememberedMax else { return }
        names = names.filter { interfaces.contains($0.key) }
    }

    /// Chooses a new name after a collision.
    func rename(_ interface: String) { names[interface] = naming() }

    func isOurs(_ instance: String) -> Bool { names.values.contains { $0.instance == instance } }
}
