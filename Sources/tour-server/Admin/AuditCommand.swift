import ArgumentParser
import Foundation
import ServerBase
import ServerRequests
import TourModel
import TourServer

/// `admin audit`: who changed what.
struct AuditCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show the audit log, the newest entry first.",
        discussion: """
            It says who changed which account or tour, and when: the operator, by the system's user, or an account by \
            itself. Entries stay \(ServerLimits.auditLifetime / 86_400) days, or as --keep-audit says.

            EXAMPLES
              tour-server admin audit --since 7d
              tour-server admin audit --since 2026-06-01 --limit 500 --json
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption
    @Option(
        help: ArgumentHelp(
            "Only entries since then: a day (2026-06-01), an RFC 3339 time, or 30m, 12h, 7d ago.", valueName: "time"))
    var since: String?

    func validate() throws { _ = try since.map { try WrittenTime($0, of: "--since") } }

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let horizon = try since.map { try WrittenTime($0, of: "--since").before(WallClock.now()) }
        let page = try await server.audit(since: max(0, horizon ?? 0), limit: rows.limit)
        let headings = ["TIME", "BY", "WHAT", "ACCOUNT", "TOUR", "DETAIL"]
        return AdminAnswer(page, headings, none: "There is no entry.") { entry in
            [
                AdminOutput.time(Date(microseconds: entry.at)), entry.actor, entry.action,
                entry.account.map { String($0) } ?? "-", entry.tour.map { $0.hex } ?? "-", entry.detail ?? "-",
            ]
        }
    }
}
