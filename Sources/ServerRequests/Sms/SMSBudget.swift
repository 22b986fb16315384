import Logging
import ServerBase
import ServerStorage

/// Bounds what text messages cost. Each is counted in the database before it is sent, in one transaction against all
/// caps that it falls under, so that restarts forgive nothing and several processes share the caps.
/// Source: `Protocol/10-server.md`, "Text messages".
package struct SMSBudget: Sendable {
    let storage: any Storage
    let caps: SMSCaps
    let logger: Logger

    /// Asks before limits of the phone's own are counted: what the caps refuse uses up nothing of those. Another
    /// message may still come between this and `spend`.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `tooManyRequests`, as `spend` would.
    package func requireRoom(for phone: PhoneNumber, of side: SMSSide, now: Int64) async throws(Failure) {
        let (prefix, caps) = (CountryPrefix(of: phone), caps)
        try await storage.read { sql throws(Failure) in
            try SMSSpending(sql: sql).requireRoom(for: prefix, of: side, caps, now: now)
        }
    }

    /// Counts a message that is about to be sent; a refused one counts nowhere. One that then fails stays counted: who
    /// was to send it may have done so, and asks for the money.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `tooManyRequests` with the seconds to wait.
    package func spend(on phone: PhoneNumber, for side: SMSSide, now: Int64) async throws(Failure) {
        let (prefix, caps) = (CountryPrefix(of: phone), caps)
        let nearlyUsed = try await storage.write(.relaxed, .statements) { sql throws(Failure) in
            try SMSSpending(sql: sql).spend(on: prefix, for: side, caps, now: now)
        }
        for what in nearlyUsed {
            logger.warning(
                "80 % of the text messages of today are sent: see 'tour-server admin sms'",
                metadata: ["share": "\(what)"])
        }
    }

    /// How much of each share is used: of both sides, and of the prefix that has used the most.
    /// - Parameter now: microseconds since 1970.
    /// - Returns: from 0 to 1.
    package func used(now: Int64, in sql: any SQL) throws(Failure) -> (known: Double, strangers: Double, prefix: Double)
    {
        let spending = SMSSpending(sql: sql)
        return (
            try spending.used(by: .known, caps, now: now), try spending.used(by: .strangers, caps, now: now),
            try spending.usedByPrefixes(caps, now: now)
        )
    }
}

