import Foundation
import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage

// The operator lets people in, whatever the server's registration rule says.
extension ServerOperator {
    /// Makes an account. The operator vouches for the contact, which counts as proven.
    /// - Parameter contact: an e-mail address or a phone number.
    /// - Parameter cost: of hashing the password that an account with an address gets.
    /// - Throws: `invalidField` for what is neither; `emailTaken`, `phoneTaken`; `unavailable`; `newerDatabase`.
    package func makeAccount(
        _ contact: String, cost: PasswordHasher.Cost = .interactive
    ) async throws(Failure) -> MadeAccount {
        let (phone, email) = (PhoneNumber(contact), EmailAddress(contact))
        guard phone != nil || email != nil else {
            throw Failure(
                .invalidField, field: "contact",
                cause: "\(contact) is neither an e-mail address nor a phone number with its country code, +90532…")
        }
        // The owner of the phone logs in by a code that is sent to it.
        let text = phone == nil ? AccountInvitation.random().text : nil
        let stored = try await Self.hash(text, cost)
        let (now, actor) = (now(), actor)
        let account = try await write { sql throws(Failure) in
            let accounts = AccountRows(sql: sql)
            let account = try accounts.add(
                email: phone == nil ? email : nil, phone: phone, password: stored, now: now)
            if phone == nil { try accounts.setEmailProven(of: account.id) }
            try AuditLog(sql: sql).add(.accountMade, by: actor, account: account.id, now: now)
            return try Self.summary(of: account, now: now, in: sql)
        }
        return MadeAccount(account: account, password: text)
    }

    private static func hash(_ text: String?, _ cost: PasswordHasher.Cost) async throws(Failure) -> String? {
        guard let password = text.flatMap(Password.init) else { return nil }
        let hasher = try PasswordHasher(cost: cost)
        let result: Result<String, Failure>
        do throws(Failure) { result = .success(try await hasher.hash(password)) } catch { result = .failure(error) }
        await hasher.stop()
        return try result.get()
    }

    /// Makes a code by which one person makes an account where registration is by invitation.
    /// - Parameter days: for how long it is good.
    /// - Throws: `quota` where too many are open; `unavailable`; `newerDatabase`.
    package func inviteAccount(days: Int) async throws(Failure) -> OpenInvitation {
        let secret = try ServerSecret(directory: door.directory)
        let (now, actor, invitation) = (now(), actor, AccountInvitation.random())
        let expires = now / 1_000_000 + Int64(days) * 86_400
        try await write { sql throws(Failure) in
            try AccountInvitationRows(sql: sql, secret: secret).add(invitation, until: expires, now: now / 1_000_000)
            try AuditLog(sql: sql).add(.accountInvited, by: actor, now: now)
        }
        return OpenInvitation(code: invitation.text, expiresAt: Date(timeIntervalSince1970: Double(expires)))
    }
}

/// An account that the operator made.
package struct MadeAccount: Encodable, Sendable {
    /// The account as it is now.
    package let account: AccountSummary
    /// Its password, which nothing shows again; nil for one with a phone.
    package let password: String?
}

/// A code by which one person makes an account.
package struct OpenInvitation: Encodable, Sendable {
    /// The code, which nothing shows again.
    package let code: String
    /// When it ends, unless it is used before.
    package let expiresAt: Date

    private enum CodingKeys: String, CodingKey {
        case code
        case expiresAt = "expires_at"
    }
}
