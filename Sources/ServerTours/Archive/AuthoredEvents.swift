import ServerBase
import ServerStorage
import TourModel

/// The events of one member, in the order of its log, inside one transaction.
package struct AuthoredEvents {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// Some events of these classes behind a place of the log.
    /// - Parameter place: 0 at the beginning.
    /// - Returns: at most `ServerLimits.exportRowsAtOnce` events, and the place behind which others follow; nil at the
    ///   end of the log.
    package func page(
        of member: MemberID, in tour: StoredTour, _ classes: [EventClass], behind place: Int64
    ) throws(Failure) -> (messages: [StoredMessage], next: Int64?) {
        let wanted = classes.indices.map { "$\($0 + 4)" }.joined(separator: ", ")
        let found = try sql.rows(
            """
            SELECT events.id, events.event, events.taken_at, events.sequence FROM events
            JOIN logs ON logs.tour = events.tour AND logs.number = events.log
            WHERE logs.tour = $1 AND logs.author = $2 AND events.sequence > $3
            AND substr(events.event, 2, 1) IN (\(wanted))
            ORDER BY events.sequence LIMIT \(ServerLimits.exportRowsAtOnce)
            """,
            [.integer(tour.number), .bytes(member.bytes), .integer(place)] + classes.map { .bytes([$0.rawValue]) })
        let messages = try found.map { row throws(Failure) in
            StoredMessage(event: try row.event(1, id: 0), takenAt: try row.optionalInteger(2))
        }
        return (messages, found.count == ServerLimits.exportRowsAtOnce ? try found.last?.count(3) : nil)
    }
}
