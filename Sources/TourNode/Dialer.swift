import TourCrypto
import TourDiscovery
import TourModel
import TourStore

/// Whom to dial, and when again: discovered nodes, given peers, remembered addresses. A record is a candidate and never
/// more; who answers is known from the handshake only.
struct Dialer {
    /// Where a node may be. The host is numeric, or a name that the system resolves.
    struct Address: Hashable, Sendable, CustomStringConvertible {
        var host: String
        var port: UInt16

        init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// `HOST:PORT` or `[V6]:PORT`.
        init?(_ text: String) {
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

        var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// One address tried for one tour.
    struct Target: Hashable, Sendable {
        var address: Address
        var tour: TourID
    }

    private struct Attempts {
        var isDialling = false
        var notBefore = Instant(microseconds: 0)
        var backoff = Limits.redialBackoffMin
        var failures = 0
        /// Who answered the last time.
        var member: MemberID?
        var isSelf = false
    }

    private var peers: [Address] = []
    private var remembered: [TourID: [Address]] = [:]
    private(set) var candidates: [ServiceKey: Candidate] = [:]
    private var attempts: [Target: Attempts] = [:]

    mutating func add(peer text: String) throws(NodeError) {
        guard let address = Address(text) else {
            throw NodeError("bad-peer", "“\(text)” is no address: give HOST:PORT, for instance 192.168.1.20:4000.")
        }
        peers.append(address)
    }

    mutating func add(remembered addresses: [RememberedAddress], of tour: TourID) {
        remembered[tour] = addresses.map { Address(host: $0.address, port: $0.port) }
    }

    mutating func add(_ address: Address, of tour: TourID, now: Instant) {
        remembered[tour, default: []].insert(address, at: 0)
        attempts[Target(address: address, tour: tour)] = Attempts(notBefore: now)
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

    /// What to dial now for one tour, the most promising first.
    /// - Parameter linked: members that have a link already.
    mutating func due(
        for tour: TourID, tags: Set<UInt64>, linked: Set<MemberID>, room: Int, now: Instant
    ) -> [Target] {
        let known = Set(candidates.values.filter { $0.tags.contains(where: tags.contains) }.map(\.instance))
        var seen = Set<Address>()
        var due = [Target]()
        var instances = Set<String>()
        func consider(_ address: Address) {
            guard due.count < room, seen.insert(address).inserted else { return }
            let target = Target(address: address, tour: tour)
            let attempt = attempts[target] ?? Attempts()
            guard !attempt.isDialling, !attempt.isSelf, attempt.notBefore <= now else { return }
            if let member = attempt.member, linked.contains(member) { return }
            due.append(target)
        }
        // One address of a node at a time, IPv4 before IPv6: a node shows up once for each interface and family.
        for key in candidates.keys.sorted(by: Self.isOrdered) {
            guard let candidate = candidates[key], known.contains(candidate.instance) else { continue }
            let address = Address(host: candidate.address, port: candidate.port)
            let failed = attempts[Target(address: address, tour: tour)]?.failures ?? 0
            if failed == 0, !instances.insert(candidate.instance).inserted { continue }
            consider(address)
        }
        for address in peers { consider(address) }
        for address in remembered[tour] ?? [] { consider(address) }
        if linked.isEmpty {
            // Somebody whose clock is more than a day off, perhaps.
            for candidate in candidates.values where !known.contains(candidate.instance) {
                consider(Address(host: candidate.address, port: candidate.port))
            }
        }
        for target in due { attempts[target, default: Attempts()].isDialling = true }
        forgetOld()
        return due
    }

    mutating func failed(_ target: Target, now: Instant, using rng: inout some RandomNumberGenerator) {
        var attempt = attempts[target] ?? Attempts()
        attempt.isDialling = false
        attempt.failures += 1
        // Full jitter: whoever lost the same access point must not come back in step.
        let span = Int64.random(in: attempt.backoff.microseconds / 2...attempt.backoff.microseconds, using: &rng)
        attempt.notBefore = now + .microseconds(span)
        attempt.backoff = min(attempt.backoff * 2, Limits.redialBackoffMax)
        attempts[target] = attempt
    }

    mutating func reached(_ target: Target, _ member: MemberID, isSelf: Bool, now: Instant) {
        var attempt = attempts[target] ?? Attempts()
        attempt.isDialling = false
        attempt.failures = 0
        attempt.backoff = Limits.redialBackoffMin
        attempt.notBefore = now + Limits.redialBackoffMin
        attempt.member = member
        attempt.isSelf = isSelf
        attempts[target] = attempt
    }

    /// A link that stood is gone: dial again soon.
    mutating func lost(_ target: Target, now: Instant) {
        attempts[target]?.isDialling = false
        attempts[target]?.notBefore = now + .milliseconds(200)
    }

    private mutating func forgetOld() {
        guard attempts.count > Limits.candidatesMax * 2 else { return }
        attempts = attempts.filter { $0.value.isDialling || $0.value.member != nil }
    }

    private static func isOrdered(_ left: ServiceKey, _ right: ServiceKey) -> Bool {
        if left.isIPv6 != right.isIPv6 { return !left.isIPv6 }
        if left.instance != right.instance { return left.instance < right.instance }
        return left.interface < right.interface
    }
}
