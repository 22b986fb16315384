import ArgumentParser
import ServerBase
import ServerRequests
import TourServer

/// `admin sms`: the text messages of a day, by country.
struct SMSCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "sms", abstract: "Show the text messages of today, by the prefix of the number.",
        discussion: """
            Days are those of UTC, and \(ServerLimits.smsSpendingDays) of them are kept. A message is counted before \
            it is sent, so one that failed is in here too. Half of each cap ('serve --sms-per-day', \
            '--sms-per-prefix') is for addresses where the account is known, half for everybody else.

            EXAMPLES
              tour-server admin sms
              tour-server admin sms --days 7 --json
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption
    @Option(help: ArgumentHelp("Today and the days before it.", valueName: "count"))
    var days = 1

    func validate() throws {
        guard (1...Int(ServerLimits.smsSpendingDays)).contains(days) else {
            throw ValidationError("--days wants 1 to \(ServerLimits.smsSpendingDays).")
        }
    }

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let page = try await server.textMessages(ofDays: days, limit: rows.limit)
        let headings = ["DAY", "PREFIX", "SENT", "KNOWN", "STRANGERS", "CAP"]
        return AdminAnswer(page, headings, none: "None was sent.") { spent in
            [
                spent.date, spent.prefix ?? "all", String(spent.sent), String(spent.known),
                String(spent.strangers), String(spent.cap),
            ]
        }
    }
}
