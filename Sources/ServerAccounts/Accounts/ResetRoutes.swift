import HTTPTypes
import Logging
import ServerBase
import ServerRequests
import ServerStorage

/// Routes for an owner who forgot the password: a code goes to the account's e-mail address or phone.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct ResetRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(
                .post, "/auth/password/forgot", access: .open, body: .json,
                limits: [.mailPerClient, .smsPerAddress(parts.addressBounds)], handler: requestCode),
            Route(
                .post, "/auth/password/reset", access: .open, body: .json,
                limits: [.loginPerAddress, .codesPerAddress], handler: resetPassword),
        ]
    }

    /// The phone or e-mail address that a request names, one of them.
    private struct Named: Decodable {
        var email: EmailAddress?
        var phone: PhoneNumber?

        func contact() throws(Failure) -> SentCodes.Contact {
            switch (email, phone) {
            case (let email?, nil): .email(email)
            case (nil, let phone?): .phone(phone)
            case (nil, nil): throw .invalid("email")
            case (.some, .some): throw .invalid("phone")
            }
        }
    }

    /// Answers alike, and as soon, whether or not an account has the contact: the message goes out in the background,
    /// and only to an account's contact. The limits of the whole server are counted there too: names that no account
    /// has cost nothing, and an answer that depended on those limits would tell which names have one.
    private func requestCode(_ call: Call) async throws(Failure) -> Answer {
        let contact = try call.json(Named.self).contact()
        try parts.bans.refuse(contact: contact.text, now: call.now)
        let (secret, address, code) = (parts.secret, call.address, SMSCode.random())
        let found = try await parts.storage.read { sql throws(Failure) in
            let account = try AccountRows(sql: sql).account(toReset: contact)
            let isKnown = try account.map { account throws(Failure) in
                try KnownAddressRows(sql: sql, secret: secret).isKnown(address, of: account.id)
            }
            return (account: account, isKnown: isKnown == true)
        }
        // Codes that strangers had sent do not count against the owner at a known address.
        let side = found.isKnown ? SMSSide.known : .strangers
        let who = contact.text + " " + side.rawValue
        try await parts.rates.count(Self.limits(of: contact), for: who, now: call.now)
        try await parts.storage.write { sql throws(Failure) in
            try SentCodes(sql: sql, secret: secret).set(code, of: contact, for: address, now: call.now)
        }
        if let account = found.account { sendBehind(code, to: contact, of: account, side: side, call) }
        return Answer(.accepted)
    }

    /// Those that hold whether or not there is an account.
    private static func limits(of contact: SentCodes.Contact) -> [RateLimit] {
        switch contact {
        case .phone: [.smsPerPhone, .smsPerPhoneAndDay]
        case .email: [.mailPerAddress, .mailPerAddressAndDay]
        }
    }

    private func sendBehind(
        _ code: SMSCode, to contact: SentCodes.Contact, of account: Account, side: SMSSide, _ call: Call
    ) {
        let own = MailShare(of: account, isKnown: side == .known, now: call.now)
        let share = own == .strangers && account.isEmailProven ? .resets : own
        Task {
            do throws(Failure) {
                switch contact {
                case .phone(let phone):
                    try await parts.smsBudget.spend(on: phone, for: side, now: parts.now())
                    try await parts.send(code.message(in: call.language), to: phone)
                case .email(let email):
                    try await parts.rates.count([share.limit], now: call.now)
                    try await parts.send(code.resetMail(to: email, of: account.id, in: call.language))
                }
            } catch {
                if let limit = error.limit { parts.metrics.countRefusal(by: limit) }
                parts.logger.warning(
                    "a code for a new password could not be sent",
                    metadata: ["request": "\(call.id)", "cause": "\(error)"])
            }
        }
    }

    /// Sets a new password by a code that was sent to one of the account's contacts, ends every session, and tells the
    /// owner. A second factor stays: the next login asks for it.
    private func resetPassword(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var code: SMSCode
            var password: Password
        }
        let (named, body) = (try call.json(Named.self), try call.json(Body.self))
        let contact = try named.contact()
        try parts.bans.refuse(contact: contact.text, now: call.now)
        // Hashed first: one transaction then uses up the code and sets the password.
        let stored = try await parts.passwords.hash(body.password)
        let (bans, secret, address) = (parts.bans, parts.secret, call.address)
        let (answer, account) = try await call.settle(parts.storage) { sql throws(Failure) -> (Result, Account?) in
            let codes = SentCodes(sql: sql, secret: secret)
            guard try codes.isGood(body.code, of: contact, from: address, now: call.now),
                let account = try AccountRows(sql: sql).account(toReset: contact)
            else { return (.failure(Failure(.badCode)), nil) }
            try bans.refuse(account: account.id, now: call.now)
            try codes.remove(of: contact)
            try AccountRows(sql: sql).setPassword(stored, of: account.id)
            // The code came by mail: the address is the owner's.
            if case .email = contact { try AccountRows(sql: sql).setEmailProven(of: account.id) }
            try SessionRows(sql: sql).endAll(of: account.id)
            try AuditLog(sql: sql).add(.passwordReset, by: .account(account.id), account: account.id, now: call.now)
            return (.success(.noContent), try AccountRows(sql: sql).account(id: account.id))
        }
        if let account { AccountNotices(parts: parts).tell(.passwordReset, account, call) }
        return answer
    }

    private typealias Result = Swift.Result<Answer, Failure>
}

extension SMSCode {
    fileprivate func resetMail(to email: EmailAddress, of account: Int64, in language: Language) -> Mail {
        let minutes = ServerLimits.mailCodeLifetime / 60
        return switch language {
        case .english:
            Mail(
                to: email.text, subject: "A new tour-chat password",
                text: """
                    The code for a new password is \(digits). It is good for \(minutes) minutes.\r
                    If you did not ask for it, do nothing: your password stays as it is. Give the code to nobody.\r

                    """, account: account)
        case .turkish:
            Mail(
                to: email.text, subject: "Yeni tour-chat şifresi",
                text: """
                    Yeni şifre için kodunuz \(digits). \(minutes) dakika geçerlidir.\r
                    Siz istemediyseniz bir şey yapmayın: şifreniz olduğu gibi kalır. Kodu kimseye vermeyin.\r

                    """, account: account)
        }
    }
}
