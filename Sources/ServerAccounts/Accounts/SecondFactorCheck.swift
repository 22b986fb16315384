import ServerBase
import ServerRequests
import ServerStorage

/// Asks for the second factor of accounts that have one.
/// Source: `Protocol/10-server.md`, "Second factor".
package struct SecondFactorCheck: Sendable {
    /// What a check found, for the refusal and for the owner's notice.
    package enum Outcome: Sendable {
        /// The account has no second factor.
        case notWanted
        case missing
        case tried(SecondFactors.Outcome)

        /// nil where the request may go on.
        package var refusal: Failure? {
            switch self {
            case .notWanted, .tried(.byApp), .tried(.byRecoveryCode): nil
            case .missing: Failure(.secondFactorNeeded, field: "second_factor")
            case .tried(.wrong): Failure(.badSecondFactor, field: "second_factor")
            }
        }
    }

    let parts: RequestParts

    /// Counts a try, before any code is compared.
    /// - Parameter isKnown: whether the account was used at the caller's address before: tries of strangers elsewhere
    ///   never lock its owner out there.
    /// - Throws: `secondFactorNeeded`, `tooManyRequests`.
    func begin(
        _ typed: SecondFactorCode?, of account: Account, isKnown: Bool, now: Int64
    ) async throws(Failure) {
        guard account.hasSecondFactor else { return }
        guard typed != nil else { throw Failure(.secondFactorNeeded, field: "second_factor") }
        let side = isKnown ? "known" : "strangers"
        try await parts.rates.count([.secondFactorTries], for: "\(account.id) \(side)", now: now)
    }

    /// Uses up the second factor, if the account has one by now.
    package static func outcome(
        of typed: SecondFactorCode?, of account: Int64, _ factors: SecondFactors, now: Int64
    ) throws(Failure) -> Outcome {
        guard try factors.standing(of: account) != nil else { return .notWanted }
        guard let typed else { return .missing }
        return .tried(try factors.use(typed, of: account, now: now))
    }
}

/// What shows, beside a token that may be stolen, that the owner makes a request: the password of an account that has
/// one, and its second factor.
package struct OwnerProof: Decodable, Sendable {
    var currentPassword: String?
    /// A code of the authenticator app, or a recovery code; nil where the request has none.
    package var secondFactor: SecondFactorCode?

    private enum CodingKeys: String, CodingKey {
        case currentPassword = "current_password"
        case secondFactor = "second_factor"
    }

    /// Checks the password, and counts a try of the second factor. The transaction then uses that up by
    /// `SecondFactorCheck.outcome`.
    /// - Throws: `invalidField` without a password that is needed; `badCredentials`, `secondFactorNeeded`,
    ///   `tooManyRequests`.
    package func check(_ account: AuthenticatedAccount, _ parts: RequestParts, _ call: Call) async throws(Failure) {
        let stored = try await parts.storage.read { sql throws(Failure) in
            try AccountRows(sql: sql).storedPassword(of: account.id)
        }
        if let stored {
            try await parts.rates.count([.loginPerPair], for: "account:\(account.id)", now: call.now)
            guard let currentPassword else { throw .invalid("current_password") }
            guard let typed = Password(currentPassword), try await parts.passwords.match(typed, stored) != .wrong else {
                throw Failure(.badCredentials, field: "current_password")
            }
        }
        try await SecondFactorCheck(parts: parts).begin(secondFactor, of: account.account, isKnown: true, now: call.now)
    }
}
