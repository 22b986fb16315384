import Logging
import ServerAccounts
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServerTours
import ServiceLifecycle
import TourModel

/// Deletes expired rows, blobs and files at intervals.
struct Sweeper: Service {
    let parts: ServerParts
    /// For how many days a tour stays without use; nil: for ever.
    let keepTours: Int?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let begun = ContinuousClock.now
            var steps = ClockSteps()
            while !Task.isCancelled {
                do {
                    try await sweep()
                    // Anew: files may have taken long.
                    let (now, steady) = (parts.requests.now(), (ContinuousClock.now - begun).microseconds)
                    try await sweepTours(now: now, isClockTrusted: steps.isTrusted(now, steady: steady))
                } catch {
                    parts.requests.logger.error(
                        "what has expired could not be deleted", metadata: ["cause": "\(error)"])
                }
                try? await Task.sleep(for: ServerLimits.sweepInterval)
            }
        }
    }

    func sweep() async throws(Failure) {
        let now = parts.requests.now()
        // A used nonce, for one, is refused for as long as another process may still take it.
        let end = now - ServerLimits.clocksApart
        let seconds = end / 1_000_000
        let secret = parts.requests.secret
        let keepAudit = parts.rules.keepAudit
        // What has expired stays expired, whatever others do meanwhile.
        try await parts.requests.storage.write(.relaxed, .statements) { sql throws(Failure) in
            try sql.run("DELETE FROM rates WHERE arrival < $1", [.integer(end)])
            try sql.run("DELETE FROM answers WHERE begun < $1", [.integer(seconds - ServerLimits.idempotencyLifetime)])
            try sql.run("DELETE FROM sent_codes WHERE expires < $1", [.integer(seconds)])
            try sql.run("DELETE FROM email_codes WHERE expires < $1", [.integer(seconds)])
            try sql.run(
                "DELETE FROM known_addresses WHERE used < $1", [.integer(seconds - ServerLimits.knownAddressLifetime)])
            try sql.run("DELETE FROM used_nonces WHERE expires < $1", [.integer(seconds)])
            try AuditLog(sql: sql).sweep(keeping: keepAudit, now: now)
            try OrganisationRows(sql: sql).sweep(now: now)
            try SMSSpending(sql: sql).sweep(now: now)
            try MailRows(sql: sql, secret: secret).sweep(now: end)
            try BanRows(sql: sql).sweep(now: end)
            try PageKeys(sql: sql).sweep(now: end)
            try AccountInvitationRows.sweep(before: seconds, in: sql)
            try SessionRows(sql: sql).sweep(before: seconds)
        }
        try await parts.blobs.sweep(now: now)
        try await parts.files.sweep(now: now)
        try await parts.files.countRoom()
    }

    private func sweepTours(now: Int64, isClockTrusted: Bool) async throws(Failure) {
        if let keepTours, isClockTrusted {
            try await TourRetention(storage: parts.requests.storage, days: keepTours, logger: parts.requests.logger)
                .run(now: now)
        } else if keepTours != nil {
            parts.requests.logger.warning("the clock was set ahead: no tour is announced or deleted until it is right")
        } else {
            try await TourRetention.stop(in: parts.requests.storage)
        }
        try await TourRemoval(storage: parts.requests.storage, blobs: parts.blobs).finish()
    }
}
