import ArgumentParser
import TourAPI
import TourJSON
import TourPresentation
import TourWords

/// `tour asks`
struct TourAsks: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "asks",
        abstract: Phrase("List who asks to join, near you."),
        discussion: Phrase(
            """
            Each asker has four words, which the asker's own screen shows too. Where they are the same, \
            'tour-chat tour admit' lets the asker in; the name is only what somebody claims. --follow waits for more.

            EXAMPLES
              tour-chat tour asks
              tour-chat tour asks --follow
            """))

    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Go on, and show who asks next.")))
    var follow = false

    var absence: NodeAccess.Absence { .refuse }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var known: [Asker] = []
        var isFirst = true
        while true {
            let answer = try await client.call(.GET, tourPath("asking"))
            let askers = try AskingView(answer: answer).askers
            if isFirst || askers != known { try show(answer, but: known, isFirst: isFirst, output) }
            guard follow else { return }
            (known, isFirst) = (askers, false)
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func show(
        _ answer: JSON, but known: [Asker], isFirst: Bool, _ output: Output
    ) throws {
        guard let asking: AskingView = try output.forPeople(answer) else { return }
        if isFirst { try output.text(Self.standing(asking)) }
        let fresh = asking.askers.filter { !known.contains($0) }
        if fresh.isEmpty {
            if isFirst { try output.text(Phrase("Nobody asks.")) }
            return
        }
        try output.table(fresh, [Phrase("ID"), Phrase("NAME"), Phrase("WORDS")]) { asker in
            [.init(asker.id, .dim), .init(asker.name, .bold), .whole(asker.words.joined(separator: " "), .bold)]
        }
        if fresh.contains(where: \.sameName) {
            try output.text(Phrase("Two ask under the same name: the words tell them apart."))
        }
        try output.text(Phrase("The same words on the other screen? 'tour-chat tour admit WORDS' lets in."))
    }

    /// Whether and as what this device answers those who ask.
    static func standing(_ asking: AskingView) -> Phrase {
        guard asking.mayInvite else { return Phrase("Only guides and above let somebody in.") }
        guard asking.on else {
            return Phrase("This device answers nobody who asks: 'tour-chat tour asking on' changes that.")
        }
        guard let label = asking.label else { return Phrase("This device answers those who ask.") }
        return Phrase("Those who are near find this tour as “\(TerminalText.safe(label))”.")
    }
}

/// The words of `tour admit` and `tour refuse`.
struct AskerArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The asker's four words, or the id.")))
    var asker: [String]
}

/// `tour admit`
struct TourAdmit: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "admit",
        abstract: Phrase("Let in who asks, once both screens show the same words."),
        discussion: Phrase(
            """
            Look at the asker's own screen first: its four words must be those that 'tour-chat tour asks' shows here. \
            Who is let in becomes a member at once.

            EXAMPLES
              tour-chat tour admit amber falcon oak river
              tour-chat tour admit 7
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: AskerArgument

    var absence: NodeAccess.Absence { .refuse }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await AskDecisionTask(chosenTour: chosenTour, typed: target.asker, isAdmission: true)
            .perform(client, output)
    }
}

/// `tour refuse`
struct TourRefuse: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: Phrase("Refuse who asks to join."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat tour refuse amber falcon oak river
              tour-chat tour refuse 7
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: AskerArgument

    var absence: NodeAccess.Absence { .refuse }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await AskDecisionTask(chosenTour: chosenTour, typed: target.asker, isAdmission: false)
            .perform(client, output)
    }
}

/// A person's decision about an asker, of a command or of the chat.
struct AskDecisionTask: NodeTask, AboutTour {
    let chosenTour: String?
    /// The asker's words or id, as typed.
    let typed: [String]
    let isAdmission: Bool

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let asking: AskingView = try await client.ask(.GET, tourPath("asking"))
        let meant = asking.askers.filter { $0.isMeant(by: typed) }
        guard let asker = meant.first, meant.count == 1 else { throw CommandFailure.unknownAsker(meant) }
        guard !isAdmission || asker.isCompared(by: typed) else { throw CommandFailure.wordsMissing }
        let answer = try await client.call(.POST, tourPath("asks", asker.id), ["admit": .flag(isAdmission)])
        let name = output.styled(asker.shownName, .bold)
        try output.done(answer, isAdmission ? Phrase("\(name) is let in.") : Phrase("\(name) is refused."))
    }
}

extension CommandFailure {
    fileprivate static let wordsMissing = CommandFailure(
        code: "words-missing", message: Phrase("one lets in by all four words: compare each of them"))

    /// - Parameter meant: all that the words could mean.
    fileprivate static func unknownAsker(_ meant: [Asker]) -> CommandFailure {
        CommandFailure(
            code: meant.isEmpty ? "unknown-asker" : "ambiguous",
            message: meant.isEmpty
                ? Phrase("nobody asks with these words") : Phrase("several ask with these words: say more of them"),
            advice: .listAskers)
    }
}
