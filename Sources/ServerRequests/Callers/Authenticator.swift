import ServerBase
import ServerStorage
import TourCrypto

/// Issues and verifies the tokens that identify callers.
package struct Authenticator: Sendable {
    let storage: any Storage
    /// The keys that sign the server's own tokens.
    package let keys: TokenKeys

    let outside: OutsideIssuer?
    /// The lowest role that counts only with a second factor; nil: none. An outside issuer asks its users for what it
    /// wants itself.
    package let secondFactorFrom: AccountRole?
    let bans: Bans
    let notebooks: NotebooksRoom

    package init(
        storage: any Storage, keys: TokenKeys, outside: OutsideIssuer?, secondFactorFrom: AccountRole?, bans: Bans,
        notebooks: NotebooksRoom
    ) {
        self.storage = storage
        self.keys = keys
        self.outside = outside
        self.secondFactorFrom = secondFactorFrom
        self.bans = bans
        self.notebooks = notebooks
    }

    /// - Returns: the caller that an Authorization header identifies; nil when the header is missing or its token is
    ///   not valid.
    /// - Throws: `accountDisabled` for any token of a disabled account, whose sessions have ended; `banned`.
    func caller(_ header: String?, now: Int64) async throws(Failure) -> Caller? {
        let caller = try await tokenCaller(header, now: now)
        if let account = caller?.account { try bans.refuse(account: account.id, now: now) }
        return caller
    }

    private func tokenCaller(_ header: String?, now: Int64) async throws(Failure) -> Caller? {
        guard let token = Self.bearer(header) else { return nil }
        guard let payload = try keys.verify(token) else {
            return try await outsideAccount(token, now: now).map { account in
                .account(AuthenticatedAccount(account, notebooks.room(of: account)))
            }
        }
        let seconds = now / 1_000_000
        guard payload.exp > seconds, payload.iat <= seconds + ServerLimits.clockLeewayMax else { return nil }
        if let member = MemberToken(subject: payload.sub) { return .member(member) }
        guard payload.sub.hasPrefix(Self.subject), let id = Int64(payload.sub.dropFirst(Self.subject.count)) else {
            return nil
        }
        let account = try await storage.lookUp { sql throws(Failure) -> Account? in
            if let account = try SessionRows(sql: sql).account(id: id, session: payload.sid, now: now) {
                try account.requireEnabled()
                return account
            }
            try AccountRows(sql: sql).account(id: id)?.requireEnabled()
            return nil
        }
        guard var account else { return nil }
        if let secondFactorFrom {
            account.lacksSecondFactor = account.role >= secondFactorFrom && !account.hasSecondFactor
        }
        return .account(AuthenticatedAccount(account, notebooks.room(of: account)))
    }

    /// The answer to a member's proof: a token without a refresh token. Only another proof renews it.
    package func body(_ member: MemberToken, now: Int64) throws(Failure) -> TokenBody {
        let payload = AccessToken(
            sub: member.subject, sid: "", iat: now / 1_000_000, exp: now / 1_000_000 + ServerLimits.accessLifetime)
        return TokenBody(
            accessToken: try keys.sign(payload), expiresIn: ServerLimits.accessLifetime, refreshToken: nil)
    }

    /// The account of a user of the outside issuer; the first request creates the account.
    private func outsideAccount(_ token: String, now: Int64) async throws(Failure) -> Account? {
        guard let outside, let subject = await outside.subject(of: token, now: now) else { return nil }
        let issuer = outside.issuer
        let known = try await storage.lookUp { sql throws(Failure) in
            try OutsideNameRows(sql: sql).account(issuer: issuer, subject: subject)
        }
        if let known {
            try known.requireEnabled()
            return known
        }
        return try await storage.write { sql throws(Failure) in
            try OutsideNameRows(sql: sql).add(issuer: issuer, subject: subject, now: now)
        }
    }

    func body(_ ticket: SessionTicket, now: Int64) throws(Failure) -> TokenBody {
        let payload = AccessToken(
            sub: Self.subject + String(ticket.account), sid: ticket.session, iat: now / 1_000_000,
            exp: now / 1_000_000 + ServerLimits.accessLifetime)
        return TokenBody(
            accessToken: try keys.sign(payload), expiresIn: ServerLimits.accessLifetime,
            refreshToken: ticket.refreshToken)
    }

    private static let subject = "account:"

    /// Source: RFC 6750, section 2.1.
    private static func bearer(_ header: String?) -> String? {
        guard let header, header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst("bearer ".count))
    }
}

/// An account whose owner sends the request, as `Authenticator` alone finds out. A repository that takes one reads and
/// changes what is this account's, and cannot be given the number of another by mistake.
@dynamicMemberLookup
package struct AuthenticatedAccount: Sendable {
    /// As it was when the request arrived.
    package let account: Account
    /// The room of its notebook.
    package let room: AccountRoom

    fileprivate init(_ account: Account, _ room: AccountRoom) { (self.account, self.room) = (account, room) }

    /// What is stored of the account.
    package subscript<Value>(dynamicMember path: KeyPath<Account, Value>) -> Value { account[keyPath: path] }

    /// Whether the session of the caller's token still is there, and the account not disabled; an outside issuer's
    /// tokens have no session.
    /// - Parameter now: microseconds since 1970.
    package func isOpen(at now: Int64, in sql: any SQL) throws(Failure) -> Bool {
        let found =
            if let session = account.session {
                try SessionRows(sql: sql).account(id: account.id, session: session, now: now)
            } else {
                try AccountRows(sql: sql).account(id: account.id)
            }
        return found.map { $0.disabledAt == nil } ?? false
    }

    /// The account as it is now, of the same session.
    /// - Throws: `unauthenticated` for one that was deleted meanwhile.
    package func current(in sql: any SQL) throws(Failure) -> AuthenticatedAccount {
        guard var found = try AccountRows(sql: sql).account(id: account.id) else { throw Failure(.unauthenticated) }
        found.session = account.session
        return AuthenticatedAccount(found, room)
    }

    /// - Parameter refusal: the code for a lower role.
    /// - Throws: that, or `secondFactorRequired`.
    package func require(_ wanted: AccountRole, or refusal: FailureCode) throws(Failure) {
        guard account.role >= wanted else { throw Failure(refusal) }
        guard !account.lacksSecondFactor else { throw Failure(.secondFactorRequired) }
    }
}

/// The authenticated sender of a request.
enum Caller: Sendable {
    case account(AuthenticatedAccount)
    case member(MemberToken)

    var account: AuthenticatedAccount? { if case .account(let account) = self { account } else { nil } }
    var member: MemberToken? { if case .member(let member) = self { member } else { nil } }

    /// The name under which rate limits count the caller.
    var name: String {
        switch self {
        case .account(let account): String(account.id)
        case .member(let member): member.subject
        }
    }
}

/// The answer to every kind of login.
package struct TokenBody: Encodable {
    let accessToken: String
    let tokenType = "bearer"
    let expiresIn: Int64
    /// nil for a member's token.
    let refreshToken: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
    }
}
