import TourCrypto

/// Makes and reads the tokens by which a caller is known.
struct Authenticator: Sendable {
    let storage: any Storage
    let keys: TokenKeys

    let outside: OutsideIssuer?

    /// - Returns: the account behind an Authorization header; nil when there is none, or it is not good any more.
    func account(_ header: String?, now: Int64) async throws(Failure) -> Account? {
        guard let token = Self.bearer(header) else { return nil }
        guard let payload = try await keys.verify(token) else { return try await outsideAccount(token, now: now) }
        guard payload.exp > now / 1_000_000, payload.sub.hasPrefix(Self.subject),
            let id = Int64(payload.sub.dropFirst(Self.subject.count))
        else { return nil }
        return try await storage.read { sql throws(Failure) in
            try sql.account(id: id, session: payload.sid, now: now)
        }
    }

    /// Somebody whom the outside issuer knows has an account from the first request on.
    private func outsideAccount(_ token: String, now: Int64) async throws(Failure) -> Account? {
        guard let outside, let subject = await outside.subject(of: token, now: now) else { return nil }
        let issuer = outside.issuer
        let known = try await storage.read { sql throws(Failure) in
            try sql.account(issuer: issuer, subject: subject)
        }
        if let known { return known }
        return try await storage.write { sql throws(Failure) in
            try sql.addAccount(issuer: issuer, subject: subject, now: now)
        }
    }

    func body(_ ticket: SessionTicket, now: Int64) async throws(Failure) -> TokenBody {
        let payload = AccessToken(
            sub: Self.subject + String(ticket.account.id), sid: ticket.session, iat: now / 1_000_000,
            exp: now / 1_000_000 + ServerLimits.accessLifetime)
        return TokenBody(
            accessToken: try await keys.sign(payload), expiresIn: ServerLimits.accessLifetime,
            refreshToken: ticket.refreshToken)
    }

    private static let subject = "account:"

    /// Source: RFC 6750, section 2.1.
    private static func bearer(_ header: String?) -> String? {
        guard let header, header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst("bearer ".count))
    }
}

/// The answer to every kind of login.
struct TokenBody: Encodable {
    let accessToken: String
    let tokenType = "bearer"
    let expiresIn: Int64
    let refreshToken: String

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
    }
}
