import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `receipts`
struct ReceiptsCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: Phrase("Who has a message, who has read it, and who is missing."),
        discussion: Phrase(
            """
            Of all who were in the tour when it was written and still are; the missing come first. The times are when \
            this device first heard of it: it was so then or earlier, and ? stands where that is forgotten.

            EXAMPLES
              tour-chat receipts 3fa2c1
              tour-chat receipts 3fa2c1 --follow
              tour-chat receipts 3fa2c1 --resend
              tour-chat receipts 3fa2c1 --json
            """))

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
            let receipts = try Receipts(answer: answer)
            let states = Dictionary(receipts.members.map { ($0.memberID, $0.state) }) { $1 }
            if known != states { try show(answer, receipts, known, output) }
            known = states
            guard follow, receipts.counts.read < receipts.counts.members else { return }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func show(
        _ answer: JSON, _ receipts: Receipts, _ known: [String: String]?, _ output: Output
    ) throws {
        if output.json { return try output.object(answer) }
        if let known {
            for member in receipts.members where known[member.memberID] != member.state {
                let name = GuestWords.named(output.foreign(member.name, .bold), member.by).text
                try output.text(Self.news(name, member.state, at: Timestamp.now.clockTime))
            }
            return
        }
        if let reason = receipts.reason { return try output.text(Phrase(verbatim: output.foreign(reason))) }
        let counts = receipts.counts
        try output.text(Phrase("\(counts.delivered) of \(counts.members) have it, \(counts.read) have read it."))
        var table = Table([
            Phrase("NAME"), Phrase("STATE"), Phrase("HAS IT SINCE"), Phrase("READ IT SINCE"), Phrase("NEAR"),
            Phrase("HOPS"),
        ])
        for member in receipts.members {
            table.add([
                .init(GuestWords.named(TerminalText.safe(member.name), member.by), .bold),
                .init(StatusWords.receipt(member.state), Self.style(member.state)),
                .init(Self.time(member.delivered)), .init(Self.time(member.read)),
                .init(member.near ? Phrase("yes") : Phrase("no")), .init(member.hops.map { "\($0)" } ?? ""),
            ])
        }
        if !receipts.members.isEmpty { try output.table(table) }
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

    private static func time(_ moment: Receipts.Moment?) -> String {
        guard let moment else { return "" }
        return moment.atMost.flatMap { Timestamp($0) }?.dateAndTime ?? "?"
    }
}
