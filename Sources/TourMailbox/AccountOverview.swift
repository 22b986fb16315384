import TourModel

/// The account at a server as its owner sees it. Shape: `Protocol/Schema/local-api.yaml`, `ServerAccount`.
package struct AccountOverview: Encodable, Sendable {
    /// The second factor of an account.
    package struct SecondFactor: Encodable, Sendable {
        package var on: Bool
        /// Whether the server wants one for the account's role.
        package var required: Bool
        package var recoveryCodesLeft: Int
    }

    /// One login. Times are RFC 3339.
    package struct Session: Encodable, Sendable {
        package var id: String
        /// This node's own.
        package var current: Bool
        @Nullable package var device: String?
        /// A part of the address, as `203.0.113.0/24`.
        @Nullable package var network: String?
        package var since: String
        package var lastUsed: String
    }

    /// The server's address.
    package var server: String
    @Nullable package var email: String?
    package var emailProven: Bool
    @Nullable package var phone: String?
    package var role: String
    package var hasPassword: Bool
    package var secondFactor: SecondFactor
    package var sessions: [Session]

    /// Sessions, and recovery codes, that are taken of an answer: no server has as many.
    static let rowsMax = 100

    init(_ server: String, _ known: AccountAnswer, _ factor: SecondFactorAnswer, _ sessions: [SessionAnswer]) {
        self.server = server
        email = known.email.isEmpty ? nil : known.email
        emailProven = known.isEmailProven ?? false
        phone = known.phone
        role = known.role
        hasPassword = known.hasPassword ?? false
        secondFactor = SecondFactor(on: factor.on, required: factor.required, recoveryCodesLeft: factor.codesLeft)
        self.sessions = sessions.prefix(Self.rowsMax).map { session in
            Session(
                id: session.id, current: session.current, device: session.device, network: session.network,
                since: ServerTime.text(milliseconds: session.createdAt.milliseconds),
                lastUsed: ServerTime.text(milliseconds: session.lastUsedAt.milliseconds))
        }
    }
}

/// A second factor that was begun: what an authenticator app reads.
package struct BegunSecondFactor: Codable, Sendable {
    /// Base 32, for an app that reads no QR code.
    package var secret: String
    /// For the QR code.
    package var uri: String
}

struct AccountAnswer: Decodable {
    var email: String
    var isEmailProven: Bool?
    var phone: String?
    var role: String
    var hasPassword: Bool?

    private enum CodingKeys: String, CodingKey {
        case email, phone, role
        case isEmailProven = "email_verified"
        case hasPassword = "has_password"
    }
}

struct SecondFactorAnswer: Decodable {
    var on: Bool
    var required: Bool
    var codesLeft: Int

    private enum CodingKeys: String, CodingKey {
        case on, required
        case codesLeft = "recovery_codes_left"
    }
}

struct SessionAnswer: Decodable {
    var id: String
    var current: Bool
    var device: String?
    var network: String?
    var createdAt: ServerTime
    var lastUsedAt: ServerTime

    private enum CodingKeys: String, CodingKey {
        case id, current, device, network
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
    }
}

struct RecoveryCodesAnswer: Decodable {
    var recoveryCodes: [String]

    private enum CodingKeys: String, CodingKey { case recoveryCodes = "recovery_codes" }
}
