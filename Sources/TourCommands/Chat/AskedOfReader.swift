import TourJSON
import TourWeb

/// Notices above the messages that wait for the reader's answer. Shapes: `Protocol/Schema/local-api.yaml`.
package struct AskedOfReader: Hashable, Sendable {
    /// Alarms of lost members, as far as this person may see them.
    package var alarms: [JSON]
    /// The newest roll call.
    package var roll: JSON?
    /// Urgent announcements.
    package var urgent: [JSON]
    /// Who asks to join, where this person may let somebody in.
    package var askers: [Asker]

    package init(alarms: [JSON] = [], roll: JSON? = nil, urgent: [JSON] = [], askers: [Asker] = []) {
        self.alarms = alarms
        self.roll = roll
        self.urgent = urgent
        self.askers = askers
    }

    /// Urgent announcements that this person has yet to confirm.
    var toUnderstand: [JSON] {
        urgent.filter { $0["mine"]?.flag == false && $0["understood"]?.flag == false }
    }
}
