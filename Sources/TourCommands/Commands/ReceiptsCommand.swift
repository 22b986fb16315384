import ArgumentParser
import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// `receipts`
struct ReceiptsCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: Phrase("Who has a message, who has read it, and who is missing.").text,
        discussion: Phrase(
            """
            Of all who were in the tour when it was written and still are; the missing come first. The times are when \
            this device first heard of it: it was so then or earlier, and ? stands where that is forgotten.

            EXAMPLES
              tour-chat receipts 3fa2c1
              tour-chat receipts 3fa2c1 --follow
              tour-chat receipts 3fa2c1 --resend
              tour-chat receipts 3fa2c1 --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Six or more digits of the message's id.")), transform: IDArgument.parse)
    var id: IDArgument
    @Flag(help: ArgumentHelp(Phrase("Stay and show what changes, until all have read it. Needs a running node.")))
    var follow = false
    @Flag(help: ArgumentHelp(Phrase("Send it again to those in reach who miss it. Needs a running node.")))
    var resend = false

    var absence: NodeAccess.Absence { follow || resend ? .refuse : .offline }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if resend { _ = try await client.call(.POST, tourPath("messages", id.text, "resend")) }
        var known: [String: String]?
        while true {
            let answer = try await client.call(.GET, tourPath("messages", id.text, "receipts"))
            guard let summary = ReceiptSummary(answer), let members = answer["members"]?.list else {
                throw CommandFailure.badAnswer
            }
            let pairs = members.map { ($0.shown("memberID"), $0.shown("state")) }
            let states = Dictionary(pairs) { $1 }
            if known != states { try show(answer, members, summary, known, output) }
            known = states
            guard follow, summary.read < summary.members else { return }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func show(
        _ answer: JSON, _ members: [JSON], _ summary: ReceiptSummary, _ known: [String: String]?, _ output: Output
    ) throws {
        if output.json { return try output.object(answer) }
        if let known {
            for member in members where known[member.shown("memberID")] != member.shown("state") {
                let name = member.named(output.foreign(member.shown("name"), .bold)).text
                try output.text(Self.news(name, member.shown("state"), at: Timestamp.now.clockTime))
            }
            return
        }
        if let reason = answer["reason"]?.text { return try output.text(Phrase(verbatim: output.foreign(reason))) }
        try output.text(Phrase("\(summary.delivered) of \(summary.members) have it, \(summary.read) have read it."))
        var table = Table([
            Phrase("NAME"), Phrase("STATE"), Phrase("HAS IT SINCE"), Phrase("READ IT SINCE"), Phrase("NEAR"),
            Phrase("HOPS"),
        ])
        for member in members {
            let state = member.shown("state")
            table.add([
                .init(member.named(TerminalText.safe(member.shown("name"))), .bold),
                .init(StatusWords.receipt(state), Self.style(state)),
                .init(Self.time(member["delivered"])), .init(Self.time(member["read"])),
                .init(member["near"]?.flag == true ? Phrase("yes") : Phrase("no")), .init(member.shown("hops")),
            ])
        }
        if !members.isEmpty { try output.table(table) }
    }

    private static func news(_ name: String, _ state: String, at time: String) -> Phrase {
        switch state {
        case "read": Phrase("\(time) \(name) has read it")
        case "delivered": Phrase("\(time) \(name) has it")
        default: Phrase("\(time) \(name) misses it")
        }
    }

    private static func style(_ state: String) -> Style {
        switch state {
        case "read": .cyan
        case "delivered": .green
        default: .red
        }
    }

    private static func time(_ moment: JSON?) -> String {
        guard let moment, moment != .null else { return "" }
        return Timestamp(moment.shown("atMost"))?.dateAndTime ?? "?"
    }
}
