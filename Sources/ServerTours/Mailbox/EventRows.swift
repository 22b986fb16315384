import ServerBase
import ServerStorage
import TourGroup
import TourModel
import TourWire

/// What members pull, inside one transaction. `LogEnds` and `ControlRows` write it.
struct EventRows {
    let sql: any SQL

    /// The stored head of each log, at most the end of the log.
    func heads(of tour: StoredTour, _ group: TourGroup) throws(Failure) -> [MemberID: UInt64] {
        var heads: [MemberID: UInt64] = [:]
        let logs = try sql.rows(
            "SELECT author, head FROM logs WHERE tour = $1 ORDER BY author", [.integer(tour.number)])
        for row in logs {
            let author: MemberID = try row.identifier(0)
            let end = group.roster.members[author]?.end?.sequence ?? .max
            let head = min(UInt64(try row.count(1)), end)
            if head > 0 { heads[author] = head }
        }
        return heads
    }

    /// The same, for one of the members.
    func heads(for caller: TourCaller) throws(Failure) -> [MemberID: UInt64] {
        try heads(of: caller.tour, caller.known.group)
    }

    /// One page of events.
    /// - Parameter after: nil: everything, author by author.
    func events(for caller: TourCaller, after: [EventRange]?) throws(Failure) -> EventPage {
        let heads = try heads(for: caller)
        let ranges = after ?? heads.keys.sorted().map { EventRange(author: String($0.hex.prefix(16)), sequence: 0) }
        let byDigits = Dictionary(grouping: heads.keys) { String($0.hex.prefix(16)) }
        var page = EventPage()
        var bytes = 0
        for range in ranges {
            // Digits that match two members name neither.
            guard let authors = byDigits[range.author], authors.count == 1, let head = heads[authors[0]],
                range.sequence < head
            else { continue }
            let isWhole = try append(
                authors[0], from: range.sequence, to: head, of: caller.tour, to: &page, bytes: &bytes)
            guard isWhole else {
                page.more = true
                break
            }
        }
        return page
    }

    /// - Returns: whether the whole range fits into the page.
    private func append(
        _ author: MemberID, from first: UInt64, to last: UInt64, of tour: StoredTour, to page: inout EventPage,
        bytes: inout Int
    ) throws(Failure) -> Bool {
        var next = first
        while next < last {
            let found = try sql.rows(
                """
                SELECT events.id, events.event FROM events JOIN logs ON logs.tour = events.tour
                AND logs.number = events.log WHERE logs.tour = $1 AND logs.author = $2 AND events.sequence > $3
                AND events.sequence <= $4 ORDER BY events.sequence LIMIT \(ServerLimits.eventsReadAtOnce)
                """,
                [.integer(tour.number), .bytes(author.bytes), .integer(Int64(next)), .integer(Int64(last))])
            guard !found.isEmpty else { return true }
            for row in found {
                let event = try row.event(1, id: 0)
                let size = event.bytes.count
                guard page.events.isEmpty || bytes + size <= ServerLimits.eventsAnswerBytes else { return false }
                page.events.append(event)
                bytes += size
                next = event.header.sequence
            }
        }
        return true
    }

    /// One page of the control events behind this place, in the order in which they were stored.
    func controls(for caller: TourCaller, after: Int64) throws(Failure) -> MailboxControls {
        let found = try sql.rows(
            """
            SELECT place, event FROM controls WHERE tour = $1 AND place > $2 ORDER BY place
            LIMIT \(Limits.mailboxControlsMax + 1)
            """, [.integer(caller.tour.number), .integer(after)])
        var page = MailboxControls(events: [], next: UInt64(after), more: false)
        var bytes = 0
        for row in found {
            let event = try row.bytes(1)
            guard page.events.count < Limits.mailboxControlsMax,
                page.events.isEmpty || bytes + event.count <= Limits.mailboxControlBytesMax
            else {
                page.more = true
                break
            }
            page.events.append(event)
            page.next = UInt64(try row.count(0))
            bytes += event.count
        }
        return page
    }
}
