import TourModel
import TourWire

/// Urgent announcements, and the members who confirmed them. The outcome does not depend on the order of arrival.
/// Source: `Protocol/05-events.md`, "Urgent announcements".
package struct UrgentState: Sendable {
    /// One announcement.
    package struct Entry: Sendable {
        package let id: EventID
        package let header: EventHeader
        package let announcement: Content.Announcement
    }

    private struct Understanding {
        let event: EventID
        let clock: LogicalClock
    }

    private static let entriesMax = 64
    /// How long an announcement asks to be understood, unless its author says otherwise.
    package static let standardSeconds: Int64 = 4 * 3_600

    /// In the tour's order; only the newest are kept.
    package private(set) var entries: [Entry] = []
    private var understandings: [MemberID: [Understanding]] = [:]

    package init() {}

    /// Records an announcement.
    package mutating func record(_ announcement: Content.Announcement, _ header: EventHeader, _ id: EventID) {
        guard announcement.urgent, !entries.contains(where: { $0.id == id }) else { return }
        let index = entries.lastIndex { ($0.header.clock, $0.id) < (header.clock, id) }.map { $0 + 1 } ?? 0
        entries.insert(Entry(id: id, header: header, announcement: announcement), at: index)
        if entries.count > Self.entriesMax { entries.removeFirst() }
    }

    /// Records a member's confirmation, whether or not the announcement is here; the member's first one counts.
    package mutating func record(understood event: EventID, by member: MemberID, clock: LogicalClock) {
        var said = understandings[member] ?? []
        if let known = said.firstIndex(where: { $0.event == event }) {
            guard clock < said[known].clock else { return }
            said.remove(at: known)
        }
        let index = said.lastIndex { ($0.clock, $0.event) < (clock, event) }.map { $0 + 1 } ?? 0
        said.insert(Understanding(event: event, clock: clock), at: index)
        understandings[member] = said.suffix(Limits.understoodOfMemberMax)
    }

    /// When the member confirmed it; nil: it has not.
    package func understood(_ event: EventID, by member: MemberID) -> LogicalClock? {
        understandings[member]?.first { $0.event == event }?.clock
    }

    /// The author withdrew its announcement.
    package mutating func withdraw(_ id: EventID, by author: MemberID) {
        entries.removeAll { $0.id == id && $0.header.author == author }
    }
}
