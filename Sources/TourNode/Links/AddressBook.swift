import TourCrypto
import TourDiscovery
import TourGossip
import TourModel
import TourStore

/// Where members may be: discovered nodes, given peers, remembered addresses. A record is only a candidate; the
/// handshake alone proves who answers.
struct AddressBook {
    private var peers: [Dialer.Address] = []
    private var remembered: [TourID: [Dialer.Address]] = [:]
    private(set) var candidates: [ServiceKey: Candidate] = [:]
    private var announced = BeaconAddresses()
    var wish = AddressWish()

    mutating func add(peer text: String) throws(NodeError) {
        guard let address = Dialer.Address(text) else {
            throw NodeError.network(.badPeer(text))
        }
        peers.append(address)
    }

    mutating func add(remembered addresses: [RememberedAddress], of tour: TourID) {
        remembered[tour] = addresses.map { Dialer.Address(host: $0.address, port: $0.port) }
    }

    /// The address led to a member, or is said to.
    mutating func remember(_ address: Dialer.Address, of tour: TourID) {
        let others = (remembered[tour] ?? []).filter { $0 != address }
        remembered[tour] = [address] + others.prefix(TourStore.addressesMax - 1)
    }

    mutating func apply(_ event: DiscoveryEvent) {
        switch event {
        case .found(let candidate):
            let key = ServiceKey(
                instance: candidate.instance, interface: candidate.interface, isIPv6: candidate.address.contains(":"))
            guard candidates[key] != nil || candidates.count < Limits.candidatesMax else { return }
            candidates[key] = candidate
        case .lost(let instance, let interface, let isIPv6):
            // Our own links decide who is there; a record that is gone only means that we no longer dial it.
            candidates[ServiceKey(instance: instance, interface: interface, isIPv6: isIPv6)] = nil
        case .state: break
        }
    }

    /// Tours that one may ask to join, by their tags, and how many devices answer for each.
    var askedTours: [UInt64: Int] {
        var devices: [UInt64: Set<String>] = [:]
        for candidate in candidates.values {
            for tag in candidate.asks { devices[tag, default: []].insert(candidate.instance) }
        }
        return devices.mapValues(\.count)
    }

    /// Where somebody can be asked to be let into a tour, IPv4 before IPv6.
    func addresses(asking tag: DiscoveryTag) -> [Dialer.Address] {
        candidates.keys.sorted(by: Self.isOrdered).compactMap { candidates[$0] }
            .filter { $0.asks.contains(tag.value) }.map { Self.address(of: $0) }
    }

    /// The services announced at an address.
    func instances(at address: Dialer.Address) -> Set<String> {
        Set(candidates.values.filter { Self.address(of: $0) == address }.map(\.instance))
    }

    /// A member's beacon named this address.
    /// - Returns: whether that is a reason to dial at once.
    mutating func announced(
        _ member: MemberID, at address: Dialer.Address, on segment: SegmentID, of tour: TourID, now: Instant
    ) -> Bool {
        wish.heard(in: tour, now: now)
        return announced.record(member, at: address, on: segment.value, of: tour)
    }

    /// Whether a beacon named an address of the member that has not failed.
    func isAnnounced(_ member: MemberID, of tour: TourID, hasFailed: (Dialer.Address) -> Bool) -> Bool {
        announced.names(member, of: tour, hasFailed: hasFailed)
    }

    /// The tags that this secret may produce on clocks that are up to a day off.
    static func tags(_ secret: SecretBytes, _ kind: DiscoveryTag.Kind, around slot: UInt64) -> Set<UInt64> {
        let day: UInt64 = 96
        return Set(
            (slot - min(slot, day)...slot + day).map { DiscoveryTag(secret: secret, kind: kind, slot: $0).value })
    }

    /// Discovered addresses, those with one of the tags first; then given peers; then the other discovered ones.
    func candidates(matching tags: Set<UInt64>) -> [Dialer.Address] {
        var matching = [Dialer.Address]()
        var others = [Dialer.Address]()
        for key in candidates.keys.sorted(by: Self.isOrdered) {
            guard let candidate = candidates[key] else { continue }
            if candidate.tags.contains(where: tags.contains) {
                matching.append(Self.address(of: candidate))
            } else {
                others.append(Self.address(of: candidate))
            }
        }
        return matching + peers + others
    }

    /// Where members of the tour may be: one address of a node at a time, IPv4 before IPv6, since a node appears once
    /// for each interface and family; then given peers and remembered addresses.
    /// - Parameters:
    ///   - isAlone: adds nodes with unknown tags: they may be members whose clock is more than a day off.
    ///   - hasFailed: whether an address led to nobody the last time. Another one of the same node is listed then too.
    func places(
        of tour: TourID, tags: Set<UInt64>, isAlone: Bool = false, hasFailed: (Dialer.Address) -> Bool
    ) -> [Dialer.Candidate] {
        var instances = Set<String>()
        var places = [Dialer.Candidate]()
        for key in candidates.keys.sorted(by: Self.isOrdered) {
            guard let candidate = candidates[key], candidate.tags.contains(where: tags.contains) else { continue }
            let address = Self.address(of: candidate)
            if !hasFailed(address), !instances.insert(candidate.instance).inserted { continue }
            places.append(Dialer.Candidate(address: address, network: Int(candidate.interface)))
        }
        places += announced.candidates(of: tour)
        places += peers.map { Dialer.Candidate(address: $0) }
        places += (remembered[tour] ?? []).map { Dialer.Candidate(address: $0, source: .remembered) }
        if isAlone {
            for candidate in candidates.values where !candidate.tags.contains(where: tags.contains) {
                places.append(Dialer.Candidate(address: Self.address(of: candidate), source: .untagged))
            }
        }
        var seen = Set<Dialer.Address>()
        return places.filter { seen.insert($0.address).inserted }
    }

    /// Every address that any tour or record names.
    var addresses: Set<Dialer.Address> {
        var all = Set(candidates.values.map { Self.address(of: $0) }).union(peers)
        for addresses in remembered.values { all.formUnion(addresses) }
        return all.union(announced.addresses)
    }

    private static func address(of candidate: Candidate) -> Dialer.Address {
        Dialer.Address(host: candidate.address, port: candidate.port)
    }

    private static func isOrdered(_ left: ServiceKey, _ right: ServiceKey) -> Bool {
        if left.isIPv6 != right.isIPv6 { return !left.isIPv6 }
        if left.instance != right.instance { return left.instance < right.instance }
        return left.interface < right.interface
    }
}
