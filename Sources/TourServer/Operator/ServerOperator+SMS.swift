extension ServerOperator {
    /// Text messages of today and the days before, by the prefix of the number.
    /// - Parameter days: with today.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func textMessages(ofDays days: Int, limit: Int) async throws(Failure) -> OperatorPage<SMSSpent> {
        let now = now()
        return try await read { sql throws(Failure) in
            OperatorPage(try SMSSpending(sql: sql).days(days, now: now), limit: limit)
        }
    }
}