/// Text messages by day, prefix and side, inside one transaction. A day is one of UTC, in days since 1970; the empty
/// prefix stands for the whole server. No row leads to a person.
package struct SMSSpending {
    private let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The steps of the table of text messages.
    package static let migrations = [
        Migration(
            name: "sms-1",
            statements: [
                """
                CREATE TABLE sms_spent (
                    day BIGINT NOT NULL, prefix TEXT NOT NULL, side TEXT NOT NULL, sent BIGINT NOT NULL,
                    cap BIGINT NOT NULL, warned BIGINT NOT NULL, PRIMARY KEY (day, prefix, side))
                """
            ])
    ]

    private static let wholeServer = ""
    private static let dayMicroseconds: Int64 = 86_400 * 1_000_000

    /// Counts one message, of the prefix first: in one order everywhere no two transactions wait for each other.
    /// - Returns: the shares that have become nearly used with it, each once a day.
    /// - Throws: `tooManyRequests`.
    func spend(
        on prefix: CountryPrefix, for side: SMSSide, _ caps: SMSCaps, now: Int64
    ) throws(Failure) -> [String] {
        let day = now / Self.dayMicroseconds
        let cap = caps.count(of: prefix)
        let ofPrefix = try add(
            to: prefix.digits, side, cap: cap, day: day, or: Self.refusal(by: Self.prefixLimit, now: now))
        let pace = RateLimit.smsOfServer(perDay: caps.perDay)
        let full = try pace.count(pace.key(of: side.rawValue), now: now, in: sql)
        let ofServer = try add(
            to: Self.wholeServer, side, cap: caps.perDay, day: day, or: Self.refusal(by: pace.name, now: now))
        var nearlyUsed = [String]()
        if Self.isNearlyUsed(Self.ratio(ofPrefix, side, cap: cap)), try marks(prefix.digits, side, day: day) {
            nearlyUsed.append("+\(prefix.digits) \(side.rawValue)")
        }
        let used = max(Self.ratio(ofServer, side, cap: caps.perDay), pace.used(full, now: now))
        if Self.isNearlyUsed(used), try marks(Self.wholeServer, side, day: day) { nearlyUsed.append(side.rawValue) }
        return nearlyUsed
    }

    /// Counts nothing; the comparisons and their order are those of `spend`.
    /// - Throws: `tooManyRequests`.
    func requireRoom(for prefix: CountryPrefix, of side: SMSSide, _ caps: SMSCaps, now: Int64) throws(Failure) {
        let pace = RateLimit.smsOfServer(perDay: caps.perDay)
        let ofPrefix = try sent(to: prefix.digits, side, day: now / Self.dayMicroseconds)
        guard ofPrefix < side.share(of: caps.count(of: prefix)) else {
            throw Self.refusal(by: Self.prefixLimit, now: now)
        }
        _ = try pace.counting(try full(pace, side) ?? now, now: now, leeway: ServerLimits.clocksApart)
        let ofServer = try sent(to: Self.wholeServer, side, day: now / Self.dayMicroseconds)
        guard ofServer < side.share(of: caps.perDay) else { throw Self.refusal(by: pace.name, now: now) }
    }

    private static let prefixLimit = "sms-prefix"

    /// Until the next day.
    private static func refusal(by limit: String, now: Int64) -> Failure {
        let left = (dayMicroseconds - now % dayMicroseconds) / 1_000_000
        return Failure(.tooManyRequests, retryAfter: Int(left) + 1, limit: limit)
    }

    private func sent(to prefix: String, _ side: SMSSide, day: Int64) throws(Failure) -> Int64 {
        let row = try sql.row(
            "SELECT sent FROM sms_spent WHERE day = $1 AND prefix = $2 AND side = $3",
            [.integer(day), .text(prefix), .text(side.rawValue)])
        return try row?.count(0) ?? 0
    }

    /// When this side may send all of its messages at once again; nil: now.
    private func full(_ pace: RateLimit, _ side: SMSSide) throws(Failure) -> Int64? {
        try sql.row("SELECT arrival FROM rates WHERE key = $1", [.text(pace.key(of: side.rawValue))])?.count(0)
    }

    /// - Returns: the messages of the day with this one.
    private func add(
        to prefix: String, _ side: SMSSide, cap: Int, day: Int64, or refusal: Failure
    ) throws(Failure) -> Int64 {
        let share = side.share(of: cap)
        guard share > 0 else { throw refusal }
        let counted = try sql.row(
            """
            INSERT INTO sms_spent (day, prefix, side, sent, cap, warned) VALUES ($1, $2, $3, 1, $4, 0)
            ON CONFLICT (day, prefix, side) DO UPDATE SET sent = sms_spent.sent + 1, cap = excluded.cap
            WHERE sms_spent.sent < $5 RETURNING sent
            """, [.integer(day), .text(prefix), .text(side.rawValue), .integer(Int64(cap)), .integer(Int64(share))])
        guard let counted else { throw refusal }
        return try counted.count(0)
    }

    /// - Returns: whether nobody has told of it today.
    private func marks(_ prefix: String, _ side: SMSSide, day: Int64) throws(Failure) -> Bool {
        try sql.run(
            "UPDATE sms_spent SET warned = 1 WHERE day = $1 AND prefix = $2 AND side = $3 AND warned = 0",
            [.integer(day), .text(prefix), .text(side.rawValue)]) > 0
    }

    private static func isNearlyUsed(_ ratio: Double) -> Bool { ratio >= 0.8 }

    private static func ratio(_ sent: Int64, _ side: SMSSide, cap: Int) -> Double {
        let share = side.share(of: cap)
        return share > 0 ? min(Double(sent) / Double(share), 1) : 0
    }

    func used(by side: SMSSide, _ caps: SMSCaps, now: Int64) throws(Failure) -> Double {
        let pace = RateLimit.smsOfServer(perDay: caps.perDay)
        let sent = try sent(to: Self.wholeServer, side, day: now / Self.dayMicroseconds)
        return max(
            pace.used(try full(pace, side) ?? now, now: now), Self.ratio(sent, side, cap: caps.perDay))
    }

    func usedByPrefixes(_ caps: SMSCaps, now: Int64) throws(Failure) -> Double {
        var most = 0.0
        let found = try sql.rows(
            "SELECT prefix, side, sent FROM sms_spent WHERE day = $1 AND prefix <> ''",
            [.integer(now / Self.dayMicroseconds)])
        for row in found {
            guard let prefix = CountryPrefix(try row.text(0)), let side = SMSSide(rawValue: try row.text(1)) else {
                continue
            }
            most = max(most, Self.ratio(try row.count(2), side, cap: caps.count(of: prefix)))
        }
        return most
    }

    /// What the last days have used, the newest first; of each day the whole server first, then prefixes by what they
    /// used.
    /// - Parameter now: microseconds since 1970.
    package func days(_ count: Int, now: Int64) throws(Failure) -> [SMSSpent] {
        let rows = try sql.rows(
            """
            SELECT day, prefix, CAST(SUM(CASE WHEN side = 'known' THEN sent ELSE 0 END) AS BIGINT),
                CAST(SUM(CASE WHEN side = 'known' THEN 0 ELSE sent END) AS BIGINT), MAX(cap)
            FROM sms_spent WHERE day > $1 GROUP BY day, prefix
            """, [.integer(now / Self.dayMicroseconds - Int64(count))])
        let found = try rows.map { row throws(Failure) in
            let prefix = try row.text(1)
            return SMSSpent(
                day: try row.count(0), prefix: prefix == Self.wholeServer ? nil : "+" + prefix,
                known: try row.count(2), strangers: try row.count(3), cap: try row.count(4))
        }
        return found.sorted { one, other in
            if one.day != other.day { return one.day > other.day }
            if (one.prefix == nil) != (other.prefix == nil) { return one.prefix == nil }
            return (other.sent, one.prefix ?? "") < (one.sent, other.prefix ?? "")
        }
    }

    /// Deletes days that are older than `ServerLimits.smsSpendingDays`.
    /// - Parameter now: microseconds since 1970.
    package func sweep(now: Int64) throws(Failure) {
        try sql.run(
            "DELETE FROM sms_spent WHERE day <= $1",
            [.integer(now / Self.dayMicroseconds - ServerLimits.smsSpendingDays)])
    }
}

/// What one prefix, or the whole server, has used of a day's text messages.
package struct SMSSpent: Hashable, Sendable {
    /// Days since 1970, of UTC.
    package let day: Int64
    /// With its `+`; nil: the whole server.
    package let prefix: String?
    /// Sent to known addresses.
    package let known: Int64
    /// Sent for everybody else.
    package let strangers: Int64
    /// The cap when the last one was sent, half of it for each.
    package let cap: Int64

    /// All that were sent.
    package var sent: Int64 { known + strangers }

    /// `2026-06-01`.
    package var date: String { String((JSONForm.text(seconds: day * 86_400) ?? "").prefix(10)) }
}

extension SMSSpent: Encodable {
    private enum CodingKeys: String, CodingKey { case day, prefix, sent, known, strangers, cap }

    /// The prefix is null for the whole server.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date, forKey: .day)
        try container.encode(prefix, forKey: .prefix)
        try container.encode(sent, forKey: .sent)
        try container.encode(known, forKey: .known)
        try container.encode(strangers, forKey: .strangers)
        try container.encode(cap, forKey: .cap)
    }
}
