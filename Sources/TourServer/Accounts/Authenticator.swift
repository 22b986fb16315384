import TourCrypto

/// Makes and reads the tokens by which a caller is known.
struct Authenticator: Sendable {
    let storage: any Storage
    let keys: TokenKeys

    /// - Returns: the account behind an Authorization header; nil when there is none, or it is not good any more.
    func account(_ header: String?, now: Int64) async throws(Failure) -> Account? {
        guard let token = Self.bearer(header), let payload = try await keys.verify(token),
            payload.exp > now / 1_000_000,
            payload.sub.hasPrefix(Self.subject), let id = Int64(payload.sub.dropFirst(Self.subject.count))
        else { return nil }
        return try await storage.read { sql throws(Failure) in
            try sql.account(id: id, session: payload.sid, now: now)
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
