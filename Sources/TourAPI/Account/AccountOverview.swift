import TourModel

/// The account at a server as its owner sees it. Shape: `Protocol/Schema/local-api.yaml`, `ServerAccount`.
package struct AccountOverview: Encodable, JSONObject {
    /// The second factor of an account.
    package struct SecondFactor: Encodable, JSONObject {
        package var on: Bool
        /// Whether the server wants one for the account's role.
        package var required: Bool
        package var recoveryCodesLeft: Int
    }

    /// One login. Times are RFC 3339.
    package struct Session: Encodable, JSONObject {
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
}

/// A second factor that was begun: what an authenticator app reads.
package struct BegunSecondFactor: Codable, JSONObject {
    /// Base 32, for an app that reads no QR code.
    package var secret: String
    /// The text of the QR code.
    package var uri: String
}

/// Each is good once in place of the app. Source: `Protocol/Schema/local-api.yaml`, `RecoveryCodes`.
package struct RecoveryCodes: Encodable, JSONObject {
    package var recoveryCodes: [String]
}
