import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `lost`
struct LostCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "lost",
        abstract: Phrase("You are lost: call the guides."),
        discussion: Phrase(
            """
            Everybody in the tour is told at once, by your name and ahead of everything else, with the last place that \
            you shared, who is near you and your battery; the guides answer. On a terminal it then shows how many \
            guides have it and what they answer, until \
            somebody does, or until Ctrl-C. Said again it is sent again. 'tour-chat found' ends it. With \
            --guides-only nobody but the guides is told.

            EXAMPLES
              tour-chat lost
              tour-chat lost "At the gate with the blue door"
              tour-chat lost --guides-only "I cannot find the others"
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("What the guides should know.")))
    var words: String?
    @Flag(help: ArgumentHelp(Phrase("Nobody but the guides sees it.")))
    var guidesOnly = false
    @Flag(help: ArgumentHelp(Phrase("Do not wait for an answer.")))
    var noWait = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(
            .POST, tourPath("alarms"), ["text": .text(words ?? ""), "guidesOnly": .flag(guidesOnly)])
        guard var alarm: AlarmView = try output.forPeople(answer) else { return }
        try output.text(Phrase("You are reported lost. 'tour-chat found' ends it."))
        var shown = Phrase.empty
        while true {
            let news = AlarmWords(alarm).progress
            if news != shown { try output.text(news) }
            shown = news
            guard !noWait, DeliveryLine.isPossible, alarm.open, alarm.answers.isEmpty
            else { break }
            try await Task.sleep(for: .milliseconds(500))
            let list: AlarmList = try await client.ask(.GET, tourPath("alarms"))
            alarm = list.alarms.first { $0.id == alarm.id } ?? alarm
        }
        try AbsenceNote.stored.print(client, output)
    }
}

/// `found`
struct FoundCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: Phrase("Somebody who was lost is found."),
        discussion: Phrase(
            """
            It ends your own call for help; guides end anybody's.

            EXAMPLES
              tour-chat found
              tour-chat found Ben
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Who is found (default: you).")))
    var member: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let name: String
        if let member {
            name = member
        } else {
            let list: AlarmList = try await client.ask(.GET, tourPath("alarms"))
            guard let own = list.alarms.first(where: { $0.mine && $0.open }) else {
                throw CommandFailure(
                    code: "unknown-alarm",
                    message: Phrase("You have not said that you are lost. Name who is found: 'tour-chat found NAME'."))
            }
            name = own.id
        }
        let answer = try await client.call(.POST, tourPath("alarms", name, "answer"), ["answer": "found"])
        guard let alarm: AlarmView = try output.forPeople(answer) else { return }
        try output.text(Phrase("Told: \(TerminalText.safe(alarm.name)) is found."))
    }
}

/// `alarms`
struct AlarmsCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "alarms",
        abstract: Phrase("Who is lost, and the guides' answers."),
        discussion: Phrase(
            """
            Guides answer with the name of who is lost and one of --seen, --coming and --wait; 'tour-chat found NAME' \
            ends it for all.

            EXAMPLES
              tour-chat alarms
              tour-chat alarms Ben --coming
              tour-chat alarms --json
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Who is lost.")))
    var member: String?
    @Flag(help: ArgumentHelp(Phrase("You have seen it.")))
    var seen = false
    @Flag(help: ArgumentHelp(Phrase("You are on the way there.")))
    var coming = false
    @Flag(help: ArgumentHelp(Phrase("They are to wait where they are.")))
    var wait = false

    func validate() throws {
        guard [seen, coming, wait].count(where: { $0 }) == (member == nil ? 0 : 1) else {
            throw ValidationError(
                Phrase("An answer is a name and one of --seen, --coming and --wait: 'tour-chat alarms Ben --coming'."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let member {
            let answer: JSON = seen ? "seen" : coming ? "on-my-way" : "wait"
            let alarm = try await client.call(.POST, tourPath("alarms", member, "answer"), ["answer": answer])
            return try output.done(alarm, Phrase("Told."))
        }
        let answer = try await client.call(.GET, tourPath("alarms"))
        guard let list: AlarmList = try output.forPeople(answer) else { return }
        if list.alarms.isEmpty { return try output.text(Phrase("Nobody is lost.")) }
        for alarm in list.alarms { try output.text(AlarmWords(alarm).lines) }
    }
}
