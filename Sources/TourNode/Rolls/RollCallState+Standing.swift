import TourAPI
import TourModel
import TourRuntime
import TourWire

// The people whom a roll call asks, and how each of them stands in it. Source: `Protocol/05-events.md`, "Roll calls".
extension RollCallState {
    /// A member as far as roll calls concern it.
    package struct Person: Sendable {
        package let id: MemberID
        /// The clock of its admission.
        package let admittedAt: LogicalClock
        /// Whether it is still in the tour.
        package let isActive: Bool

        package init(id: MemberID, admittedAt: LogicalClock, isActive: Bool) {
            self.id = id
            self.admittedAt = admittedAt
            self.isActive = isActive
        }
    }

    /// How one member stands in a roll call.
    package struct Standing: Sendable {
        package let member: MemberID
        package let state: RollView.State
        /// The word by which it is here; nil: there is none.
        package let said: Said?
    }

    /// - Parameters:
    ///   - people: everybody who is or was a member.
    ///   - isOpen: whether the roll call still stands.
    ///   - lost: the members whose alarms stand.
    /// - Returns: one for each member who is asked.
    package func standings(
        in roll: Roll, of people: some Sequence<Person>, isOpen: Bool, lost: Set<MemberID>
    ) -> [Standing] {
        let (inTime, late) = (said(in: roll), said(in: roll, afterTheEnd: true))
        let unseen = Set(roll.end?.end.missing ?? [])
        let dayAfter = LogicalClock(
            milliseconds: roll.first.place.clock.milliseconds + Limits.rollLifetimeMilliseconds)
        let end = roll.end?.place.clock ?? dayAfter
        return people.compactMap { person in
            let prefix = person.id.prefix
            if isOpen {
                guard person.isActive else { return nil }
            } else {
                // Members who joined after the end were not called; members who left since then were still there or
                // missing.
                let isNamed = inTime[prefix] != nil || unseen.contains(prefix)
                guard person.admittedAt <= end, person.isActive || isNamed else { return nil }
            }
            let isLost = lost.contains(person.id) && (isOpen || unseen.contains(prefix))
            let early = inTime[prefix].flatMap { $0.isHere ? $0 : nil }
            let said = early ?? late[prefix].flatMap { $0.isHere ? $0 : nil }
            let state: RollView.State =
                isLost ? .lost : said == nil ? .missing : unseen.contains(prefix) ? .late : .here
            return Standing(member: person.id, state: state, said: said)
        }
    }
}
