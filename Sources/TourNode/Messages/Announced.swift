import TourModel
import TourRuntime

/// The state that a tour's announcements lead to, held in memory: a function of the set of these events.
struct Announced {
    var alarms = AlarmState()
    var rolls = RollCallState()
    var urgent = UrgentState()
    /// Words between one person and the guides.
    var asides = AsideState()
    /// When only guides could write.
    var quiet = QuietState()
    /// Where messages may count otherwise than before, until readers are told.
    var quietReview: ClosedRange<LogicalClock>?
}

extension TourSession {
    var alarms: AlarmState {
        _read { yield announced.alarms }
        _modify { yield &announced.alarms }
    }

    var rolls: RollCallState {
        _read { yield announced.rolls }
        _modify { yield &announced.rolls }
    }

    var urgent: UrgentState {
        _read { yield announced.urgent }
        _modify { yield &announced.urgent }
    }

    var asides: AsideState {
        _read { yield announced.asides }
        _modify { yield &announced.asides }
    }

    var quiet: QuietState {
        _read { yield announced.quiet }
        _modify { yield &announced.quiet }
    }
}
