import Foundation
import TourCrypto
import TourModel

/// The result of a login, before the access token is signed.
package struct SessionTicket: Codable, Sendable {
    /// The account's number.
    let account: Int64
    let session: String
    let refreshToken: String
}

/// The outcome of a refresh.
enum Refreshing: Sendable {
    case refreshed(SessionTicket)
    /// The token is unknown or expired; or it was used already, which has ended the session.
    case refused
}

// Reads and writes sessions inside one transaction. A session is a chain of refresh tokens; only the last is valid.
extension SQL {
    /// - Throws: `accountDisabled`: no login goes by another way.
    func openSession(of account: Account, from origin: SessionOrigin, now: Int64) throws(Failure) -> SessionTicket {
        try self.account(id: account.id)?.requireEnabled()
        let id = Data(Randomness.bytes(16)).base64URL
        try run(
            """
            INSERT INTO sessions (id, account, created_at, expires, device, network)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(id), .integer(account.id), .integer(now),
                .integer(now / 1_000_000 + ServerLimits.sessionLifetime), SQLValue(origin.device),
                SQLValue(origin.network),
            ])
        try endOldestSessions(of: account.id)
        return SessionTicket(account: account.id, session: id, refreshToken: try addRefreshToken(to: id))
    }

    /// - Throws: `accountDisabled`.
    func refresh(_ token: String, from origin: SessionOrigin, now: Int64) throws(Failure) -> Refreshing {
        let digest = SQLValue.bytes(Self.digest(of: token))
        let found = try row(
            """
            SELECT \(Account.columns), sessions.id, sessions.expires, refresh_tokens.used FROM refresh_tokens
            JOIN sessions ON sessions.id = refresh_tokens.session JOIN accounts ON accounts.id = sessions.account
            WHERE refresh_tokens.digest = $1
            """, [digest])
        guard let found else { return .refused }
        let session = try found.text(Account.columnCount)
        guard try found.integer(Account.columnCount + 1) > now / 1_000_000 else { return .refused }
        guard try found.integer(Account.columnCount + 2) == 0 else {
            // Two parties hold this token: the user who logged in, and a thief. The server cannot tell which of them
            // sends it now.
            try endSession(session)
            return .refused
        }
        let account = try Account(found)
        try account.requireEnabled()
        let seconds = now / 1_000_000
        try run("UPDATE refresh_tokens SET used = $1 WHERE digest = $2", [.integer(max(seconds, 1)), digest])
        try run(
            "DELETE FROM refresh_tokens WHERE session = $1 AND used > 0 AND used < $2",
            [.text(session), .integer(seconds - ServerLimits.usedTokenLifetime)])
        try run(
            "UPDATE sessions SET expires = $1, device = $2, network = $3 WHERE id = $4",
            [
                .integer(now / 1_000_000 + ServerLimits.sessionLifetime), SQLValue(origin.device),
                SQLValue(origin.network), .text(session),
            ])
        return .refreshed(
            SessionTicket(
                account: account.id, session: session, refreshToken: try addRefreshToken(to: session)))
    }

    /// The account, while both the account and its session exist and the session has not expired.
    func account(id: Int64, session: String, now: Int64) throws(Failure) -> Account? {
        let row = try row(
            """
            SELECT \(Account.columns) FROM accounts JOIN sessions ON sessions.account = accounts.id
            WHERE accounts.id = $1 AND sessions.id = $2 AND sessions.expires > $3
            """, [.integer(id), .text(session), .integer(now / 1_000_000)])
        guard let row else { return nil }
        var account = try Account(row)
        account.session = session
        return account
    }

    func endSession(_ id: String) throws(Failure) {
        try run("DELETE FROM refresh_tokens WHERE session = $1", [.text(id)])
        try run("DELETE FROM sessions WHERE id = $1", [.text(id)])
    }

    /// - Parameter kept: the session that does not end.
    /// - Returns: how many sessions ended.
    @discardableResult
    func endSessions(of account: Int64, but kept: String? = nil) throws(Failure) -> Int {
        var ended = 0
        for row in try rows("SELECT id FROM sessions WHERE account = $1", [.integer(account)]) {
            let id = try row.text(0)
            guard id != kept else { continue }
            try endSession(id)
            ended += 1
        }
        return ended
    }

    private func endOldestSessions(of account: Int64) throws(Failure) {
        let sessions = try rows(
            "SELECT id FROM sessions WHERE account = $1 ORDER BY created_at DESC, id", [.integer(account)])
        for row in sessions.dropFirst(ServerLimits.sessionsPerAccountMax) { try endSession(try row.text(0)) }
    }

    private func addRefreshToken(to session: String) throws(Failure) -> String {
        let token = Data(Randomness.bytes(32)).base64URL
        try run(
            "INSERT INTO refresh_tokens (digest, session, used) VALUES ($1, $2, 0)",
            [.bytes(Self.digest(of: token)), .text(session)])
        return token
    }

    private static func digest(of token: String) -> [UInt8] { Hash.of(.refreshToken, Array(token.utf8)).bytes }
}
