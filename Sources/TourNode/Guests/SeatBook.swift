import TourModel
import TourWire

/// What the logs of a tour say of its guests: with whom each one is, and where members give seats. The outcome does not
/// depend on the order of arrival. Source: `Protocol/15-seats.md`, "Seat records" and "Hosts".
package struct SeatBook: Sendable {
    private struct Place {
        var sequence: UInt64
        var record: SeatRecord
    }

    private struct Told {
        var clock: LogicalClock
        var host: SeatHost
    }

    private var places: [MemberID: Place] = [:]
    private var ever: [MemberID: Set<MemberID>] = [:]
    private var told: [MemberID: Told] = [:]

    package init() {}

    /// Records what a seat's log says.
    package mutating func record(_ record: SeatRecord, _ header: EventHeader) {
        ever[header.author, default: []].insert(record.host)
        guard places[header.author].map({ $0.sequence < header.sequence }) ?? true else { return }
        places[header.author] = Place(sequence: header.sequence, record: record)
    }

    /// Records where a member gives seats.
    package mutating func record(_ host: SeatHost, _ header: EventHeader) {
        guard told[header.author].map({ $0.clock < header.clock }) ?? true else { return }
        told[header.author] = Told(clock: header.clock, host: host)
    }

    /// The last record of a seat's log.
    package func record(of seat: MemberID) -> SeatRecord? { places[seat]?.record }

    /// The member with whom a guest is; nil for anybody whose log has no such record.
    package func host(of seat: MemberID) -> MemberID? { places[seat]?.record.host }

    /// The guests that are with a member now, as their logs say.
    package func guests(with host: MemberID) -> Set<MemberID> {
        Set(places.lazy.filter { $0.value.record.host == host }.map(\.key))
    }

    /// Everybody whose log names this host anywhere: it knows their keys.
    package func everWith(_ host: MemberID) -> Set<MemberID> {
        Set(ever.lazy.filter { $0.value.contains(host) }.map(\.key))
    }

    /// Everybody whose log says where it gives seats, or that it does not any more.
    package var toldOf: Set<MemberID> { Set(told.keys) }

    /// Where a member gives seats; nil: it does not.
    package func door(of host: MemberID) -> (key: LinkKey, addresses: [String])? {
        guard let host = told[host]?.host, let key = host.key, !host.addresses.isEmpty else { return nil }
        return (key, host.addresses)
    }
}
