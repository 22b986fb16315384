import TourModel

/// When only those who lead could write: the changes between quiet and open that leaders wrote, in the tour's order.
/// The outcome does not depend on the order of arrival. Source: `Protocol/05-events.md`, "Quiet".
package struct QuietState: Sendable, Equatable {
    /// One change.
    package struct Change: Hashable, Sendable {
        /// Where it stands in the tour's order.
        package let clock: LogicalClock
        /// Its event, which decides between two with one clock.
        package let id: EventID
        /// The leader who wrote it.
        package let author: MemberID
        /// Whether it begins a quiet.
        package let isOn: Bool

        package init(clock: LogicalClock, id: EventID, author: MemberID, isOn: Bool) {
            self.clock = clock
            self.id = id
            self.author = author
            self.isOn = isOn
        }
    }

    /// In the tour's order.
    private var changes: [Change] = []

    package init() {}

    /// The change that holds now; nil: nobody ever asked for quiet.
    package var last: Change? { changes.last }

    /// Whether only those who lead may write now.
    package var isOn: Bool { changes.last?.isOn ?? false }

    /// - Returns: the part of the tour's order in which events may count otherwise from now on, from its first clock to
    ///   the next change's; nil: nothing changes.
    @discardableResult
    package mutating func record(_ change: Change) -> ClosedRange<LogicalClock>? {
        let place = index(behind: change.clock, change.id)
        guard place == 0 || changes[place - 1] != change else { return nil }
        let before = place > 0 && changes[place - 1].isOn
        let end = place < changes.count ? changes[place].clock : LogicalClock(value: .max)
        changes.insert(change, at: place)
        if changes.count > Limits.quietChangesMax { changes.removeFirst() }
        return before == change.isOn ? nil : change.clock...end
    }

    /// Whether it was quiet at a place of the tour's order.
    package func isOn(at clock: LogicalClock, _ id: EventID) -> Bool {
        let place = index(behind: clock, id)
        return place > 0 && changes[place - 1].isOn
    }

    /// Whether an event does not count since only those who led could write at its place.
    /// - Parameter leads: whether its author led there.
    package func withholds(_ header: EventHeader, _ id: EventID, leads: Bool) -> Bool {
        !leads && Self.mayWithhold(header.eventClass) && isOn(at: header.clock, id)
    }

    /// Calls for help, words to the guides alone, answers and names always go.
    private static func mayWithhold(_ eventClass: EventClass) -> Bool {
        ![.control, .announcement, .profile].contains(eventClass)
    }

    /// The number of changes at or before a place.
    private func index(behind clock: LogicalClock, _ id: EventID) -> Int {
        var range = 0..<changes.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if (changes[middle].clock, changes[middle].id) <= (clock, id) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }
}
