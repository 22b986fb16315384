import NIOHTTP1
import TourAPI

/// The account at a server, for the user who is logged in there or has forgotten the password.
/// Source: `Protocol/Schema/openapi.yaml`.
package struct ServerAccount: Sendable {
    /// The proof with which a user logs in.
    package enum Proof: Sendable {
        case password(email: String, String)
        /// Asks the server to send a code to this phone.
        case phone(String)
        case code(phone: String, String)
    }

    /// An e-mail address or a phone.
    package enum Contact: Sendable {
        case email(String)
        case phone(String)

        fileprivate var field: [String: String] {
            switch self {
            case .email(let email): ["email": email]
            case .phone(let phone): ["phone": phone]
            }
        }
    }

    /// What shows the server that the owner asks: the password of an account that has one, and its second factor.
    package struct OwnerProof: Sendable {
        package var password: String?
        package var secondFactor: String?

        package init(password: String?, secondFactor: String?) {
            self.password = password
            self.secondFactor = secondFactor
        }

        fileprivate var fields: [String: String] {
            ["current_password": password, "second_factor": secondFactor].compactMapValues(\.self)
        }
    }

    private let client: APIClient

    package init(client: APIClient) { self.client = client }

    /// The server's address.
    package var server: String { client.base.description }

    /// The organisations that the account is in.
    package var organisations: ServerOrganisations { ServerOrganisations(client: client) }

    /// Logs in, or has the server send a code.
    /// - Returns: the account as the user named it; nil after a code was sent.
    /// - Throws: `.http` with `second-factor-needed` for an account that wants one.
    package func logIn(_ proof: Proof, secondFactor: String?) async throws(APIError) -> String? {
        switch proof {
        case .phone(let phone):
            try await client.requestCode(phone: phone)
            return nil
        case .code(let phone, let code):
            try await client.logIn(phone: phone, code: code, secondFactor: secondFactor)
            return phone
        case .password(let email, let password):
            try await client.logIn(email: email, password: password, secondFactor: secondFactor)
            return email
        }
    }

    /// Ends the session here, whatever the server answers.
    package func logOut() async throws(APIError) { try await client.logOut() }

    /// The account, its second factor and its sessions.
    package func overview() async throws(APIError) -> AccountOverview {
        let known = try await client.request(AccountAnswer.self, Self.call(.GET, "/auth/me"))
        let factor = try await client.request(SecondFactorAnswer.self, Self.call(.GET, "/auth/second-factor"))
        let sessions = try await client.request([SessionAnswer].self, Self.call(.GET, "/auth/sessions"))
        return AccountOverview(server, known, factor, sessions)
    }

    /// Ends one session, or all but this node's own.
    /// - Parameter id: nil: all others.
    package func endSessions(_ id: String?) async throws(APIError) {
        // No other text names a session, or may stand in a path as it is.
        guard id?.utf8.allSatisfy(Self.isIDByte) ?? true else { throw .http(status: 404, code: "not-found") }
        _ = try await client.reply(to: Self.call(.DELETE, "/auth/sessions" + (id.map { "/" + $0 } ?? "")))
    }

    /// Has a code sent to a contact that the account is to get. The answer is the same whether or not another account
    /// has it.
    package func requestCode(for contact: Contact) async throws(APIError) {
        switch contact {
        case .email: _ = try await client.reply(to: Self.call(.POST, "/auth/me/email", contact.field))
        case .phone(let phone): try await client.requestCode(phone: phone)
        }
    }

    /// Gives the account the contact, by the code that came there.
    package func set(_ contact: Contact, code: String, _ proof: OwnerProof) async throws(APIError) {
        let path = if case .email = contact { "/auth/me/email" } else { "/auth/me/phone" }
        let body = contact.field.merging(["code": code]) { $1 }.merging(proof.fields) { $1 }
        _ = try await client.reply(to: Self.call(.PUT, path, body))
    }

    /// Passes on everything that the server has of the account and can read, a tar archive, in pieces as they arrive.
    /// - Parameter receive: waited for before the next piece is read.
    /// - Throws: also when the answer breaks off: what was passed on is not whole then.
    package func export(
        _ proof: OwnerProof, receive: @Sendable ([UInt8]) async -> Void
    ) async throws(APIError) {
        // Whoever asks may have typed for long, and an answer that is followed is not asked for again: this renews a
        // token that has expired.
        _ = try await client.reply(to: Self.call(.GET, "/auth/me"))
        var endpoint = Self.call(.POST, "/auth/me/export", proof.fields)
        endpoint.answer = .tar
        try await client.follow(endpoint, receive: receive)
    }

    /// Sets the password.
    /// - Parameter old: nil where there is none yet.
    package func setPassword(_ new: String, old: String?) async throws(APIError) {
        let body = ["password": new, "current_password": old].compactMapValues(\.self)
        _ = try await client.reply(to: Self.call(.POST, "/auth/password", body))
    }

    /// Has a code for a new password sent to a contact. The answer is the same whether or not an account has it.
    package func forgetPassword(of contact: Contact) async throws(APIError) {
        _ = try await client.reply(to: Self.call(.POST, "/auth/password/forgot", contact.field, access: .open))
    }

    /// Sets the password by the code that came to a contact; every session is over then.
    package func resetPassword(of contact: Contact, code: String, _ new: String) async throws(APIError) {
        let body = contact.field.merging(["code": code, "password": new]) { $1 }
        _ = try await client.reply(to: Self.call(.POST, "/auth/password/reset", body, access: .open))
    }

    /// Begins a second factor; it counts once its first code is confirmed.
    /// - Parameter proof: its second factor is not needed.
    package func beginSecondFactor(_ proof: OwnerProof) async throws(APIError) -> BegunSecondFactor {
        try await client.request(BegunSecondFactor.self, Self.call(.POST, "/auth/second-factor", proof.fields))
    }

    /// Turns the second factor on.
    /// - Returns: the recovery codes, which are shown only now.
    package func confirmSecondFactor(_ code: String) async throws(APIError) -> RecoveryCodes {
        try await codes("confirm", ["code": code])
    }

    /// Makes new recovery codes; the older ones are void.
    package func renewRecoveryCodes(_ proof: OwnerProof) async throws(APIError) -> RecoveryCodes {
        try await codes("recovery-codes", proof.fields)
    }

    /// Turns the second factor off.
    package func removeSecondFactor(_ proof: OwnerProof) async throws(APIError) {
        _ = try await client.reply(to: Self.call(.POST, "/auth/second-factor/remove", proof.fields))
    }

    /// Base 64 for addresses. Source: RFC 4648, section 5.
    private static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func codes(_ act: String, _ body: [String: String]) async throws(APIError) -> RecoveryCodes {
        let answer = try await client.request(
            RecoveryCodesAnswer.self, Self.call(.POST, "/auth/second-factor/" + act, body))
        return RecoveryCodes(recoveryCodes: Array(answer.recoveryCodes.prefix(AccountOverview.rowsMax)))
    }

    private static func call(
        _ method: HTTPMethod, _ path: String, _ body: [String: String]? = nil, access: Endpoint.Access = .account
    ) -> Endpoint {
        Endpoint(method, path, access: access, body: body.map { Endpoint.json($0) } ?? [], isInteractive: true)
    }
}
