import TourAPI

extension AccountOverview {
    /// Sessions, and recovery codes, that are taken of an answer: no server has as many.
    static let rowsMax = 100

    init(_ server: String, _ known: AccountAnswer, _ factor: SecondFactorAnswer, _ sessions: [SessionAnswer]) {
        self.init(
            server: server, email: known.email.isEmpty ? nil : known.email,
            emailProven: known.isEmailProven ?? false, phone: known.phone, role: known.role,
            hasPassword: known.hasPassword ?? false,
            secondFactor: .init(on: factor.on, required: factor.required, recoveryCodesLeft: factor.codesLeft),
            sessions: sessions.prefix(Self.rowsMax).map { session in
                Session(
                    id: session.id, current: session.current, device: session.device, network: session.network,
                    since: ServerTime.text(milliseconds: session.createdAt.milliseconds),
                    lastUsed: ServerTime.text(milliseconds: session.lastUsedAt.milliseconds))
            })
    }
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
