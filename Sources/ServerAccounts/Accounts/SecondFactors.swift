import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// The second factors of accounts, inside one transaction.
/// Source: `Protocol/10-server.md`, "Second factor".
package struct SecondFactors {
    /// How an account's second factor stands.
    struct Standing: Sendable {
        /// Seconds since 1970.
        let since: Int64
        let codesLeft: Int64
    }

    /// The outcome of a try.
    package enum Outcome: Sendable {
        case wrong
        case byApp
        /// - Parameter left: recovery codes that are left.
        case byRecoveryCode(left: Int64)
    }

    let sql: any SQL
    let secret: ServerSecret

    package init(sql: any SQL, secret: ServerSecret) {
        self.sql = sql
        self.secret = secret
    }

    /// nil while the factor is off.
    func standing(of account: Int64) throws(Failure) -> Standing? {
        let row = try sql.row(
            "SELECT confirmed FROM second_factors WHERE account = $1 AND confirmed IS NOT NULL", [.integer(account)])
        guard let row else { return nil }
        return Standing(since: try row.count(0), codesLeft: try codesLeft(of: account))
    }

    /// Stores a new secret, which counts once a code confirms it.
    /// - Throws: `secondFactorOn`.
    func begin(_ bytes: [UInt8], of account: Int64) throws(Failure) {
        guard try standing(of: account) == nil else { throw Failure(.secondFactorOn) }
        try sql.run(
            """
            INSERT INTO second_factors (account, secret, confirmed, last_step) VALUES ($1, $2, NULL, 0)
            ON CONFLICT (account) DO UPDATE SET secret = excluded.secret, last_step = 0
            """, [.integer(account), .bytes(secret.seal(bytes, for: Self.place(account)))])
    }

    /// Turns the factor on, if the code belongs to the secret that was begun.
    /// - Returns: false for a wrong code, and where nothing was begun.
    /// - Throws: `secondFactorOn`.
    func confirm(_ code: String, of account: Int64, now: Int64) throws(Failure) -> Bool {
        guard try standing(of: account) == nil else { throw Failure(.secondFactorOn) }
        guard try useCode(code, of: account, now: now) else { return false }
        return try sql.run(
            "UPDATE second_factors SET confirmed = $1 WHERE account = $2 AND confirmed IS NULL",
            [.integer(now / 1_000_000), .integer(account)]) == 1
    }

    /// Uses up a code of the app or a recovery code.
    func use(_ typed: SecondFactorCode, of account: Int64, now: Int64) throws(Failure) -> Outcome {
        switch typed {
        case .app(let digits): return try useCode(digits, of: account, now: now) ? .byApp : .wrong
        case .recovery(let code):
            let used = try sql.run(
                "DELETE FROM recovery_codes WHERE account = $1 AND digest = $2",
                [.integer(account), .bytes(code.digest(of: account, secret))])
            return used == 1 ? .byRecoveryCode(left: try codesLeft(of: account)) : .wrong
        case .neither: return .wrong
        }
    }

    /// Makes new recovery codes; the older ones are void.
    func renewCodes(of account: Int64) throws(Failure) -> [RecoveryCode] {
        let codes = RecoveryCode.random()
        try sql.run("DELETE FROM recovery_codes WHERE account = $1", [.integer(account)])
        try sql.run(
            "INSERT INTO recovery_codes (account, digest) VALUES ($1, $2)",
            each: codes.map { [.integer(account), .bytes($0.digest(of: account, secret))] })
        return codes
    }

    /// Turns the factor off, with everything that belongs to it.
    /// - Returns: false where it was off.
    @discardableResult
    package func remove(of account: Int64) throws(Failure) -> Bool {
        try sql.run("DELETE FROM recovery_codes WHERE account = $1", [.integer(account)])
        return try sql.run("DELETE FROM second_factors WHERE account = $1", [.integer(account)]) > 0
    }

    /// Whether the code is right and later than every code that was used: of two requests with one code only one can
    /// raise the step.
    private func useCode(_ code: String, of account: Int64, now: Int64) throws(Failure) -> Bool {
        guard let row = try sql.row("SELECT secret FROM second_factors WHERE account = $1", [.integer(account)]) else {
            return false
        }
        let bytes = try secret.open(try row.bytes(0), for: Self.place(account))
        guard let step = try TOTP.step(of: code, bytes, now: now) else { return false }
        return try sql.run(
            "UPDATE second_factors SET last_step = $1 WHERE account = $2 AND last_step < $3",
            [.integer(step), .integer(account), .integer(step)]) == 1
    }

    private func codesLeft(of account: Int64) throws(Failure) -> Int64 {
        try sql.row("SELECT COUNT(*) FROM recovery_codes WHERE account = $1", [.integer(account)])?.count(0) ?? 0
    }

    private static func place(_ account: Int64) -> [UInt8] {
        Array("second-factor".utf8) + Array(String(account).utf8)
    }
}

/// A second factor as its owner types it: six digits of the app, or a recovery code.
package enum SecondFactorCode: Sendable, Decodable, CustomStringConvertible {
    case app(String)
    case recovery(RecoveryCode)
    /// Wrong, not ill-formed: as with other codes.
    case neither

    init(_ written: String) {
        let digits = written.typedDigits.filter { !$0.isWhitespace }
        if digits.utf8.count == TOTP.digits, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            self = .app(digits)
        } else if let code = RecoveryCode(written.typedForm) {
            self = .recovery(code)
        } else {
            self = .neither
        }
    }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package var description: String { "a second factor" }
}

/// The second factors of an account; the export says only since when there is one.
package struct SecondFactorHolding: SmallHolding {
    let secret: ServerSecret
    /// See `AccountHolding.name`.
    package let name = "second_factor"

    package init(secret: ServerSecret) { self.secret = secret }

    private struct Factor: Encodable {
        let since: Date
        let codesLeft: Int64

        private enum CodingKeys: String, CodingKey {
            case since
            case codesLeft = "recovery_codes_left"
        }
    }

    /// Since when logins take a code, and how many recovery codes are left; no secret.
    package func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        try SecondFactors(sql: sql, secret: secret).standing(of: account.id).map {
            Factor(since: Date(timeIntervalSince1970: Double($0.since)), codesLeft: $0.codesLeft)
        }
    }

    /// Turns the second factor off, with its recovery codes.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try SecondFactors(sql: sql, secret: secret).remove(of: account.id)
    }
}
