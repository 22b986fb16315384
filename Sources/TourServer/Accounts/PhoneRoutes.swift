import HTTPTypes

/// Accounts with a phone number: the owner returns a code that was sent to the number.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct PhoneRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        [
            Route(
                .post, "/auth/sms/request", access: .open, body: .json, limits: [.smsPerAddress],
                handler: requestCode),
            Route(
                .post, "/auth/sms/verify", access: .open, body: .json, limits: [.codesPerAddress],
                handler: verifyCode),
        ]
    }

    /// Answers alike whether or not an account has the number.
    private func requestCode(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var phone: PhoneNumber }
        let phone = try call.json(Body.self).phone
        let code = SMSCode.random()
        let (secret, address) = (parts.secret, call.address)
        let isKnown = try await parts.storage.read { sql throws(Failure) in
            guard let account = try sql.account(phone: phone) else { return false }
            return try sql.isKnown(address, of: account.id, secret)
        }
        // Codes that strangers had sent to a phone do not count against its owner at a known address.
        let side = isKnown ? "known" : "strangers"
        let who = phone.text + " " + side
        try parts.rates.count(
            [(.smsPerPhone, who), (.smsPerPhoneAndDay, who), (.smsOfServer(perDay: parts.smsPerDay), side)],
            now: call.now)
        try await parts.storage.write { sql throws(Failure) in
            try sql.setCode(code, of: phone, for: address, secret, now: call.now)
        }
        try await parts.send(code.message(in: call.language), to: phone)
        return Answer(.accepted)
    }

    /// Logs in to the account that has the number. The first success creates the account, or gives the guest's the
    /// number.
    private func verifyCode(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var phone: PhoneNumber
            var code: String
        }
        let body = try call.json(Body.self)
        // A string that is not six digits counts as a wrong code.
        guard let code = SMSCode(body.code) else { throw Failure(.badCode) }
        let (secret, address) = (parts.secret, call.address)
        return try await call.settle(parts.storage) { sql throws(Failure) in
            guard try sql.tryCode(code, of: body.phone, from: address, secret, now: call.now) else {
                return (.failure(Failure(.badCode)), ())
            }
            let owner = try sql.account(phone: body.phone)
            let account: Account
            if let guest = call.account, guest.isGuest {
                // The code stays valid: without the guest's token it logs in to the account that has the number.
                guard owner == nil else { return (.failure(Failure(.phoneTaken, field: "phone")), ()) }
                account = try sql.name(guest, phone: body.phone)
            } else if let owner {
                account = owner
            } else {
                account = try sql.addAccount(phone: body.phone, now: call.now)
            }
            try sql.removeCodes(of: body.phone)
            try sql.know(address, of: account.id, secret, now: call.now)
            let ticket = try sql.openSession(of: account, now: call.now)
            return (.success(Answer(.ok, content: .session(ticket))), ())
        }.answer
    }
}
