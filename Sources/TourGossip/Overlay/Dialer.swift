import TourModel

/// Whom to dial, and when again, for each tour: an address does not say whose it is, so whoever answered is remembered.
///
/// Pure: the shell says which addresses there are, dials, and tells how it went.
/// Source: `Protocol/06-replication.md`, "Overlay".
package struct Dialer: Sendable {
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
    package struct Place: Hashable, Sendable {
        package enum Source: Int, Sendable {
            case seen, remembered, untagged
        }

        package var address: Address
        package var source: Source
        /// Which of our networks it was seen on, as the shell counts them; nil: it may be any.
        package var network: Int?

        package init(address: Address, source: Source = .seen, network: Int? = nil) {
            self.address = address
            self.source = source
            self.network = network
        }
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

    struct Attempts: Hashable, Sendable {
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

        /// Whether the address may be that of a member whom we have not met there.
        var isPromising: Bool { member == nil && !isSelf && failures < Limits.dialFailuresMax }
    }

    var attempts: [Target: Attempts] = [:]
    /// When the next address is asked for its member though there are links enough.
    var probeDue: [TourID: Instant] = [:]

    package init() {}

    /// Whether the last dial there led to nobody.
    package func hasFailed(_ address: Address, for tour: TourID) -> Bool {
        (attempts[Target(address: address, tour: tour)]?.failures ?? 0) > 0
    }

    /// The members present on each of our networks, as far as is known. Once the members at all addresses of a network
    /// are known, others have no place on its ring; before that they may be there.
    /// - Parameters:
    ///   - present: who gave a sign of life.
    ///   - networks: ours, as the shell counts them; one at least.
    ///   - linked: members with a link, and on which networks that is.
    package func rings(
        of present: Set<MemberID>, on networks: [Int], linked: [MemberID: Set<Int>], tour: TourID,
        among places: [Place]
    ) -> [Set<MemberID>] {
        var whereabouts = linked
        var unasked = Set<Int>()
        for place in places {
            let attempt = attempts[Target(address: place.address, tour: tour)] ?? Attempts()
            let reached = networks.filter { place.network == $0 }
            let possible = reached.isEmpty ? networks : reached
            if attempt.isPromising {
                unasked.formUnion(possible)
            } else if let member = attempt.member, attempt.failures < Limits.dialFailuresMax {
                whereabouts[member, default: []].formUnion(possible)
            }
        }
        let members = present.union(linked.keys)
        return networks.map { network in
            members.filter { whereabouts[$0]?.contains(network) ?? unasked.contains(network) }
        }
    }

    /// On which of our networks an address is in sight where a member answered, or was linked, lately, by the places of
    /// `networks`: whoever is missing there is looked for there.
    package func sights(
        on networks: [Int], tour: TourID, among places: [Place], now: Instant
    ) -> [MemberID: Set<Int>] {
        var sights = [MemberID: Set<Int>]()
        for place in places {
            guard let seen = place.network, let index = networks.firstIndex(of: seen),
                let attempt = attempts[Target(address: place.address, tour: tour)], let member = attempt.member,
                let reachedAt = attempt.reachedAt, now - reachedAt < Limits.lostRedialTime
            else { continue }
            sights[member, default: []].insert(index)
        }
        return sights
    }

    /// The member is said to be there.
    package mutating func expect(_ member: MemberID, at target: Target) {
        var attempt = attempts[target] ?? Attempts()
        guard attempt.member != member, !attempt.isDialling, !attempt.isSelf else { return }
        // Words that contradict what is known say nothing: who is there shows when it is dialled.
        attempt.member = attempt.member == nil ? member : nil
        attempts[target] = attempt
    }

    /// What was learnt at this address counts no more.
    package mutating func forget(_ target: Target) { attempts[target] = nil }

    /// Whether there are so many attempts that old ones should go.
    package var isCrowded: Bool { attempts.count > Limits.candidatesMax * 2 }

    /// Attempts at addresses that nobody names any more go.
    package mutating func forget(except named: Set<Address>) {
        attempts = attempts.filter { $0.value.isDialling || named.contains($0.key.address) }
    }
}
