import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Accounts with an e-mail address and a password. Contract: `Protocol/Schema/openapi.yaml`.
struct PasswordRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(
                .post, "/auth/signup", access: .open, body: .json, limits: [.signupPerAddress(parts.addressBounds)],
                handler: signUp),
            Route(.post, "/auth/login", access: .open, body: .json, limits: [.loginPerAddress], handler: logIn),
            Route(.post, "/auth/password", body: .json, limits: [.loginPerAddress], handler: changePassword),
        ]
    }

    private struct Named: Decodable {
        var email: EmailAddress
        var password: Password
        /// See `AccountInvitation`; nil where the request has none.
        var invitation: String?
    }

    /// Creates an account, or gives the calling guest's account an address and a password.
    private func signUp(_ call: Call) async throws(Failure) -> Answer {
        let body = try call.json(Named.self)
        try parts.bans.refuse(contact: body.email.text, now: call.now)
        try parts.registration.requireChance(body.invitation)
        let isTaken = try await parts.storage.read { sql throws(Failure) in
            try AccountRows(sql: sql).account(email: body.email) != nil
        }
        guard !isTaken else { throw Failure(.emailTaken, field: "email") }
        let stored = try await parts.passwords.hash(body.password)
        let (registration, secret) = (parts.registration, parts.secret)
        let (answer, account) = try await call.settle(parts.storage) { sql throws(Failure) in
            try registration.admit(body.invitation, by: secret, now: call.now, in: sql)
            let account =
                if let guest = call.account, guest.isGuest {
                    try AccountRows(sql: sql).name(guest.account, email: body.email, password: stored)
                } else {
                    try AccountRows(sql: sql).add(email: body.email, password: stored, now: call.now)
                }
            return (.success(try .json(AccountBody(account), status: .created)), account.id)
        }
        EmailProofs(parts: parts).sendBehind(body.email, of: account, call)
        return answer
    }

    private func logIn(_ call: Call) async throws(Failure) -> Answer {
        // A password that is too short or too long for any account is wrong, not ill-formed.
        struct Body: Decodable {
            var email: String
            var password: String
            var secondFactor: SecondFactorCode?
            private enum CodingKeys: String, CodingKey {
                case email, password
                case secondFactor = "second_factor"
            }
        }
        let body = try call.json(Body.self)
        guard let email = EmailAddress(body.email), let password = Password(body.password) else {
            throw Failure(.badCredentials)
        }
        try parts.bans.refuse(contact: email.text, now: call.now)
        let (secret, address, origin) = (parts.secret, call.address, SessionOrigin(call))
        let found = try await parts.storage.read { sql throws(Failure) in
            try AccountRows(sql: sql).account(email: email).map { account throws(Failure) in
                let isKnown = try KnownAddressRows(sql: sql, secret: secret).isKnown(address, of: account.id)
                return (
                    account: account, stored: try AccountRows(sql: sql).storedPassword(of: account.id), isKnown: isKnown
                )
            }
        }
        // Failed tries of strangers elsewhere lock nobody out at an address from which the account was used before.
        let (pair, what) = (RateLimit.loginPerPair, " " + email.text)
        let limits: [(limit: RateLimit, who: String)] =
            found?.isKnown == true
            ? [(pair, address + what)] : pair.at(address, what) + [(.loginOfStrangers, email.text)]
        try await parts.rates.count(limits, now: call.now)
        let match = try await parts.passwords.match(password, found?.stored)
        guard match != .wrong, let found else { throw Failure(.badCredentials) }
        let account = found.account
        try parts.bans.refuse(account: account.id, now: call.now)
        try await SecondFactorCheck(parts: parts).begin(
            body.secondFactor, of: account, isKnown: found.isKnown, now: call.now)
        // A login succeeds even if there is no room to hash the password anew.
        let renewed = match == .outdated ? try? await parts.passwords.hash(password) : nil
        let (answer, outcome) = try await call.settle(parts.storage) { sql throws(Failure) in
            // A new password ends what the old one began.
            guard try AccountRows(sql: sql).storedPassword(of: account.id) == found.stored else {
                throw Self.changedMeanwhile
            }
            let factors = SecondFactors(sql: sql, secret: secret)
            let outcome = try SecondFactorCheck.outcome(of: body.secondFactor, of: account.id, factors, now: call.now)
            if let refusal = outcome.refusal { return (.failure(refusal), outcome) }
            if let renewed, let old = found.stored {
                try AccountRows(sql: sql).setPassword(renewed, of: account.id, replacing: old)
            }
            try KnownAddressRows(sql: sql, secret: secret).add(address, of: account.id, now: call.now)
            let ticket = try SessionRows(sql: sql).open(for: account, from: origin, now: call.now)
            return (.success(Answer(.ok, content: .session(ticket))), outcome)
        }
        AccountNotices(parts: parts).tell(outcome, account, call)
        return answer
    }

    /// The stored password is another one than that which was just compared: the request may be sent again.
    private static let changedMeanwhile = Failure(
        .unavailable, retryAfter: 1, cause: "the password was changed while another request compared it")

    /// Ends every other session, which locks out anybody who knew the old password.
    private func changePassword(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var currentPassword: String?
            var password: Password
            private enum CodingKeys: String, CodingKey {
                case currentPassword = "current_password"
                case password
            }
        }
        let account = try call.requireAccount()
        let body = try call.json(Body.self)
        guard !account.isGuest else { throw Failure(.forbidden) }
        try await parts.rates.count([.loginPerPair], for: "account:\(account.id)", now: call.now)
        let old = try await parts.storage.read { sql throws(Failure) in
            try AccountRows(sql: sql).storedPassword(of: account.id)
        }
        if let old {
            guard let current = body.currentPassword else { throw .invalid("current_password") }
            guard let typed = Password(current), try await parts.passwords.match(typed, old) != .wrong else {
                throw Failure(.badCredentials, field: "current_password")
            }
        }
        let stored = try await parts.passwords.hash(body.password)
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard try account.isOpen(at: call.now, in: sql) else { throw Failure(.unauthenticated) }
            guard try AccountRows(sql: sql).storedPassword(of: account.id) == old else { throw Self.changedMeanwhile }
            try AccountRows(sql: sql).setPassword(stored, of: account.id)
            try SessionRows(sql: sql).endOthers(of: account)
            try AuditLog(sql: sql).add(.passwordChanged, by: .account(account.id), account: account.id, now: call.now)
            return .noContent
        }
    }
}
