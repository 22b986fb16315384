import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// A link to the operator's page.
package struct PageLink: Encodable, Sendable {
    /// The address, with a token that opens it once. Browsers send what stands behind the # to nobody.
    package let url: String
    /// When the link opens nothing any more.
    package let expiresAt: Date

    private enum CodingKeys: String, CodingKey {
        case url
        case expiresAt = "expires_at"
    }
}

/// The operator's page, opened by a link, until it is closed or its time is over.
struct PageSession: Sendable {
    /// The name of the operator who asked for the link.
    let user: String
    /// Microseconds since 1970.
    let expires: Int64
}

/// What opens the operator's page, inside one transaction: links that open it once, and the sessions that they opened.
/// It owns the rows of `page_links` and `page_sessions`, which hold digests alone. A session takes two secrets:
/// browsers give a cookie to every port of a host, so that other programs there see it; and the page's own storage to
/// none but the page.
package struct PageKeys {
    private let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The two secrets of a session.
    struct Secrets: Sendable {
        /// For the browser's cookie.
        let cookie: String
        /// For the page, which sends it with each request.
        let key: String
    }

    static let migrations = [
        Migration(
            name: "page-1",
            statements: [
                "CREATE TABLE page_links (digest BYTEA PRIMARY KEY, operator TEXT NOT NULL, expires BIGINT NOT NULL)",
                """
                CREATE TABLE page_sessions (
                    digest BYTEA PRIMARY KEY, key_digest BYTEA NOT NULL, operator TEXT NOT NULL,
                    expires BIGINT NOT NULL)
                """,
            ])
    ]

    /// - Parameter now: microseconds since 1970, as everywhere here.
    /// - Returns: the token of a new link.
    /// - Throws: `quota` where there are `ServerLimits.pageLinksMax`.
    func addLink(for user: String, now: Int64) throws(Failure) -> String {
        try sweep(now: now)
        guard try sql.row("SELECT COUNT(*) FROM page_links", [])?.count(0) ?? 0 < ServerLimits.pageLinksMax else {
            throw Failure(
                .quota, cause: "there are too many links that nobody has opened: 'admin page close' ends them")
        }
        let token = Self.secret()
        try sql.run(
            "INSERT INTO page_links (digest, operator, expires) VALUES ($1, $2, $3)",
            [
                .bytes(Self.digest(of: token)), .text(user),
                .integer(now + ServerLimits.pageLinkLifetime * 1_000_000),
            ])
        return token
    }

    /// Whether the token is that of a link which is not used yet.
    func hasLink(_ token: String, now: Int64) throws(Failure) -> Bool {
        try sql.row(
            "SELECT 1 FROM page_links WHERE digest = $1 AND expires > $2",
            [.bytes(Self.digest(of: token)), .integer(now)]) != nil
    }

    /// Opens a session by a link, which is used up then.
    /// - Returns: nil for a link that was used, is too old or never was.
    func open(_ token: String, now: Int64) throws(Failure) -> (session: PageSession, secrets: Secrets)? {
        let row = try sql.row(
            "DELETE FROM page_links WHERE digest = $1 AND expires > $2 RETURNING operator",
            [.bytes(Self.digest(of: token)), .integer(now)])
        guard let row else { return nil }
        let secrets = Secrets(cookie: Self.secret(), key: Self.secret())
        let session = PageSession(
            user: try row.text(0), expires: now + ServerLimits.pageSessionLifetime * 1_000_000)
        try sql.run(
            "INSERT INTO page_sessions (digest, key_digest, operator, expires) VALUES ($1, $2, $3, $4)",
            [
                .bytes(Self.digest(of: secrets.cookie)), .bytes(Self.digest(of: secrets.key)), .text(session.user),
                .integer(session.expires),
            ])
        try AuditLog(sql: sql).add(.pageOpened, by: .page(operator: session.user), now: now)
        return (session, secrets)
    }

    /// The session that has both secrets.
    func session(_ secrets: Secrets, now: Int64) throws(Failure) -> PageSession? {
        let row = try sql.row(
            "SELECT operator, expires FROM page_sessions WHERE digest = $1 AND key_digest = $2 AND expires > $3",
            [.bytes(Self.digest(of: secrets.cookie)), .bytes(Self.digest(of: secrets.key)), .integer(now)])
        return try row.map { row throws(Failure) in
            PageSession(user: try row.text(0), expires: try row.count(1))
        }
    }

    /// Ends one session.
    func end(_ secrets: Secrets) throws(Failure) {
        try sql.run("DELETE FROM page_sessions WHERE digest = $1", [.bytes(Self.digest(of: secrets.cookie))])
    }

    /// Ends all links and sessions.
    /// - Returns: how many.
    func endAll() throws(Failure) -> Int {
        try sql.run("DELETE FROM page_links", []) + sql.run("DELETE FROM page_sessions", [])
    }

    /// Deletes what is over.
    package func sweep(now: Int64) throws(Failure) {
        try sql.run("DELETE FROM page_links WHERE expires <= $1", [.integer(now)])
        try sql.run("DELETE FROM page_sessions WHERE expires <= $1", [.integer(now)])
    }

    private static func secret() -> String { Base64URL.text(of: Randomness.bytes(32)) }

    /// As that of a refresh token: both are 32 random bytes, which nobody guesses.
    private static func digest(of secret: String) -> [UInt8] { Hash.of(.refreshToken, Array(secret.utf8)).bytes }
}
