import TourCrypto
import TourDiscovery
import TourModel
import TourStore

/// Whom to dial, and when again: discovered nodes, given peers, remembered addresses. A record is a candidate and never
/// more; who answers is known from the handshake only.
package struct Dialer {
    /// Where a node may be. The host is numeric, or a name that the system resolves.
    package struct Address: Hashable, Sendable, CustomStringConvertible {
        package var host: String
        package var port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// `HOST:PORT` or `[V6]:PORT`.
        package init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
            else { return nil }
            var host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = String(host.dropFirst().dropLast())
            } else if host.contains(":") {
                return nil
            }
            guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
            self.init(host: host, port: port)
        }

        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// An address that is worth dialling, the more the lower its source.
    struct Place {
        enum Source: Int {
            case seen, remembered, untagged
        }

        var address: Address
        var source: Source
    }

    /// One address tried for one tour.
    package struct Target: Hashable, Sendable {
        package var address: Address
        package var tour: TourID

        package init(address: Address, tour: TourID) {
            self.address = address
            self.tour = tour
        }
    }

    struct Attempts {
        var isDialling = false
        var notBefore = Instant(microseconds: 0)
        var backoff = Limits.redialBackoffMin
        /// In a row.
        var failures = 0
        /// Who answered the last time.
        var member: MemberID?
        var isSelf = false
        /// When the member last answered, or its link was lost.
        var reachedAt: Instant?
        /// The member said that it has links enough: only a neighbour is dialled before this.
        var declinedUntil = Instant(microseconds: 0)
    }

    private var peers: [Address] = []
    private var remembered: [TourID: [Address]] = [:]
    private(set) var candidates: [ServiceKey: Candidate] = [:]
    /// At most one of each member of the roster.
    private var announced: [TourID: [MemberID: Address]] = [:]
    var attempts: [Target: Attempts] = [:]
    /// When the next address is asked for its member though there are links enough.
    var probeDue: [TourID: Instant] = [:]

    package init() {}

    package mutating func add(peer text: String) throws(NodeError) {
        guard let address = Address(text) else {
            throw NodeError("bad-peer", "“\(text)” is no address: give HOST:PORT, for instance 192.168.1.20:4000.")
        }
        peers.append(address)
    }

    mutating func add(remembered addresses: [RememberedAddress], of tour: TourID) {
        remembered[tour] = addresses.map { Address(host: $0.address, port: $0.port) }
    }

    mutating func add(_ address: Address, of tour: TourID, now: Instant) {
        remember(address, of: tour)
        attempts[Target(address: address, tour: tour)] = Attempts(notBefore: now)
    }

    /// It led to a member, or is said to.
    mutating func remember(_ address: Address, of tour: TourID) {
        let others = (remembered[tour] ?? []).filter { $0 != address }
        remembered[tour] = [address] + others.prefix(TourStore.addressesMax - 1)
    }

    mutating func take(_ event: DiscoveryEvent) {
        switch event {
        case .found(let candidate):
            let key = ServiceKey(
                instance: candidate.instance, interface: candidate.interface, isIPv6: candidate.address.contains(":"))
            guard candidates[key] != nil || candidates.count < Limits.candidatesMax else { return }
            candidates[key] = candidate
        case .lost(let instance, let interface, let isIPv6):
            // Our own links decide who is there; a record that is gone is only not dialled any more.
            candidates[ServiceKey(instance: instance, interface: interface, isIPv6: isIPv6)] = nil
        case .state: break
        }
    }

    /// The services announced at an address.
    func instances(at address: Address) -> Set<String> {
        Set(candidates.values.filter { $0.address == address.host && $0.port == address.port }.map(\.instance))
    }

    /// A member of the tour said on a network that it is at this address. The newest word counts; who is really there
    /// shows when it is dialled.
    mutating func announced(_ member: MemberID, at address: Address, of tour: TourID) {
        guard announced[tour]?[member] != address else { return }
        announced[tour, default: [:]][member] = address
        let target = Target(address: address, tour: tour)
        if attempts[target]?.member == nil { attempts[target, default: Attempts()].member = member }
    }

    /// The tags that this secret may have on clocks that are up to a day off.
    static func tags(_ secret: SecretBytes, _ kind: DiscoveryTag.Kind, around slot: UInt64) -> Set<UInt64> {
        let day: UInt64 = 96
        return Set(
            (slot - min(slot, day)...slot + day).map { DiscoveryTag(secret: secret, kind: kind, slot: $0).value })
    }

    /// Discovered addresses, those with one of the tags first, the others after; given peers in between.
    func candidates(matching tags: Set<UInt64>) -> [Address] {
        var matching = [Address]()
        var others = [Address]()
        for key in candidates.keys.sorted(by: Self.isOrdered) {
            guard let candidate = candidates[key] else { continue }
            let address = Address(host: candidate.address, port: candidate.port)
            if candidate.tags.contains(where: tags.contains) {
                matching.append(address)
            } else {
                others.append(address)
            }
        }
        return matching + peers + others
    }

    /// Where members of the tour may be: one address of a node at a time, IPv4 before IPv6, since a node shows up once
    /// for each interface and family; then given peers and remembered addresses.
    /// - Parameter isAlone: then also nodes whose tags say nothing to us: members whose clock is more than a day off,
    ///   perhaps.
    func places(of tour: TourID, tags: Set<UInt64>, isAlone: Bool = false) -> [Place] {
        var instances = Set<String>()
        var places = [Place]()
        for key in candidates.keys.sorted(by: Self.isOrdered) {
            guard let candidate = candidates[key], candidate.tags.contains(where: tags.contains) else { continue }
            let address = Address(host: candidate.address, port: candidate.port)
            let failures = attempts[Target(address: address, tour: tour)]?.failures ?? 0
            if failures == 0, !instances.insert(candidate.instance).inserted { continue }
            places.append(Place(address: address, source: .seen))
        }
        let said = announced[tour] ?? [:]
        places += said.keys.sorted().compactMap { said[$0] }.map { Place(address: $0, source: .seen) }
        places += peers.map { Place(address: $0, source: .seen) }
        places += (remembered[tour] ?? []).map { Place(address: $0, source: .remembered) }
        if isAlone {
            for candidate in candidates.values where !candidate.tags.contains(where: tags.contains) {
                let address = Address(host: candidate.address, port: candidate.port)
                places.append(Place(address: address, source: .untagged))
            }
        }
        var seen = Set<Address>()
        return places.filter { seen.insert($0.address).inserted }
    }

    /// Attempts at addresses that nobody names any more go when there are many.
    mutating func forgetOld() {
        guard attempts.count > Limits.candidatesMax * 2 else { return }
        var named = Set(candidates.values.map { Address(host: $0.address, port: $0.port) }).union(peers)
        for addresses in remembered.values { named.formUnion(addresses) }
        for addresses in announced.values { named.formUnion(addresses.values) }
        attempts = attempts.filter { $0.value.isDialling || named.contains($0.key.address) }
    }

    private static func isOrdered(_ left: ServiceKey, _ right: ServiceKey) -> Bool {
        if left.isIPv6 != right.isIPv6 { return !left.isIPv6 }
        if left.instance != right.instance { return left.instance < right.instance }
        return left.interface < right.interface
    }
}
