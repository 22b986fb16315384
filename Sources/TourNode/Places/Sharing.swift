import TourModel
import TourPosition

/// The sharing of this node's position in one tour.
package struct Sharing {
    /// How far a member moves before another row is worth sending.
    private static let metres: Double = 15
    /// The time after which another row shows that the member still shares.
    private static let heartbeat: Duration = .seconds(60)

    /// When it ends, in milliseconds since 1970.
    package let until: Int64
    /// The position sent last, and when.
    package private(set) var last: (fix: Fix, at: Instant)?

    package init(until: Int64) { self.until = until }

    /// Whether a row with this fix is worth sending: not for every step, but often enough that we do not seem to be
    /// gone.
    package func isDue(_ fix: Fix, _ now: Instant) -> Bool {
        guard let last else { return true }
        let pause = now - last.at
        if pause >= Self.heartbeat { return true }
        return pause >= Limits.positionInterval
            && last.fix.coordinate.metres(to: fix.coordinate) >= Self.metres
    }

    /// Records that this fix was sent.
    package mutating func said(_ fix: Fix, at now: Instant) { last = (fix, now) }
}

/// The state of this node's receiver.
struct Receiver {
    /// Reads gpsd as long as anything needs it.
    var task: Task<Void, Never>?
    /// The newest reading, and when it arrived.
    var latest: (reading: Reading, at: Instant)?

    /// Our position; nil when it is not known now.
    func fix(_ now: Instant) -> Fix? {
        guard let latest, case .fix(let fix) = latest.reading, now - latest.at <= Limits.positionLifetime else {
            return nil
        }
        return fix
    }

    /// Why there is no fix now; nil when there is one, or no reading has arrived yet.
    var fault: PositionFault? {
        guard let latest, case .nothing(let fault) = latest.reading else { return nil }
        return fault
    }
}
