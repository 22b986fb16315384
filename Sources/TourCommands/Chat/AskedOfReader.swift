import TourWeb

/// What stands above the messages, and waits for a word of whoever reads. Shapes: `Protocol/Schema/local-api.yaml`.
package struct AskedOfReader: Hashable, Sendable {
    /// Who is lost, as far as this person is to know it.
    package var alarms: [JSON]
    /// The newest roll call.
    package var roll: JSON?
    /// Urgent announcements.
    package var urgent: [JSON]

    package init(alarms: [JSON] = [], roll: JSON? = nil, urgent: [JSON] = []) {
        self.alarms = alarms
        self.roll = roll
        self.urgent = urgent
    }

    /// Those that this person has yet to understand.
    var toUnderstand: [JSON] {
        urgent.filter { $0["mine"]?.flag == false && $0["understood"]?.flag == false }
    }
}
