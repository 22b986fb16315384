import TourGroup
import TourModel
import TourWire

/// The place behind which a client wants one author's events.
/// Source: `Protocol/09-mailbox.md`.
struct EventRange: Hashable, Sendable {
    /// The first 16 hexadecimal digits of the member id.
    let author: String
    let sequence: UInt64

    /// `AUTHOR:SEQUENCE,…`.
    /// - Throws: `invalidField` for `after`: another form, or more than `Limits.mailboxAuthorsMax` authors.
    static func list(_ text: String) throws(Failure) -> [EventRange] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Limits.mailboxAuthorsMax else { throw .invalid("after") }
        var ranges = [EventRange]()
        for part in parts {
            let fields = part.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2, fields[0].utf8.count == 16, Hex.decode(String(fields[0])) != nil,
                let sequence = UInt64(fields[1])
            else { throw .invalid("after") }
            ranges.append(EventRange(author: fields[0].lowercased(), sequence: sequence))
        }
        return ranges
    }
}

/// Some events, author by author, in the order of each log.
struct EventPage: Sendable {
    var events: [Event] = []
    /// Whether more events follow.
    var more = false
}

extension SQL {
    /// The stored head of each log, at most the end of the log.
    func heads(of tour: StoredTour, _ group: TourGroup) throws(Failure) -> [MemberID: UInt64] {
        var heads: [MemberID: UInt64] = [:]
        let logs = try rows("SELECT author, head FROM logs WHERE tour = $1 ORDER BY author", [.integer(tour.number)])
        for row in logs {
            let author: MemberID = try row.identifier(0)
            let end = group.roster.members[author]?.end?.sequence ?? .max
            let head = min(UInt64(try row.count(1)), end)
            if head > 0 { heads[author] = head }
        }
        return heads
    }

    /// One page of events.
    /// - Parameter after: nil: everything, author by author.
    func events(
        of tour: StoredTour, _ group: TourGroup, after: [EventRange]?
    ) throws(Failure) -> EventPage {
        let heads = try heads(of: tour, group)
        let ranges = after ?? heads.keys.sorted().map { EventRange(author: String($0.hex.prefix(16)), sequence: 0) }
        let byDigits = Dictionary(grouping: heads.keys) { String($0.hex.prefix(16)) }
        var page = EventPage()
        var bytes = 0
        for range in ranges {
            // Digits that match two members name neither.
            guard let authors = byDigits[range.author], authors.count == 1, let head = heads[authors[0]],
                range.sequence < head
            else { continue }
            let isWhole = try append(authors[0], from: range.sequence, to: head, of: tour, to: &page, bytes: &bytes)
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
            let found = try rows(
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
    func controls(of tour: StoredTour, after: Int64) throws(Failure) -> MailboxControls {
        let found = try rows(
            """
            SELECT place, event FROM controls WHERE tour = $1 AND place > $2 ORDER BY place
            LIMIT \(Limits.mailboxControlsMax + 1)
            """, [.integer(tour.number), .integer(after)])
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
