import TourModel

/// Addresses that members' beacons name: of each member the newest one of each host and network, and few of them.
///
/// Anybody in the tour may have named them: who is really there shows when one is dialled.
/// Source: `Protocol/08-datagrams.md`, "Beacons".
package struct BeaconAddresses: Sendable {
    /// The most addresses kept of a member.
    static let ofMemberMax = 4

    /// How long after a member's first address it is dialled: nodes that start together all send their first beacons
    /// within this time, and whom to have links with is decided once for all of them.
    /// - Parameter members: those of the tour.
    package static func gatherTime(members: Int) -> Duration { min(.milliseconds(50 + 10 * members), .seconds(1)) }

    private var places: [TourID: [MemberID: [Dialer.Candidate]]] = [:]

    package init() {}

    /// Records the address that a member's beacon names.
    /// - Parameters:
    ///   - network: the one on which the beacon came, as the shell numbers ours.
    /// - Returns: whether no beacon named an address of this member before. Only that is a reason to dial at once: a
    ///   member that names ever new ones costs itself.
    package mutating func record(
        _ member: MemberID, at address: Dialer.Address, on network: Int, of tour: TourID
    ) -> Bool {
        let known = places[tour]?[member]
        let others = (known ?? []).filter { $0.address.host != address.host || $0.network != network }
        let newest = Dialer.Candidate(address: address, network: network)
        places[tour, default: [:]][member] = [newest] + others.prefix(Self.ofMemberMax - 1)
        return known == nil
    }

    /// Whether a beacon named an address of the member that has not failed.
    package func names(_ member: MemberID, of tour: TourID, hasFailed: (Dialer.Address) -> Bool) -> Bool {
        places[tour]?[member]?.contains { !hasFailed($0.address) } ?? false
    }

    /// The addresses of a tour's members, by member.
    package func candidates(of tour: TourID) -> [Dialer.Candidate] {
        let said = places[tour] ?? [:]
        return said.keys.sorted().flatMap { said[$0] ?? [] }
    }

    /// Every address of every tour.
    package var addresses: Set<Dialer.Address> {
        Set(places.values.flatMap { $0.values.joined() }.map(\.address))
    }
}
