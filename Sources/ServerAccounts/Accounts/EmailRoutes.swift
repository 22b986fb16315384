import HTTPTypes
import ServerBase
import ServerRequests

/// Routes by which an account proves its e-mail address, and gets another one.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct EmailRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(.post, "/auth/email/request", limits: [.mailPerClient], handler: requestCode),
            Route(.post, "/auth/email/verify", body: .json, limits: [.codesPerAddress], handler: verifyCode),
            Route(.post, "/auth/me/email", body: .json, limits: [.mailPerClient], handler: requestCodeForAnother),
            Route(.put, "/auth/me/email", body: .json, limits: [.codesPerAddress], handler: setEmail),
        ]
    }

    private func requestCode(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        guard let email = account.email.flatMap({ EmailAddress($0) }) else { throw Failure(.notFound, field: "email") }
        guard !account.isEmailProven else { return .noContent }
        try await EmailProofs(parts: parts).send(to: email, of: account, call)
        return Answer(.accepted)
    }

    private func verifyCode(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var code: String }
        let account = try call.requireAccount()
        // A string that is not six digits counts as a wrong code.
        guard let code = SMSCode(try call.json(Body.self).code) else { throw Failure(.badCode) }
        let secret = parts.secret
        return try await call.settle(parts.storage) { sql throws(Failure) in
            // The address that the account has now: it may have changed since the code was sent, or since the request
            // arrived.
            let (accounts, codes) = (AccountRows(sql: sql), EmailCodeRows(sql: sql, secret: secret))
            // The code was made for today's form of it, which the account may be unable to have.
            guard let email = try accounts.account(id: account.id)?.email.flatMap({ EmailAddress($0) }),
                try codes.isGood(code, to: email.text, of: account.id, now: call.now)
            else { return (.failure(Failure(.badCode)), ()) }
            try codes.remove(of: account.id)
            try accounts.setEmailProven(of: account.id)
            return (.success(try .json(AccountBody(try account.current(in: sql).account))), ())
        }.answer
    }

    /// Answers alike whether or not another account has the address.
    private func requestCodeForAnother(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var email: EmailAddress }
        let account = try call.requireAccount()
        let email = try call.json(Body.self).email
        guard account.provenEmail != email.text else { return .noContent }
        try await EmailProofs(parts: parts).send(to: email, of: account, call)
        return Answer(.accepted)
    }

    /// Gives the account an address, in place of the one that it had.
    private func setEmail(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var email: EmailAddress
            var code: String
            var invitation: String?
        }
        let account = try call.requireAccount()
        let (body, proof) = (try call.json(Body.self), try call.json(OwnerProof.self))
        guard let code = SMSCode(body.code) else { throw Failure(.badCode) }
        try parts.bans.refuse(contact: body.email.text, now: call.now)
        try await proof.check(account, parts, call)
        let (registration, secret, email) = (parts.registration, parts.secret, body.email)
        let (answer, factor) = try await call.settle(parts.storage) {
            sql throws(Failure) -> (Result<Answer, Failure>, SecondFactorCheck.Outcome?) in
            guard try account.isOpen(at: call.now, in: sql) else { throw Failure(.unauthenticated) }
            let codes = EmailCodeRows(sql: sql, secret: secret)
            guard try codes.isGood(code, to: email.text, of: account.id, now: call.now) else {
                return (.failure(Failure(.badCode)), nil)
            }
            let factors = SecondFactors(sql: sql, secret: secret)
            let factor = try SecondFactorCheck.outcome(of: proof.secondFactor, of: account.id, factors, now: call.now)
            if let refusal = factor.refusal { return (.failure(refusal), nil) }
            if account.isGuest { try registration.admit(body.invitation, by: secret, now: call.now, in: sql) }
            // Only whoever reads the mail learns that an account has the address too.
            let changed = try AccountContacts(sql: sql).setEmail(email, of: account.id)
            try codes.remove(of: account.id)
            try AuditLog(sql: sql).add(.emailChanged, by: .account(account.id), account: account.id, now: call.now)
            return (.success(try .json(AccountBody(changed))), factor)
        }
        if let factor {
            AccountNotices(parts: parts).tell(factor, account.account, call)
            AccountNotices(parts: parts).tell(.emailChanged, account.account, call)
        }
        return answer
    }
}
