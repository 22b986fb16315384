import TourModel
import TourPosition

/// That this node says where it is, in one tour.
package struct Sharing {
    /// When it ends, in milliseconds since 1970.
    package let until: Int64
    /// What was said last, and when.
    package private(set) var last: (fix: Fix, at: Instant)?

    package init(until: Int64) { self.until = until }

    /// Whether a row with this fix is worth its way: not for every step, and not so seldom that we seem to be gone.
    package func isDue(_ fix: Fix, _ now: Instant) -> Bool {
        guard let last else { return true }
        let pause = now - last.at
        if pause >= Limits.positionHeartbeat { return true }
        return pause >= Limits.positionInterval
            && last.fix.coordinate.metres(to: fix.coordinate) >= Limits.positionMetres
    }

    package mutating func said(_ fix: Fix, at now: Instant) { last = (fix, now) }
}

/// What this node knows of where it is.
struct Receiver {
    /// Reads gpsd as long as somebody has a use for it.
    var task: Task<Void, Never>?
    /// The last that it said, and when.
    var latest: (reading: Reading, at: Instant)?

    /// Where we are; nil when that is not known now.
    func fix(_ now: Instant) -> Fix? {
        guard let latest, case .fix(let fix) = latest.reading, now - latest.at <= Limits.positionLifetime else {
            return nil
        }
        return fix
    }

    /// Why there is no fix now; nil when there is one, or nothing was said yet.
    var fault: PositionFault? {
        guard let latest, case .nothing(let fault) = latest.reading else { return nil }
        return fault
    }
}
