import ArgumentParser
import TourModel
import TourWeb
import TourWords

/// `roll …`: who is there.
struct RollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roll",
        abstract: Phrase("Roll call: ask everybody to say that they are there.").text,
        discussion: Phrase(
            """
            A roll call counts people, not devices: everybody is asked, in the page, in chat and by a notice of the \
            desktop, and answers with one tap or 'tour-chat roll here'. Guides see the answers and may say it for \
            those they see with their own eyes; buddies say it for each other. What was said is kept with the tour.

            EXAMPLES
              tour-chat roll call "At the bus"
              tour-chat roll here
              tour-chat roll here Ben Anna
              tour-chat roll status
              tour-chat roll end
            """
        ).text,
        subcommands: [
            RollCallCommand.self, RollHereCommand.self, RollMissingCommand.self, RollStatusCommand.self,
            RollEndCommand.self, RollListCommand.self, RollBuddiesCommand.self, RollStragglersCommand.self,
        ])
}

/// `roll call`
struct RollCallCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: Phrase("Begin a roll call (guides).").text,
        discussion: Phrase(
            """
            On a terminal it shows who is missing until all are here, or until Ctrl-C; the roll call goes on. If \
            one is open already, it is asked again.

            EXAMPLES
              tour-chat roll call
              tour-chat roll call "At the bus" --for 5m
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Where, or what for.")))
    var words: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(Phrase("Time allowed for answers (default: 10m)."), valueName: "duration"))
    var duration: DurationArgument?
    @Flag(help: ArgumentHelp(Phrase("Do not wait for answers.")))
    var noWait = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var body = [JSONMember(name: "text", value: .text(words ?? ""))]
        if let duration { body.append(JSONMember(name: "seconds", value: .number(String(duration.seconds)))) }
        var roll = try await client.call(.POST, tourPath("roll"), .object(body))
        if output.json { return try output.object(roll) }
        try output.text(RollWords(roll).head)
        var shown = Phrase.empty
        while true {
            let words = RollWords(roll)
            if words.outcome != shown { try output.text(words.outcome) }
            shown = words.outcome
            guard !noWait, DeliveryLine.isPossible, words.isOpen, !words.missing.isEmpty else { break }
            try await Task.sleep(for: .milliseconds(500))
            let now = try await client.call(.GET, tourPath("roll"))["roll"]
            if let now, now.shown("id") == roll.shown("id") { roll = now }
        }
        try AbsenceNote.stored.print(client, output)
    }
}

/// `roll here`
struct RollHereCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "here",
        abstract: Phrase("Say that you are there; guides and buddies: that others are.").text,
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat roll here
              tour-chat roll here Ben Anna
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Who is there (default: you).")))
    var members: [String] = []

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await RollAnswerTask(chosenTour: choice.tour, isHere: true, members: members).perform(client, output)
    }
}

/// `roll missing`
struct RollMissingCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "missing",
        abstract: Phrase("Say that somebody is not there after all.").text,
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat roll missing Ben
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Who is not there (default: you).")))
    var members: [String] = []

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await RollAnswerTask(chosenTour: choice.tour, isHere: false, members: members).perform(client, output)
    }
}

/// Answers the newest roll call.
struct RollAnswerTask: NodeTask, AboutTour {
    let chosenTour: String?
    let isHere: Bool
    let members: [String]

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let roll = try await client.call(
            .POST, tourPath("roll", "answer"),
            ["here": .flag(isHere), "members": .list(members.map(JSON.text))])
        if output.json { return try output.object(roll) }
        try output.text(Phrase("Told. \(RollWords(roll).sum)"))
        try AbsenceNote.stored.print(client, output)
    }
}

/// `roll status`
struct RollStatusCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: Phrase("Who has answered the roll call, the missing first.").text,
        discussion: Phrase(
            """
            DEVICE is whether the member's device is in reach now; it never counts as an answer. Who is lost stays \
            missing until found.

            EXAMPLES
              tour-chat roll status
              tour-chat roll status --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("roll"))
        if output.json { return try output.object(answer) }
        guard let roll = answer["roll"], roll != .null else {
            return try output.text(Phrase("There was no roll call today. Guides begin one: 'tour-chat roll call'."))
        }
        let words = RollWords(roll)
        try output.text(words.head, words.sum)
        try output.table(words.table)
    }
}

