import Foundation
import HTTPTypes
import ServerAccounts
import ServerBase
import ServerRequests
import ServerStorage

/// The route by which an account gets everything that the server has of it, with its pictures and files.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct ExportRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        [
            Route(
                .post, "/auth/me/export", body: .json, limits: [.codesPerAddress], keepsAnswers: false,
                handler: export)
        ]
    }

    private func export(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let proof = try call.json(OwnerProof.self)
        try await proof.check(account, parts.requests, call)
        let place = try parts.requests.heavy.place(for: call.callerName)
        let (secret, now) = (parts.requests.secret, call.now)
        let factor = try await parts.requests.storage.write { sql throws(Failure) in
            guard try account.isOpen(at: now, in: sql) else { throw Failure(.unauthenticated) }
            let factors = SecondFactors(sql: sql, secret: secret)
            let factor = try SecondFactorCheck.outcome(of: proof.secondFactor, of: account.id, factors, now: now)
            if let refusal = factor.refusal { throw refusal }
            return factor
        }
        AccountNotices(parts: parts.requests).tell(factor, account.account, call)
        // After the whole proof: whoever has only a token, or the password too, must not use up the owner's.
        try await parts.requests.rates.count([.exportsPerAccount], for: "account:\(account.id)", now: now)
        try await parts.requests.storage.write { sql throws(Failure) in
            try AuditLog(sql: sql).add(.accountExported, by: .account(account.id), account: account.id, now: now)
        }
        AccountNotices(parts: parts.requests).tell(.exported, account.account, call)
        let headers: HTTPFields = [
            .contentType: "application/x-tar",
            .contentDisposition: "attachment; filename=\"tour-account-\(account.id).tar\"",
        ]
        let parts = parts
        return .export(of: account, parts.requests, call, place: place, headers: headers) { source, out in
            try await AccountArchive(
                account: account.account, exportedAt: Date(microseconds: now), holdings: parts.holdings, source: source,
                rosters: parts.rosters, files: parts.files, secret: secret
            ).write(to: out)
        }
    }
}

extension RateLimit {
    /// Whole exports of one account: each may read and send two GiB. A few at once, for a connection that breaks off.
    static let exportsPerAccount = RateLimit("exports", burst: 5, every: .seconds(60 * 60))
}
