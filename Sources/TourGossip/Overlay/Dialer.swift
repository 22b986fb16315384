import TourModel

/// Whom to dial, and when again, for each tour: an address does not name its member, so this remembers which member
/// answered.
///
/// Pure: the shell provides the addresses, dials, and reports the results.
/// Source: `Protocol/06-replication.md`, "Overlay".
package struct Dialer: Sendable {
    /// How long a member that has links enough is not dialled again, unless it is our neighbour.
    package static let declinedPause: Duration = .seconds(30)
    /// The most dials in progress.
    package static let atOnceMax = 5
    /// Dial backoff: doubles from this value, with full jitter.
    static let backoffMin: Duration = .milliseconds(500)
    /// The longest dial backoff.
    static let backoffMax: Duration = .seconds(30)
    /// The longest backoff for a member whose link was lost recently: a partition heals within seconds.
    static let lostBackoffMax: Duration = .seconds(2)
    /// How long a link counts as lost recently: a phone that was switched off is not dialled all night.
    package static let lostTime: Duration = .seconds(600)
    /// How often an address is probed for its member though there are links enough: for a neighbour whose address is
    /// unknown, and for members that nobody here has met. Grows with the tour; one handshake message each way.
    static let neighbourSearchInterval: Duration = .seconds(1)
    /// Added for each member present, for a neighbour.
    static let neighbourSearchIntervalPerMember: Duration = .milliseconds(10)
    /// The least interval for members that nobody here has met.
    static let probeInterval: Duration = .seconds(10)
    /// The same for each member present.
    static let probeIntervalPerMember: Duration = .seconds(1)
    /// The failed dials in a row after which an address counts as out of reach.
    package static let failuresMax = 3

    /// Where a node may be. The host is numeric, or a name that the system resolves.
    package struct Address: Hashable, Sendable, CustomStringConvertible {
        /// A numeric address, or a name that the system resolves.
        package var host: String
        /// The TCP port.
        package var port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// Parses `HOST:PORT` or `[V6]:PORT`.
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

    /// An address worth dialling; the lower its source, the sooner.
    package struct Candidate: Hashable, Sendable {
        /// How an address became known, the most promising first.
        package enum Source: Int, Sendable {
            /// Announced now; known from before; without a tag.
            case seen, remembered, untagged
        }

        /// The address to dial.
        package var address: Address
        /// How the address became known.
        package var source: Source
        /// The network on which it was seen, as the shell numbers ours; nil if it may be any.
        package var network: Int?

        package init(address: Address, source: Source = .seen, network: Int? = nil) {
            self.address = address
            self.source = source
            self.network = network
        }
    }

    /// One address tried for one tour.
    package struct Target: Hashable, Sendable {
        /// The address.
        package var address: Address
        /// The tour for which it is dialled.
        package var tour: TourID

        package init(address: Address, tour: TourID) {
            self.address = address
            self.tour = tour
        }
    }

    struct Attempts: Hashable, Sendable {
        var isDialling = false
        var notBefore = Instant(microseconds: 0)
        var backoff = Dialer.backoffMin
        /// The failures in a row.
        var failures = 0
        /// The member that last answered.
        var member: MemberID?
        var isSelf = false
        /// When the member last answered, or its link was lost.
        var reachedAt: Instant?
        /// The member declined because it has links enough: until then it is dialled only as a ring neighbour.
        var declinedUntil = Instant(microseconds: 0)

        /// Whether the address may be that of a member that we have not met there.
        var isPromising: Bool { member == nil && !isSelf && failures < Dialer.failuresMax }
    }

    var attempts: [Target: Attempts] = [:]
    /// When the next address is probed for its member though there are links enough.
    var probeDue: [TourID: Instant] = [:]

    package init() {}

    /// Whether the last dial there reached nobody.
    package func hasFailed(_ address: Address, for tour: TourID) -> Bool {
        (attempts[Target(address: address, tour: tour)]?.failures ?? 0) > 0
    }

    /// The members present on each of our networks, as far as is known. Once the members at all addresses of a network
    /// are known, other members have no place on its ring; before that they may be there.
    /// - Parameters:
    ///   - present: members that gave a sign of life.
    ///   - networks: ours, as the shell numbers them; at least one.
    ///   - linked: members with a link, and the networks of that link.
    package func rings(
        of present: Set<MemberID>, on networks: [Int], linked: [MemberID: Set<Int>], tour: TourID,
        among candidates: [Candidate]
    ) -> [Set<MemberID>] {
        var whereabouts = linked
        var unasked = Set<Int>()
        for candidate in candidates {
            let attempt = attempts[Target(address: candidate.address, tour: tour)] ?? Attempts()
            let reached = networks.filter { candidate.network == $0 }
            let possible = reached.isEmpty ? networks : reached
            if attempt.isPromising {
                unasked.formUnion(possible)
            } else if let member = attempt.member, attempt.failures < Self.failuresMax {
                whereabouts[member, default: []].formUnion(possible)
            }
        }
        let members = present.union(linked.keys)
        return networks.map { network in
            members.filter { whereabouts[$0]?.contains(network) ?? unasked.contains(network) }
        }
    }

    /// For each member that answered or was linked lately, the networks (as indexes of `networks`) on which its address
    /// is in sight: a missing member is looked for there.
    package func sights(
        on networks: [Int], tour: TourID, among candidates: [Candidate], now: Instant
    ) -> [MemberID: Set<Int>] {
        var sights = [MemberID: Set<Int>]()
        for candidate in candidates {
            guard let seen = candidate.network, let index = networks.firstIndex(of: seen),
                let attempt = attempts[Target(address: candidate.address, tour: tour)], let member = attempt.member,
                let reachedAt = attempt.reachedAt, now - reachedAt < Self.lostTime
            else { continue }
            sights[member, default: []].insert(index)
        }
        return sights
    }

    /// Records a report that the member is at this address.
    package mutating func expect(_ member: MemberID, at target: Target) {
        var attempt = attempts[target] ?? Attempts()
        guard attempt.member != member, !attempt.isDialling, !attempt.isSelf else { return }
        // A report that contradicts what is known settles nothing: a dial will show who is there.
        attempt.member = attempt.member == nil ? member : nil
        attempts[target] = attempt
    }

    /// Forgets what this address has shown.
    package mutating func forget(_ target: Target) { attempts[target] = nil }

    /// Whether there are so many attempts that old ones should go.
    package var isCrowded: Bool { attempts.count > Limits.candidatesMax * 2 }

    /// Removes attempts at addresses that nobody names any more.
    package mutating func forget(except named: Set<Address>) {
        attempts = attempts.filter { $0.value.isDialling || named.contains($0.key.address) }
    }
}
