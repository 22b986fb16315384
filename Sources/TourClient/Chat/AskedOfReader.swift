import TourAPI

/// Notices above the messages that wait for the reader's answer. Shapes: `Protocol/Schema/local-api.yaml`.
package struct AskedOfReader: Hashable, Sendable {
    /// Alarms of lost members, as far as this person may see them.
    package var alarms: [AlarmView]
    /// The newest roll call.
    package var roll: RollView?
    /// Urgent announcements.
    package var urgent: [UrgentView]
    /// Who asks to join, where this person may let somebody in.
    package var askers: [Asker]

    package init(alarms: [AlarmView] = [], roll: RollView? = nil, urgent: [UrgentView] = [], askers: [Asker] = []) {
        self.alarms = alarms
        self.roll = roll
        self.urgent = urgent
        self.askers = askers
    }

    /// Urgent announcements that this person has yet to confirm.
    var toUnderstand: [UrgentView] { urgent.filter { !$0.mine && !$0.understood } }
}
