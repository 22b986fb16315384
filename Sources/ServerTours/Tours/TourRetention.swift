import Logging
import ServerBase
import ServerRequests
import ServerStorage
import TourModel

/// Deletes tours in which nothing has been written for a number of days, each after an announcement. Several processes
/// may share the database: each slice of the work is a transaction that no other process makes at the same time, looks
/// at its tours anew, and so does what still is to be done.
/// Source: `Protocol/10-server.md`, "Tours that are over".
package struct TourRetention: Sendable {
    private let storage: any Storage
    private let logger: Logger
    /// For how many days a tour stays without use.
    private let days: Int

    /// - Parameter days: within `ServerLimits.keepToursDays`.
    package init(storage: any Storage, days: Int, logger: Logger) {
        self.storage = storage
        self.days = days
        self.logger = logger
    }

    private static let day: Int64 = 86_400 * 1_000_000
    private var lifetime: Int64 { Int64(days) * Self.day }
    /// How long before its end a tour is announced, in microseconds: at least half of the time that it stays is quiet.
    private var notice: Int64 { min(ServerLimits.tourNoticeDays * Self.day, lifetime / 2) }

    /// What is to be done with a tour.
    private enum Step: Hashable, Sendable {
        case none
        case announce(due: Int64)
        /// Something was written since the announcement.
        case keep
        case delete
    }

    private func step(for tour: QuietTour, now: Int64) -> Step {
        guard tour.lastUse + lifetime - notice <= now else { return tour.announcement == nil ? .none : .keep }
        guard let announcement = tour.announcement else {
            // Long unused tours have their notice too when the setting is new.
            return .announce(due: max(tour.lastUse + lifetime, now + notice))
        }
        // Another setting, or a clock that was far ahead: it is announced anew.
        let isOfNow = announcement.at <= now + ServerLimits.announcementAhead
        guard announcement.at > tour.lastUse, isOfNow, announcement.days == Int64(days) else { return .keep }
        return max(announcement.due, tour.lastUse + lifetime) <= now ? .delete : .none
    }

    /// Announces and deletes what is due; `TourRemoval` then deletes the rows and files of what was deleted.
    /// - Parameter now: microseconds since 1970.
    package func run(now: Int64) async throws(Failure) {
        let horizon = now - lifetime + notice
        var behind: Int64 = 0
        while true {
            let last = behind
            let page = try await storage.read { sql throws(Failure) in
                try EndingTours(sql: sql).page(
                    quietSince: horizon, behind: last, limit: ServerLimits.quietToursReadAtOnce)
            }
            let due = page.filter { step(for: $0, now: now) != .none }.map(\.number)
            for start in stride(from: 0, to: due.count, by: ServerLimits.toursEndedAtOnce) {
                try await take(Array(due[start..<min(start + ServerLimits.toursEndedAtOnce, due.count)]), now: now)
            }
            guard page.count == ServerLimits.quietToursReadAtOnce, let number = page.last?.number else { return }
            behind = number
        }
    }

    /// Where tours are kept for ever: no announcement of an earlier setting stays.
    package static func stop(in storage: any Storage) async throws(Failure) {
        let isAnnounced = try await storage.read { sql throws(Failure) in
            try sql.row("SELECT tour FROM ending_tours LIMIT 1", []) != nil
        }
        guard isAnnounced else { return }
        try await storage.writeAlone { sql throws(Failure) in try EndingTours(sql: sql).forgetAll() }
    }

    /// One slice.
    private func take(_ numbers: [Int64], now: Int64) async throws(Failure) {
        let taken = try await storage.writeAlone { sql throws(Failure) in
            var taken = [(tour: TourID, step: Step)]()
            for number in numbers {
                let found = try EndingTours(sql: sql).page(quietSince: now, behind: number - 1, limit: 1).first
                guard let tour = found, tour.number == number else { continue }
                let step = step(for: tour, now: now)
                try take(step, with: tour, now: now, in: sql)
                taken.append((tour.id, step))
            }
            return taken
        }
        for (tour, step) in taken {
            let id = Logger.MetadataValue.string(tour.hex)
            switch step {
            case .none: break
            case .announce(let due):
                logger.notice(
                    "a tour will be deleted if nothing is written in it",
                    metadata: ["tour": id, "at": "\(Self.text(due))"])
            case .keep: logger.notice("a tour is not deleted after all", metadata: ["tour": id])
            case .delete: logger.notice("a tour was deleted: nothing was written in it", metadata: ["tour": id])
            }
        }
    }

    private func take(_ step: Step, with tour: QuietTour, now: Int64, in sql: any SQL) throws(Failure) {
        let (rows, log) = (EndingTours(sql: sql), AuditLog(sql: sql))
        switch step {
        case .none: break
        case .announce(let due):
            try rows.announce(tour, due: due, days: days, now: now)
            try log.add(.tourEnding, by: .itself, tour: tour.id, detail: Self.text(due), now: now)
        case .keep:
            try rows.forget(tour.number)
            try log.add(.tourKept, by: .itself, tour: tour.id, now: now)
        case .delete:
            guard let stored = try TourRows(sql: sql).tour(number: tour.number) else { return }
            try DeletedTours(sql: sql).add(stored)
            try log.add(.tourDeleted, by: .itself, tour: tour.id, detail: "unused for \(days) days", now: now)
        }
    }

    /// RFC 3339.
    private static func text(_ microseconds: Int64) -> String {
        JSONForm.text(seconds: microseconds / 1_000_000) ?? "-"
    }
}
