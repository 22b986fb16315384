import ArgumentParser
import Foundation
import ServerBase
import ServerRequests
import TourModel
import TourServer

/// Whom `admin ban` and `admin unban` are about.
struct BanArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "An address or network, an e-mail address, a phone number, or an account's number.",
            valueName: "address|network|contact|account"))
    var target: String
}

/// `admin ban`: refuses somebody.
struct BanCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "ban", abstract: "Refuse an address, a network, a contact or an account.",
        discussion: """
            From a banned address or network nothing is answered but /healthz, /readyz and /metrics. A banned e-mail \
            address or phone number neither signs up nor logs in, and is sent nothing; sessions that are open stay, so \
            ban the account too. A banned account keeps its data and its sessions, which are refused meanwhile. All \
            are told 'banned'. Servers that run follow within half a minute. A second ban of the same gives it another \
            end and reason.

            EXAMPLES
              tour-server admin ban 203.0.113.7 --until 7d --reason "guesses passwords"
              tour-server admin ban 2001:db8::/32
              tour-server admin ban +905551112233
              tour-server admin ban 17 --until 2026-06-01 --json
            """)

    @OptionGroup var named: BanArgument
    @OptionGroup var options: AdminOptions
    @Option(
        help: ArgumentHelp(
            "When it ends: a day (2026-06-01), an RFC 3339 time, or 30m, 12h, 7d from now; else by 'unban'.",
            valueName: "time"))
    var until: String?
    @Option(
        help: ArgumentHelp(
            "For 'bans', which the banned do not see: one line of \(ServerLimits.banReasonCharactersMax) characters.",
            valueName: "text"))
    var reason: String?

    func validate() throws { _ = try until.map { try WrittenTime($0, of: "--until") } }

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let end = try until.map { try WrittenTime($0, of: "--until").after(WallClock.now()) }
        let (ban, isNew) = try await server.ban(named.target, endsAt: end, reason: reason)
        let words = ban.endsAt.map { " until " + AdminOutput.time(Date(microseconds: $0)) } ?? ""
        return AdminAnswer(
            ban, "\(ban.target.title) is banned\(words)\(isNew ? "" : "; it was banned already").")
    }
}

/// `admin unban`: takes a ban back.
struct UnbanCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "unban", abstract: "Take a ban back.",
        discussion: """
            EXAMPLES
              tour-server admin unban 203.0.113.7
            """)

    @OptionGroup var named: BanArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let ban = try await server.unban(named.target)
        return AdminAnswer(ban, "\(ban.target.title) is banned no more.")
    }
}

/// `admin bans`: a list.
struct BansCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "bans", abstract: "List the bans, the newest first.",
        discussion: """
            EXAMPLES
              tour-server admin bans --json
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let page = try await server.bans(limit: rows.limit)
        let headings = ["NUMBER", "KIND", "BANNED", "SINCE", "UNTIL", "REASON"]
        return AdminAnswer(page, headings, none: "Nobody is banned.") { ban in
            [
                String(ban.number), ban.target.kind.rawValue, ban.target.text,
                AdminOutput.time(Date(microseconds: ban.createdAt)),
                AdminOutput.time(ban.endsAt.map { Date(microseconds: $0) }), ban.reason ?? "-",
            ]
        }
    }
}

extension BanTarget {
    /// `Account 17`; another one as it is.
    fileprivate var title: String { kind == .account ? "Account \(text)" : text }
}
