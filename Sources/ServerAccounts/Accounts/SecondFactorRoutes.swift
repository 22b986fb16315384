import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto

/// Routes by which an account turns its second factor on and off, and gets recovery codes.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct SecondFactorRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        [
            Route(.get, "/auth/second-factor", handler: show),
            Route(.post, "/auth/second-factor", body: .json, handler: begin),
            Route(
                .post, "/auth/second-factor/confirm", body: .json, limits: [.codesPerAddress], handler: confirm),
            Route(
                .post, "/auth/second-factor/recovery-codes", body: .json, limits: [.codesPerAddress],
                handler: renewCodes),
            Route(.post, "/auth/second-factor/remove", body: .json, limits: [.codesPerAddress], handler: remove),
        ]
    }

    private struct Standing: Encodable {
        let isOn: Bool
        /// Whether the account's role counts only with a second factor.
        let isRequired: Bool
        let since: Date?
        let codesLeft: Int64

        private enum CodingKeys: String, CodingKey {
            case isOn = "on"
            case isRequired = "required"
            case since
            case codesLeft = "recovery_codes_left"
        }
    }

    private struct Codes: Encodable {
        let codes: [String]
        private enum CodingKeys: String, CodingKey { case codes = "recovery_codes" }

        init(_ codes: [RecoveryCode]) { self.codes = codes.map(\.text) }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let secret = parts.secret
        let standing = try await parts.storage.read { sql throws(Failure) in
            try SecondFactors(sql: sql, secret: secret).standing(of: account.id)
        }
        let isRequired = parts.authenticator.secondFactorFrom.map { account.role >= $0 } ?? false
        return try .json(
            Standing(
                isOn: standing != nil, isRequired: isRequired,
                since: standing.map { Date(timeIntervalSince1970: Double($0.since)) },
                codesLeft: standing?.codesLeft ?? 0))
    }

    /// Makes a secret, which counts once `confirm` has shown that the owner's app has it.
    private func begin(_ call: Call) async throws(Failure) -> Answer {
        struct Secret: Encodable {
            let secret: String
            let uri: String
        }
        let account = try call.requireAccount()
        guard !account.isGuest else { throw Failure(.forbidden) }
        // Whoever only typed an address must not lock out its owner.
        guard let name = account.provenEmail ?? account.phone else { throw Failure(.emailNotProven) }
        let proof = try call.json(OwnerProof.self)
        guard !account.hasSecondFactor else { throw Failure(.secondFactorOn) }
        try await proof.check(account, parts, call)
        let (secret, bytes) = (parts.secret, Randomness.bytes(TOTP.secretBytes))
        let host = parts.served.host(of: call.head)
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard try account.isOpen(at: call.now, in: sql) else { throw Failure(.unauthenticated) }
            try SecondFactors(sql: sql, secret: secret).begin(bytes, of: account.id)
            return try .json(
                Secret(secret: Base32.encode(bytes), uri: TOTP.address(bytes, account: name, host: host)),
                status: .created)
        }
    }

    private func confirm(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable { var code: String }
        let account = try call.requireAccount()
        let typed = SecondFactorCode(try call.json(Body.self).code)
        guard case .app(let digits) = typed else { throw Failure(.badSecondFactor, field: "code") }
        try await parts.rates.count([.secondFactorTries], for: "\(account.id) known", now: call.now)
        let secret = parts.secret
        let answer = try await call.write(parts.storage) { sql throws(Failure) in
            guard try account.isOpen(at: call.now, in: sql) else { throw Failure(.unauthenticated) }
            let factors = SecondFactors(sql: sql, secret: secret)
            guard try factors.confirm(digits, of: account.id, now: call.now) else {
                throw Failure(.badSecondFactor, field: "code")
            }
            try AuditLog(sql: sql).add(.secondFactorOn, by: .account(account.id), account: account.id, now: call.now)
            return try .json(Codes(try factors.renewCodes(of: account.id)))
        }
        AccountNotices(parts: parts).tell(.secondFactorOn, account.account, call)
        return answer
    }

    private func renewCodes(_ call: Call) async throws(Failure) -> Answer {
        try await change(call, telling: .recoveryCodesRenewed) { factors, account throws(Failure) in
            try .json(Codes(try factors.renewCodes(of: account)))
        }
    }

    private func remove(_ call: Call) async throws(Failure) -> Answer {
        try await change(call, telling: .secondFactorOff) { factors, account throws(Failure) in
            try factors.remove(of: account)
            try AuditLog(sql: factors.sql).add(.secondFactorOff, by: .account(account), account: account, now: call.now)
            return .noContent
        }
    }

    /// Changes the second factor of an account that has one, for an owner who shows it.
    private func change(
        _ call: Call, telling notice: AccountNotice,
        _ work: @escaping @Sendable (SecondFactors, Int64) throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let proof = try call.json(OwnerProof.self)
        guard account.hasSecondFactor else { throw Failure(.notFound) }
        try await proof.check(account, parts, call)
        let secret = parts.secret
        let (answer, factor) = try await call.settle(parts.storage) { sql throws(Failure) in
            guard try account.isOpen(at: call.now, in: sql) else { throw Failure(.unauthenticated) }
            let factors = SecondFactors(sql: sql, secret: secret)
            let factor = try SecondFactorCheck.outcome(of: proof.secondFactor, of: account.id, factors, now: call.now)
            if let refusal = factor.refusal { throw refusal }
            // Another request may have turned it off meanwhile.
            if case .notWanted = factor { throw Failure(.notFound) }
            return (.success(try work(factors, account.id)), factor)
        }
        AccountNotices(parts: parts).tell(factor, account.account, call)
        AccountNotices(parts: parts).tell(notice, account.account, call)
        return answer
    }
}
