import TourModel

/// When addresses that no beacon named are to be looked for by questions to everybody on the network. Members near name
/// theirs in beacons, one datagram each; thirty nodes that start together and also ask for each other's records keep
/// every machine on the network busy for seconds.
package struct AddressWish: Sendable {
    /// How long beacons have time to name an address first.
    static let beaconTime: Duration = .seconds(1)
    /// Beacons are sent every 16 s at least: after this time without any they do not arrive here any more.
    private static let silenceMax: Duration = .seconds(60)

    /// How long after the start beacons that arrive have time to tell of everybody.
    static let startTime: Duration = .seconds(5)

    private var begunAt: Instant?
    private var since: Instant?
    private var heardAt: [TourID: Instant] = [:]

    package init() {}

    /// A member's beacon arrived.
    package mutating func heard(in tour: TourID, now: Instant) { heardAt[tour] = now }

    /// Whether members' beacons arrive now. They may have arrived before: on another network, or until an access point
    /// began to hold them back.
    package func hears(in tour: TourID, now: Instant) -> Bool {
        heardAt[tour].map { now - $0 < Self.silenceMax } ?? false
    }

    /// Whether it is left to beacons, at the start, to tell who is here: most often they tell of everybody before
    /// records would. Where none arrives this takes no longer than their time to name one address.
    /// - Parameters:
    ///   - tours: those whose members are looked for.
    ///   - hasBeacons: whether beacons may arrive here.
    package mutating func leavesItToBeacons(in tours: [TourID], hasBeacons: Bool, now: Instant) -> Bool {
        let begun = begunAt ?? now
        begunAt = begun
        let isTold = tours.allSatisfy { hears(in: $0, now: now) }
        return hasBeacons && now - begun < (isTold ? Self.startTime : Self.beaconTime)
    }

    /// - Parameters:
    ///   - isWanted: whether an address is wanted that is not known.
    ///   - hasBeacons: whether beacons may arrive here.
    /// - Returns: whether to ask for it.
    package mutating func asks(_ isWanted: Bool, hasBeacons: Bool, now: Instant) -> Bool {
        guard isWanted else {
            since = nil
            return false
        }
        let begun = since ?? now
        since = begun
        return !hasBeacons || now - begun >= Self.beaconTime
    }
}
