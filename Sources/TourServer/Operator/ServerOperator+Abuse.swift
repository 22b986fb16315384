import Foundation
import ServerBase
import ServerRequests

extension ServerOperator {
    /// Bans an address, a network, a contact or an account; or gives its ban another reason and another end. Every
    /// process of the server follows within half a minute.
    /// - Parameter name: see `BanTarget`.
    /// - Parameter endsAt: microseconds since 1970; nil: when the operator takes it back.
    /// - Returns: the ban, and whether there was none before.
    /// - Throws: `invalidField`; `notFound` without such an account; `quota`; `unavailable`; `newerDatabase`.
    package func ban(
        _ name: String, endsAt: Int64? = nil, reason: String? = nil
    ) async throws(Failure) -> (ban: Ban, isNew: Bool) {
        let target = try BanTarget(name)
        let (now, actor) = (now(), actor)
        if let endsAt, endsAt <= now { throw Failure(.invalidField, field: "until", cause: "the ban would be over") }
        if let reason {
            guard (1...ServerLimits.banReasonCharactersMax).contains(reason.count),
                !reason.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                throw Failure(
                    .invalidField, field: "reason",
                    cause: "a reason is one line of \(ServerLimits.banReasonCharactersMax) characters at most")
            }
        }
        return try await write { sql throws(Failure) in
            if target.kind == .account { _ = try Self.account(target.text, in: sql) }
            let rows = BanRows(sql: sql)
            // Its end has passed, and the server has not swept it yet: it is no ban any more.
            try rows.sweep(now: now)
            let (ban, isNew) = try rows.set(target, reason: reason, endsAt: endsAt, now: now)
            let end = endsAt.flatMap { JSONForm.text(seconds: $0 / 1_000_000) }.map { " until \($0)" } ?? ""
            try AuditLog(sql: sql).add(
                .banSet, by: actor, account: target.account, detail: ban.auditDetail + end, now: now)
            return (ban, isNew)
        }
    }

    /// Takes a ban back.
    /// - Parameter name: see `BanTarget`.
    /// - Throws: `invalidField`; `notFound` without such a ban; `unavailable`; `newerDatabase`.
    package func unban(_ name: String) async throws(Failure) -> Ban {
        let target = try BanTarget(name)
        let (now, actor) = (now(), actor)
        return try await write { sql throws(Failure) in
            guard let ban = try BanRows(sql: sql).remove(target) else {
                throw Failure(.notFound, cause: "there is no ban of \(target.text)")
            }
            try AuditLog(sql: sql).add(
                .banLifted, by: actor, account: target.account, detail: ban.auditDetail, now: now)
            return ban
        }
    }

    /// The bans that have not ended, the newest first.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func bans(limit: Int) async throws(Failure) -> OperatorPage<Ban> {
        let now = now()
        return try await read { sql throws(Failure) in
            OperatorPage(try BanRows(sql: sql).all(now: now, limit: Int64(limit) + 1), limit: limit)
        }
    }
}

extension Ban {
    /// Without what is banned: the audit log holds no address and no number of a phone.
    fileprivate var auditDetail: String { "\(number) \(target.kind.rawValue)" }
}

extension ServerOperator {
    /// Text messages of today and the days before, by the prefix of the number.
    /// - Parameter days: with today.
    /// - Throws: `unavailable`; `newerDatabase`.
    package func textMessages(ofDays days: Int, limit: Int) async throws(Failure) -> OperatorPage<SMSSpent> {
        let now = now()
        return try await read { sql throws(Failure) in
            OperatorPage(try SMSSpending(sql: sql).days(days, now: now), limit: limit)
        }
    }
}
