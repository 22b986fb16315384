import Foundation
import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// The result of a login, before the access token is signed.
package struct SessionTicket: Codable, Sendable {
    /// The account's number.
    package let account: Int64
    let session: String
    let refreshToken: String
}

/// The outcome of a refresh.
package enum Refreshing: Sendable {
    case refreshed(SessionTicket)
    /// The token is unknown or expired; or it came again when nothing excuses that, which has ended the session.
    case refused
}

/// The sessions inside one transaction. It owns the rows of `sessions` and `refresh_tokens`. A session is a chain of
/// refresh tokens, each of which follows from the one before by the server's secret: the last is valid, and the one
/// before it gives the last once more for as long as the answer that had it may be lost.
package struct SessionRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// - Throws: `accountDisabled`: no login goes by another way.
    package func open(for account: Account, from origin: SessionOrigin, now: Int64) throws(Failure) -> SessionTicket {
        try AccountRows(sql: sql).account(id: account.id)?.requireEnabled()
        let id = Base64URL.text(of: Randomness.bytes(16))
        try sql.run(
            """
            INSERT INTO sessions (id, account, created_at, expires, device, network)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(id), .integer(account.id), .integer(now),
                .integer(now / 1_000_000 + ServerLimits.sessionLifetime), SQLValue(origin.device),
                SQLValue(origin.network),
            ])
        try endOldest(of: account.id)
        let token = Base64URL.text(of: Randomness.bytes(32))
        try add(token, to: id)
        return SessionTicket(account: account.id, session: id, refreshToken: token)
    }

    /// - Throws: `accountDisabled`.
    package func refresh(
        _ token: String, from origin: SessionOrigin, secret: ServerSecret, now: Int64
    ) throws(Failure) -> Refreshing {
        let digest = SQLValue.bytes(Self.digest(of: token))
        let found = try sql.row(
            """
            SELECT \(Account.columns), sessions.id, sessions.expires, refresh_tokens.used FROM refresh_tokens
            JOIN sessions ON sessions.id = refresh_tokens.session JOIN accounts ON accounts.id = sessions.account
            WHERE refresh_tokens.digest = $1
            """, [digest])
        guard let found else { return .refused }
        let session = try found.text(Account.columnCount)
        guard try found.integer(Account.columnCount + 1) > now / 1_000_000 else { return .refused }
        let account = try Account(found)
        let seconds = now / 1_000_000
        let next = secret.refreshToken(after: token)
        let ticket = SessionTicket(account: account.id, session: session, refreshToken: next)
        let used = try found.integer(Account.columnCount + 2)
        guard used == 0 else {
            guard try isRepeat(of: digest, used: used, before: next, seconds: seconds) else {
                // Two parties hold this token: the user who logged in, and a thief. The server cannot tell which of
                // them sends it now.
                try end(session)
                return .refused
            }
            try account.requireEnabled()
            return .refreshed(ticket)
        }
        try account.requireEnabled()
        try markUsed(digest, seconds: seconds)
        try sql.run(
            "DELETE FROM refresh_tokens WHERE session = $1 AND used > 0 AND used < $2",
            [.text(session), .integer(seconds - ServerLimits.usedTokenLifetime)])
        try sql.run(
            "UPDATE sessions SET expires = $1, device = $2, network = $3 WHERE id = $4",
            [
                .integer(now / 1_000_000 + ServerLimits.sessionLifetime), SQLValue(origin.device),
                SQLValue(origin.network), .text(session),
            ])
        try add(next, to: session)
        return .refreshed(ticket)
    }

    /// Whether a used token may come again because its answer was lost, or since two requests sent it at once.
    /// - Parameter next: the token that followed it. Its use shows that its answer arrived.
    private func isRepeat(
        of digest: SQLValue, used: Int64, before next: String, seconds: Int64
    ) throws(Failure) -> Bool {
        let row = try sql.row(
            "SELECT used FROM refresh_tokens WHERE digest = $1", [.bytes(Self.digest(of: next))])
        guard let row, try row.integer(0) == 0, seconds - used <= ServerLimits.refreshGrace else { return false }
        // The clock was set back: the grace counts from here on, or it would last as long as that step.
        if seconds < used { try markUsed(digest, seconds: seconds) }
        return true
    }

    private func markUsed(_ digest: SQLValue, seconds: Int64) throws(Failure) {
        try sql.run("UPDATE refresh_tokens SET used = $1 WHERE digest = $2", [.integer(max(seconds, 1)), digest])
    }

    /// The account, while both the account and its session exist and the session has not expired.
    func account(id: Int64, session: String, now: Int64) throws(Failure) -> Account? {
        let row = try sql.row(
            """
            SELECT \(Account.columns) FROM accounts JOIN sessions ON sessions.account = accounts.id
            WHERE accounts.id = $1 AND sessions.id = $2 AND sessions.expires > $3
            """, [.integer(id), .text(session), .integer(now / 1_000_000)])
        guard let row else { return nil }
        var account = try Account(row)
        account.session = session
        return account
    }

    private func end(_ id: String) throws(Failure) {
        try sql.run("DELETE FROM refresh_tokens WHERE session = $1", [.text(id)])
        try sql.run("DELETE FROM sessions WHERE id = $1", [.text(id)])
    }

    /// - Returns: false where the account has no such session.
    package func end(_ id: String, of account: Account) throws(Failure) -> Bool {
        let own = try sql.row(
            "SELECT 1 FROM sessions WHERE id = $1 AND account = $2", [.text(id), .integer(account.id)])
        guard own != nil else { return false }
        try end(id)
        return true
    }

    /// Ends the session of the caller's token.
    package func endOwn(of caller: AuthenticatedAccount) throws(Failure) { try end(caller.session ?? "") }

    /// Ends every other session of the caller.
    package func endOthers(of caller: AuthenticatedAccount) throws(Failure) {
        try endAll(of: caller.id, but: caller.session)
    }

    /// Ends those that have expired.
    /// - Parameter seconds: since 1970.
    package func sweep(before seconds: Int64) throws(Failure) {
        for row in try sql.rows("SELECT id FROM sessions WHERE expires < $1", [.integer(seconds)]) {
            try end(try row.text(0))
        }
    }

    /// - Parameter kept: the session that does not end.
    /// - Returns: how many sessions ended.
    @discardableResult
    package func endAll(of account: Int64, but kept: String? = nil) throws(Failure) -> Int {
        var ended = 0
        for row in try sql.rows("SELECT id FROM sessions WHERE account = $1", [.integer(account)]) {
            let id = try row.text(0)
            guard id != kept else { continue }
            try end(id)
            ended += 1
        }
        return ended
    }

    private func endOldest(of account: Int64) throws(Failure) {
        let sessions = try sql.rows(
            "SELECT id FROM sessions WHERE account = $1 ORDER BY created_at DESC, id", [.integer(account)])
        for row in sessions.dropFirst(ServerLimits.sessionsPerAccountMax) { try end(try row.text(0)) }
    }

    private func add(_ refreshToken: String, to session: String) throws(Failure) {
        try sql.run(
            "INSERT INTO refresh_tokens (digest, session, used) VALUES ($1, $2, 0)",
            [.bytes(Self.digest(of: refreshToken)), .text(session)])
    }

    private static func digest(of token: String) -> [UInt8] { Hash.of(.refreshToken, Array(token.utf8)).bytes }
}
