import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// `tour …`: everything about tours as such.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: Phrase("Create, list, change and leave tours, and invite to them."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat tour create "Rome 2026"
              tour-chat tour invite --png invite.png
              tour-chat tour list
            """),
        subcommands: [
            TourCreate.self, TourList.self, TourUse.self, TourShow.self, TourRename.self, TourInvite.self,
            TourCardCommand.self, TourAsks.self, TourAdmit.self, TourRefuse.self, TourAsking.self, TourReadOut.self,
            TourSuccessor.self, TourLeave.self, TourClose.self, TourRecover.self,
        ])
}

/// Which messages late joiners can read.
enum HistoryArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case full, none
}

/// `tour create`
struct TourCreate: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: Phrase("Create a tour; you are its guide."),
        discussion: Phrase(
            """
            Prints the code that lets others join. It works with any member in reach, any number of times, until \
            you revoke it.

            --history full gives who joins later everything that was written before. --history none gives nothing \
            from before: where a guide or above lets somebody in, a new key begins, and older messages stay sealed to \
            the newcomer, who sees that there are some, not what they say. Let in by a plain member, the newcomer can \
            still read what was written since the last new key; there is one each day of use and after each removal. \
            It cannot be changed later.

            EXAMPLES
              tour-chat tour create "Rome 2026"
              tour-chat tour create "Board meeting" --history none
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The tour's name.")))
    var name: String
    @Option(help: ArgumentHelp(Phrase("What who joins later can read of what was written before: full or none.")))
    var history = HistoryArgument.full
    @Option(name: .customLong("as"), help: ArgumentHelp(Phrase("Your name, as the others see it."), valueName: "name"))
    var ownName: String?

    var absence: NodeAccess.Absence { .begin }

    func validate() throws {
        try NameRule.check(name)
        if let ownName { try NameRule.check(ownName) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var known = ownName
        if known == nil { known = try await NameQuestion.answer(option: "--as", client, output) }
        if let known { _ = try await client.setName(known) }
        let answer = try await client.call(
            .POST, LocalPath.make(["tours"]), ["name": .text(name), "history": .text(history.rawValue)])
        guard let tour: CreatedTour = try output.forPeople(answer) else { return }
        try output.text(
            Phrase("Created \(output.foreign(tour.name, .bold)) (\(tour.tourID.prefix(8)))."), .empty)
        try output.table(Table(joinCode: tour.joinCode, link: tour.link))
        try output.text(
            .empty, Phrase("The others run: tour-chat join CODE. 'tour-chat tour invite' shows it as a QR code."))
        try AbsenceNote.nobodyCanJoin.print(client, output)
    }
}

/// `tour list`
struct TourList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: Phrase("List your tours."),
        discussion: Phrase(
            """
            The one marked with * is what commands are about unless --tour names another: the one that was created, \
            joined or chosen ('tour-chat tour use') last, also when it has ended.

            EXAMPLES
              tour-chat tour list
              tour-chat tour list --json
            """))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, LocalPath.make(["tours"]))
        guard let list: TourListing = try output.forPeople(eachOf: answer) else { return }
        if list.tours.isEmpty {
            return try output.text(
                Phrase("No tour yet."), Advice.enterTour.phrase(on: TerminalSurface()).indented)
        }
        let head = [
            .empty, Phrase("ID"), Phrase("NAME"), Phrase("ROLE"), Phrase("STATE"), Phrase("MEMBERS"), Phrase("UNREAD"),
        ]
        try output.table(list.tours, head) { tour in
            [
                tour.latest ? "*" : "", .init(String(tour.tourID.prefix(8)), .dim),
                .init(tour.name, .bold), .init(StatusWords.role(tour.successor ? "successor" : tour.role)),
                .init(TourStanding.word(tour.state)), .init(String(tour.members)),
                .init(String(tour.unread), tour.unread > 0 ? .yellow : .plain),
            ]
        }
    }
}

