import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Accounts with a phone number: the owner returns a code that was sent to the number.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct PhoneRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(.post, "/auth/sms/request", access: .open, body: .json, handler: requestCode),
            Route(
                .post, "/auth/sms/verify", access: .open, body: .json, limits: [.codesPerAddress],
                handler: verifyCode),
            Route(.put, "/auth/me/phone", body: .json, limits: [.codesPerAddress], handler: setPhone),
        ]
    }

    /// Answers alike whether or not an account has the number.
    private func requestCode(_ call: Call) async throws(Failure) -> Answer {
        // A request with a malformed body counts too.
        try await countAsked(call)
        struct Body: Decodable { var phone: PhoneNumber }
        let phone = try call.json(Body.self).phone
        try parts.bans.refuse(contact: phone.text, now: call.now)
        let code = SMSCode.random()
        let (secret, address) = (parts.secret, call.address)
        let isKnown = try await parts.storage.read { sql throws(Failure) in
            guard let account = try AccountRows(sql: sql).account(phone: phone) else { return false }
            return try KnownAddressRows(sql: sql, secret: secret).isKnown(address, of: account.id)
        }
        // Codes that strangers had sent to a phone do not count against its owner at a known address.
        let side = isKnown ? SMSSide.known : .strangers
        try await parts.smsBudget.requireRoom(for: phone, of: side, now: parts.now())
        try await parts.rates.count(
            [.smsPerPhone, .smsPerPhoneAndDay], for: phone.text + " " + side.rawValue, now: call.now)
        try await parts.smsBudget.spend(on: phone, for: side, now: parts.now())
        try await parts.storage.write { sql throws(Failure) in
            try SentCodes(sql: sql, secret: secret).set(code, of: .phone(phone), for: address, now: call.now)
        }
        try await parts.send(code.message(in: call.language), to: phone)
        return Answer(.accepted)
    }

    /// Counts a message that the client's address asks for. Strangers get few; where a guide is, a group gets more.
    private func countAsked(_ call: Call) async throws(Failure) {
        do throws(Failure) {
            let limits = RateLimit.smsPerAddress(parts.addressBounds).at(call.address)
            try await parts.rates.count(limits, now: call.now)
        } catch {
            guard error.code == .tooManyRequests else { throw error }
            try await parts.rates.count([.smsGuidesAsked], for: call.address, now: call.now)
            let secret = parts.secret
            let isOfGuides = try await parts.storage.read { sql throws(Failure) in
                try KnownAddressRows(sql: sql, secret: secret).isOfGuides(call.address, now: call.now)
            }
            guard isOfGuides else { throw error }
            try await parts.rates.count([.smsPerAddressOfGuides], for: call.address, now: call.now)
        }
    }

    /// Logs in to the account that has the number. The first success creates the account, or gives the guest's the
    /// number.
    private func verifyCode(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var phone: PhoneNumber
            var code: String
            var secondFactor: SecondFactorCode?
            var invitation: String?
            private enum CodingKeys: String, CodingKey {
                case phone, code, invitation
                case secondFactor = "second_factor"
            }
        }
        let body = try call.json(Body.self)
        // A string that is not six digits counts as a wrong code.
        guard let code = SMSCode(body.code) else { throw Failure(.badCode) }
        let (bans, secret, address, origin) = (parts.bans, parts.secret, call.address, SessionOrigin(call))
        let registration = parts.registration
        try bans.refuse(contact: body.phone.text, now: call.now)
        let (answer, extra) = try await call.settle(parts.storage) { sql throws(Failure) -> (Outcome, Told?) in
            let codes = SentCodes(sql: sql, secret: secret)
            guard try codes.isGood(code, of: .phone(body.phone), from: address, now: call.now) else {
                return (.failure(Failure(.badCode)), nil)
            }
            let owner = try AccountRows(sql: sql).account(phone: body.phone)
            let account: Account
            if let guest = call.account, guest.isGuest {
                // The code stays valid: without the guest's token it logs in to the account that has the number.
                guard owner == nil else { return (.failure(Failure(.phoneTaken, field: "phone")), nil) }
                try registration.admit(body.invitation, by: secret, now: call.now, in: sql)
                account = try AccountRows(sql: sql).name(guest.account, phone: body.phone)
            } else if let owner {
                try bans.refuse(account: owner.id, now: call.now)
                account = owner
            } else {
                // Only whoever has the phone learns that no account has it.
                try registration.admit(body.invitation, by: secret, now: call.now, in: sql)
                account = try AccountRows(sql: sql).add(phone: body.phone, now: call.now)
            }
            // The code stays good for the request that brings the second factor; its few tries bound guesses at both.
            let factors = SecondFactors(sql: sql, secret: secret)
            let factor = try SecondFactorCheck.outcome(of: body.secondFactor, of: account.id, factors, now: call.now)
            if let refusal = factor.refusal { return (.failure(refusal), nil) }
            try codes.remove(of: .phone(body.phone))
            try KnownAddressRows(sql: sql, secret: secret).add(address, of: account.id, now: call.now)
            let ticket = try SessionRows(sql: sql).open(for: account, from: origin, now: call.now)
            return (.success(Answer(.ok, content: .session(ticket))), (account, factor))
        }
        if let (account, factor) = extra { AccountNotices(parts: parts).tell(factor, account, call) }
        return answer
    }

    private typealias Outcome = Result<Answer, Failure>
    private typealias Told = (account: Account, factor: SecondFactorCheck.Outcome)

    /// Gives the account a number, in place of the one that it had: by a code of `/auth/sms/request`.
    private func setPhone(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var phone: PhoneNumber
            var code: String
            var invitation: String?
        }
        let account = try call.requireAccount()
        let (body, proof) = (try call.json(Body.self), try call.json(OwnerProof.self))
        guard let code = SMSCode(body.code) else { throw Failure(.badCode) }
        try parts.bans.refuse(contact: body.phone.text, now: call.now)
        try await proof.check(account, parts, call)
        let (registration, secret, address) = (parts.registration, parts.secret, call.address)
        let (answer, factor) = try await call.settle(parts.storage) {
            sql throws(Failure) -> (Outcome, SecondFactorCheck.Outcome?) in
            guard try account.isOpen(at: call.now, in: sql) else { throw Failure(.unauthenticated) }
            let codes = SentCodes(sql: sql, secret: secret)
            guard try codes.isGood(code, of: .phone(body.phone), from: address, now: call.now) else {
                return (.failure(Failure(.badCode)), nil)
            }
            let factors = SecondFactors(sql: sql, secret: secret)
            let factor = try SecondFactorCheck.outcome(of: proof.secondFactor, of: account.id, factors, now: call.now)
            if let refusal = factor.refusal { return (.failure(refusal), nil) }
            if account.isGuest { try registration.admit(body.invitation, by: secret, now: call.now, in: sql) }
            // Only whoever has the phone learns that an account has it too.
            let changed = try AccountContacts(sql: sql).setPhone(body.phone, of: account.id)
            try codes.remove(of: .phone(body.phone))
            try AuditLog(sql: sql).add(.phoneChanged, by: .account(account.id), account: account.id, now: call.now)
            return (.success(try .json(AccountBody(changed))), factor)
        }
        if let factor {
            AccountNotices(parts: parts).tell(factor, account.account, call)
            AccountNotices(parts: parts).tell(.phoneChanged, account.account, call)
        }
        return answer
    }
}