/// `roll end`
struct RollEndCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: Phrase("End the roll call (guides).").text,
        discussion: Phrase(
            """
            Whoever is missing then is kept so in the tour's log.

            EXAMPLES
              tour-chat roll end
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let roll = try await client.call(.POST, tourPath("roll", "end"))
        if output.json { return try output.object(roll) }
        try output.text(RollWords(roll).outcome)
    }
}

/// `roll list`
struct RollListCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("All roll calls of the tour, the newest first.").text,
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat roll list
              tour-chat roll list --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("rolls"))
        if output.json { return try output.object(answer) }
        let rolls = answer["rolls"]?.list ?? []
        if rolls.isEmpty { return try output.text(Phrase("There was no roll call in this tour.")) }
        for roll in rolls {
            let words = RollWords(roll)
            try output.text(
                Phrase(verbatim: "\(Timestamp(roll.shown("at"))?.dateAndTime ?? "")"), words.head,
                words.outcome.indented)
        }
    }
}

/// `roll buddies`
struct RollBuddiesCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "buddies",
        abstract: Phrase("Who answers for whom: two or more who stay together.").text,
        discussion: Phrase(
            """
            Without names it lists them. Guides name two to eight members who answer for each other from now on; \
            whoever was in another group leaves that.

            EXAMPLES
              tour-chat roll buddies
              tour-chat roll buddies Ben Anna
              tour-chat roll buddies --clear
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Those who stay together.")))
    var members: [String] = []
    @Flag(help: ArgumentHelp(Phrase("Nobody answers for others any more.")))
    var clear = false

    func validate() throws {
        guard members.isEmpty || !clear else {
            throw ValidationError(Phrase("Give names or --clear."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var answer = try await client.call(.GET, tourPath("buddies"))
        if clear || !members.isEmpty {
            var ids: [String] = []
            for name in clear ? [] : members {
                ids.append(try await client.call(.GET, tourPath("members", name)).shown("id"))
            }
            let kept = (answer["groups"]?.list ?? []).map { group in
                (group["members"]?.list ?? []).map { $0.shown("memberID") }.filter { !ids.contains($0) }
            }
            let groups = clear ? [] : kept.filter { $0.count > 1 } + [ids]
            answer = try await client.call(
                .PUT, tourPath("buddies"), ["groups": .list(groups.map { .list($0.map(JSON.text)) })])
        }
        if output.json { return try output.object(answer) }
        let groups = answer["groups"]?.list ?? []
        if groups.isEmpty { return try output.text(Phrase("Nobody answers for others.")) }
        for group in groups {
            let names = (group["members"]?.list ?? []).map { TerminalText.safe($0.shown("name")) }
            try output.text(Phrase(verbatim: names.joined(separator: ", ")))
        }
    }
}

/// `roll stragglers`
struct RollStragglersCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "stragglers",
        abstract: Phrase("Be told of members who are out of reach for some minutes.").text,
        discussion: Phrase(
            """
            You are told once of each, quietly; it is off until you set it, and concerns this device alone. Without \
            an argument it shows who is out of reach for that long.

            EXAMPLES
              tour-chat roll stragglers 10
              tour-chat roll stragglers
              tour-chat roll stragglers off
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Minutes, or off.")))
    var minutes: String?

    func validate() throws {
        guard let minutes, minutes != "off", Int(minutes) == nil else { return }
        throw ValidationError(Phrase("Give a number of minutes, or off: 'tour-chat roll stragglers 10'."))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer =
            if let minutes {
                try await client.call(
                    .PUT, tourPath("stragglers"), ["minutes": Int(minutes).map { JSON.number(String($0)) } ?? .null])
            } else {
                try await client.call(.GET, tourPath("stragglers"))
            }
        if output.json { return try output.object(answer) }
        guard let minutes = answer["minutes"]?.integer else {
            return try output.text(Phrase("Off: you are told of nobody. 'tour-chat roll stragglers 10' sets it."))
        }
        let stragglers = answer["stragglers"]?.list ?? []
        guard !stragglers.isEmpty else {
            return try output.text(
                Phrase(
                    minutes, one: "Nobody has been out of reach for \(minutes) minute.",
                    other: "Nobody has been out of reach for \(minutes) minutes."))
        }
        var table = Table([Phrase("NAME"), Phrase("LAST SEEN"), Phrase("HOPS"), Phrase("WHERE")])
        for member in stragglers {
            table.add([
                .init(Phrase(verbatim: TerminalText.safe(member.shown("name")))),
                .init(Phrase(verbatim: Timestamp(member.shown("lastSeen"))?.dateAndTime ?? "")),
                .init(member.shown("hops")), .init(PositionWords.of(member["position"]) ?? .empty),
            ])
        }
        try output.table(table)
    }
}

/// `understood`
struct UnderstoodCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "understood",
        abstract: Phrase("Say that you have understood what is urgent.").text,
        discussion: Phrase(
            """
            Whoever announced it sees by name who has. Without an id it is all that is urgent now.

            EXAMPLES
              tour-chat understood
              tour-chat understood 3fa94c
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("The announcement's id.")))
    var id: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await UnderstoodTask(chosenTour: choice.tour, id: id).perform(client, output)
    }
}

/// Says that what is urgent was understood.
struct UnderstoodTask: NodeTask, AboutTour {
    let chosenTour: String?
    /// Nil: all.
    let id: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var ids = id.map { [$0] } ?? []
        if id == nil {
            let urgent = try await client.call(.GET, tourPath("urgent"))["urgent"]?.list ?? []
            let open = urgent.filter { $0["understood"]?.flag != true && $0["mine"]?.flag != true }
            if open.isEmpty, !output.json { return try output.text(Phrase("Nothing urgent is waiting for you.")) }
            ids = open.map { $0.shown("id") }
        }
        for id in ids { _ = try await client.call(.POST, tourPath("messages", id, "understood")) }
        if output.json { return try output.object(["understood": .list(ids.map(JSON.text))]) }
        try output.text(Phrase("Told."))
        try AbsenceNote.stored.print(client, output)
    }
}
