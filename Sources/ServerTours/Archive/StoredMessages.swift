import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel
import TourWire

/// A sealed message, and when the server stored it.
package struct StoredMessage: Sendable {
    /// The message's event.
    package let event: Event
    /// Microseconds since 1970; nil for events from before the server recorded the time.
    let takenAt: Int64?

    /// The message's place in the tour's order: clock, the author's first 8 bytes, sequence.
    var key: [UInt8] {
        let bytes = event.bytes
        return Array(bytes[106..<114] + bytes[34..<42] + bytes[66..<74])
    }
}

/// The sealed messages of tours in their order, inside one transaction, for an archive to open.
struct MessageRows {
    let sql: any SQL

    /// One page of sealed messages in the tour's order, and the events in which their authors may have withdrawn them.
    func messages(
        for caller: TourCaller, _ request: PageRequest
    ) throws(Failure) -> (page: Page<StoredMessage>, withdrawals: [Event]) {
        let tour = caller.tour
        var found = [StoredMessage]()
        var bytes = 0
        var key = request.cursor
        while found.count <= request.limit, bytes <= ServerLimits.messagesAnswerBytes {
            let more = try placed([.announcement, .chat, .file], behind: key, in: tour)
            guard let last = more.last else { break }
            for message in more where bytes <= ServerLimits.messagesAnswerBytes {
                found.append(message)
                bytes += message.event.bytes.count
            }
            key = last.key
        }
        // A message beyond the page shows that another page follows.
        var rows = found
        if rows.count > request.limit { rows = Array(rows.prefix(request.limit)) }
        if rows.count == found.count, bytes > ServerLimits.messagesAnswerBytes, rows.count > 1 { rows.removeLast() }
        let next = rows.count < found.count ? rows.last?.key : nil
        return (Page(rows: rows, next: next), try withdrawals(of: rows, in: tour))
    }

    /// The last name of each member, in the tour's order, as far as the archive can open it.
    func names(for access: TourAccess, _ group: TourGroup) throws(Failure) -> [MemberID: String] {
        var names: [MemberID: String] = [:]
        try readDecorations(in: access.tour, behind: []) { event in
            if case .profile(let name) = try? group.open(event) { names[event.header.author] = name }
        }
        return names
    }

    /// A withdrawal follows what it names.
    private func withdrawals(of messages: [StoredMessage], in tour: StoredTour) throws(Failure) -> [Event] {
        guard let first = messages.first else { return [] }
        let authors = Set(messages.map(\.event.header.author))
        var found = [Event]()
        try readDecorations(in: tour, behind: first.key) { event in
            if authors.contains(event.header.author) { found.append(event) }
        }
        return found
    }

    /// Reads the events that change how others are shown, behind a key, in the tour's order.
    private func readDecorations(
        in tour: StoredTour, behind first: [UInt8], _ read: (Event) -> Void
    ) throws(Failure) {
        var key = first
        while true {
            let more = try placed([.profile], behind: key, in: tour)
            guard let last = more.last else { return }
            for event in more.map(\.event) where event.bytes.count <= Limits.decorationBytesMax { read(event) }
            key = last.key
        }
    }

    /// Events of these classes behind a key, in the tour's order, at most `ServerLimits.eventsReadAtOnce`.
    /// - Parameter key: 24 bytes; a shorter key is padded with zeros, so an empty one means the beginning, and a longer
    ///   one is cut.
    private func placed(
        _ classes: [EventClass], behind key: [UInt8], in tour: StoredTour
    ) throws(Failure) -> [StoredMessage] {
        let places = classes.indices.map { "$\($0 + 6)" }.joined(separator: ", ")
        let place = Array((key + [UInt8](repeating: 0, count: 24)).prefix(24))
        let found = try sql.rows(
            """
            SELECT id, event, taken_at FROM events WHERE tour = $1 AND substr(event, 107, 8) >= $2
            AND (substr(event, 107, 8), substr(event, 35, 8), substr(event, 67, 8)) > ($3, $4, $5)
            AND substr(event, 2, 1) IN (\(places))
            ORDER BY substr(event, 107, 8), substr(event, 35, 8), substr(event, 67, 8)
            LIMIT \(ServerLimits.eventsReadAtOnce)
            """,
            [
                .integer(tour.number), .bytes(Array(place[..<8])), .bytes(Array(place[..<8])),
                .bytes(Array(place[8..<16])), .bytes(Array(place[16...])),
            ] + classes.map { .bytes([$0.rawValue]) })
        return try found.map { row throws(Failure) in
            StoredMessage(event: try row.event(1, id: 0), takenAt: try row.optionalInteger(2))
        }
    }
}