/// `tour use`
struct TourUse: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: Phrase("Choose the tour that commands are about from now on."),
        discussion: Phrase(
            """
            --tour is for one command only and changes nothing here.

            EXAMPLES
              tour-chat tour use "Rome 2026"
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The tour: its id, six or more digits of it, or its name.")))
    var tour: String

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, LocalPath.make(["tours", tour, "use"]))
        guard let tour: TourSummary = try output.forPeople(answer) else { return }
        try output.text(Phrase("Commands are about \(output.foreign(tour.name, .bold)) now."))
    }
}

/// `tour show`
struct TourShow: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: Phrase("Show one tour."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat tour show
              tour-chat tour show --tour "Rome 2026"
            """))

    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard let tour: TourDetails = try await output.forPeople(client.call(.GET, tourPath())) else { return }
        var table = Table()
        table.add([.init(Phrase("Name")), .init(tour.name, .bold)])
        table.add([.init(Phrase("ID")), .whole(tour.tourID)])
        table.add([.init(Phrase("State")), .init(TourStanding.word(tour.state))])
        table.add([.init(Phrase("Your role")), .init(StatusWords.role(tour.successor ? "successor" : tour.role))])
        table.add([.init(Phrase("Your member ID")), .whole(tour.memberID)])
        table.add([.init(Phrase("Members")), .init(String(tour.members))])
        table.add([.init(Phrase("Unread")), .init(String(tour.unread))])
        let history = StatusWords.history(tour.history)
        table.add([.init(Phrase("History for late joiners")), .init(history)])
        table.add([.init(Phrase("Archive")), .init(tour.archived ? StatusTask.archiveWords : Phrase("none"))])
        let created = Timestamp(tour.createdAt)?.dateAndTime ?? ""
        let creator = tour.creatorID.prefix(8)
        table.add([.init(Phrase("Created")), .init(Phrase("\(created) by \(creator)"))])
        try output.table(table)
    }
}

/// `tour rename`
struct TourRename: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: Phrase("Give the tour another name."),
        discussion: Phrase(
            """
            EXAMPLES
              tour-chat tour rename "Rome and Naples"
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("The new name.")))
    var name: String

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.PATCH, tourPath(), ["name": .text(name)])
        guard let tour: TourSummary = try output.forPeople(answer) else { return }
        try output.text(Phrase("The tour is now called \(output.foreign(tour.name, .bold))."))
    }
}

/// `tour leave`
struct TourLeave: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: Phrase("Leave the tour."),
        discussion: Phrase(
            """
            You keep what you have; to come back you need a new code. Asks first when at a terminal; elsewhere it \
            wants --yes.

            EXAMPLES
              tour-chat tour leave --tour "Rome 2026"
              tour-chat tour leave --tour "Rome 2026" --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("To come back you would need a new code"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await end("leave", client, output, consent, question: { Phrase("Leave the tour '\($0)'?") }) {
            Phrase("You have left \($0).")
        }
    }
}

/// `tour close`
struct TourClose: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: Phrase("End the tour for everybody."),
        discussion: Phrase(
            """
            Nobody can write or join any more; what was written stays readable. Asks first when at a terminal, and \
            says who is lost, who has not answered and what is not understood; elsewhere it wants --yes.

            EXAMPLES
              tour-chat tour close --tour "Rome 2026"
              tour-chat tour close --tour "Rome 2026" --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("Nobody can write in a closed tour, for good"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if !consent.isGiven {
            let open: OpenMatters = try await client.ask(.GET, tourPath("open-matters"))
            let lines = OpenMattersWords(open).lines
            if !lines.isEmpty { try output.text(lines) }
        }
        try await end("close", client, output, consent, question: { Phrase("End the tour '\($0)' for everybody?") }) {
            Phrase("\($0) is closed.")
        }
    }
}

extension CommandInTour {
    /// Asks for consent, and performs an act that cannot be undone.
    fileprivate func end(
        _ path: String, _ client: LocalClient, _ output: Output, _ consent: Consent,
        question: (_ name: String) -> Phrase, done: (_ name: String) -> Phrase
    ) async throws {
        let name = try await (client.ask(.GET, tourPath()) as TourDetails).name
        guard try consent.covers(question(name), output) else { return }
        let answer = try await client.call(.POST, tourPath(path))
        try output.done(answer, done(output.foreign(name, .bold)))
    }
}
