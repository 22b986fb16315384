import ArgumentParser
import TourServer

/// `admin tours`: the tours that this server keeps.
struct ToursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tours", abstract: "List, show and delete tours.",
        subcommands: [ToursListCommand.self, ToursShowCommand.self, ToursDeleteCommand.self],
        defaultSubcommand: ToursListCommand.self)
}

struct ToursListCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List tours, those with the latest activity first.",
        discussion: """
            EXAMPLES
              tour-server admin tours --limit 20
              tour-server admin tours --json
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let page = try await server.tours(limit: rows.limit)
        let headings = ["LAST ACTIVITY", "SIZE", "MEMBERS", "ACCOUNT", "DELETED", "NAME", "ID"]
        return AdminAnswer(page, headings, none: "There is no tour.") { tour in
            [
                AdminOutput.time(tour.lastActivityAt), AdminOutput.size(tour.bytes),
                tour.members.map { String($0) } ?? "-", tour.account.map { String($0) } ?? "-",
                AdminOutput.time(tour.deletedAt), tour.name ?? "-", tour.id,
            ]
        }
    }
}

/// The tour that a command is about.
struct TourArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Its id: 64 hexadecimal digits, as 'list' shows them.", valueName: "tour"))
    var tour: String
}

struct ToursShowCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a tour: size, members and last activity.",
        discussion: """
            EXAMPLES
              tour-server admin tours show TOUR --json
            """)

    @OptionGroup var named: TourArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let tour = try await server.tour(named.tour)
        return AdminAnswer(tour, parts: [.fields(tour.fields)])
    }
}

struct ToursDeleteCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a tour from this server, with everything that is stored for it.",
        discussion: """
            It stays on its members' devices. A guide's device that syncs makes it known again, unless the account is \
            disabled or no guide any more.

            EXAMPLES
              tour-server admin tours delete TOUR         # says what would go
              tour-server admin tours delete TOUR --yes
            """)

    @OptionGroup var named: TourArgument
    @OptionGroup var options: AdminOptions
    @OptionGroup var consent: DeletionConsent

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        try await consent.require {
            let tour = try await server.tour(named.tour)
            let last = AdminOutput.time(tour.lastActivityAt)
            return "the tour has \(AdminOutput.size(tour.bytes)) here and was last active at \(last)"
        }
        let tour = try await server.deleteTour(named.tour)
        return AdminAnswer(tour, "The tour is deleted: \(AdminOutput.size(tour.bytes)).")
    }
}

extension TourSummary {
    fileprivate var fields: [(name: String, value: String)] {
        [
            ("Tour", id), ("Name here", name ?? "-"), ("Account", account.map { String($0) } ?? "-"),
            ("State", isPlanned ? "planned" : isActive ? "under way" : "over"),
            ("Members", members.map { String($0) } ?? "-"), ("Accounts with a seat", String(seats)),
            ("Open invitations", String(invitations)), ("The server reads along", hasArchive.yesOrNo),
            ("Events", AdminOutput.size(eventBytes)), ("Files", AdminOutput.size(blobBytes)),
            ("Since", AdminOutput.time(createdAt)), ("Last activity", AdminOutput.time(lastActivityAt)),
            ("Deleted if unused", AdminOutput.time(deletedAt)),
        ]
    }
}
