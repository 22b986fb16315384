import TourModel

/// When addresses that no beacon named are to be looked for by questions to everybody on the network. Members near name
/// theirs in beacons, one datagram each; thirty nodes that start together and also ask for each other's records keep
/// every machine on the network busy for seconds.
package struct AddressWish: Sendable {
    /// How long beacons have time to name an address first.
    static let beaconTime: Duration = .seconds(1)

    private var since: Instant?

    package init() {}

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
