import TourGossip
import TourModel
import TourRuntime

// What members are told when this machine sleeps. Source: `Protocol/16-phone.md`.
extension TourNode {
    /// A machine that did not fall asleep within this time is awake, whatever it was about to do. A sleep counts, so
    /// this also ends one of which nobody told us that it is over.
    private static let restMax: Duration = .seconds(30)

    /// The machine is about to sleep: a last row says so in each tour.
    package func rest() {
        restsSince = NodeClock.now
        for session in sessions.values where session.isActive { feed(session, .rest(isAsleep: true)) }
    }

    /// The machine is awake: the next row says so, at once.
    package func wake() {
        restsSince = nil
        for session in sessions.values { feed(session, .rest(isAsleep: false)) }
    }

    /// Once a second.
    func tickRest(now: Instant) {
        if let restsSince, now - restsSince >= Self.restMax { wake() }
    }
}
