import ArgumentParser
import ServerTours
import TourServer

/// `admin organisation`: companies and clubs whose accounts work together.
struct OrganisationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organisation", abstract: "List, make and delete organisations, and hand over their tours.",
        subcommands: [
            OrganisationListCommand.self, OrganisationCreateCommand.self, OrganisationDeleteCommand.self,
            OrganisationMembersCommand.self, OrganisationHandoverCommand.self,
        ])
}

struct OrganisationListCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List organisations by their numbers.",
        discussion: """
            EXAMPLES
              tour-server admin organisation list
            """)

    @OptionGroup var options: AdminOptions
    @OptionGroup var rows: LimitOption

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let page = try await server.organisations(limit: rows.limit)
        let headings = ["ID", "MEMBERS", "ADMINS", "TOURS", "SINCE", "NAME"]
        return AdminAnswer(page, headings, none: "There is no organisation.") { found in
            [
                String(found.id), String(found.members), String(found.admins), String(found.tours),
                AdminOutput.time(found.createdAt), found.name,
            ]
        }
    }
}

struct OrganisationCreateCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an organisation, with its first admin.",
        discussion: """
            EXAMPLES
              tour-server admin organisation create "Bosporus Tours" --admin office@example.org
            """)

    @Argument(help: "Its name.")
    var name: String
    @Option(help: ArgumentHelp("The account that invites all others.", valueName: "id|email|phone"))
    var admin: String
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let made = try await server.addOrganisation(name, admin: admin)
        return AdminAnswer(made, "Organisation \(made.id) is there.")
    }
}

/// The organisation that a command is about.
struct OrganisationArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Its number, as 'list' shows it.", valueName: "organisation"))
    var organisation: Int64
}

struct OrganisationDeleteCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an organisation: accounts and tours stay.",
        discussion: """
            Each tour stays with its owner, and its other guides no longer see it.

            EXAMPLES
              tour-server admin organisation delete 3         # says what would go
              tour-server admin organisation delete 3 --yes
            """)

    @OptionGroup var named: OrganisationArgument
    @OptionGroup var options: AdminOptions
    @OptionGroup var consent: DeletionConsent

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        try await consent.require {
            let found = try await server.organisation(named.organisation)
            return "the organisation has \(found.members) members and \(found.tours) tours"
        }
        let found = try await server.deleteOrganisation(named.organisation)
        return AdminAnswer(found, "The organisation is deleted.")
    }
}

struct OrganisationMembersCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: "List the members of an organisation.",
        discussion: """
            EXAMPLES
              tour-server admin organisation members 3
            """)

    @OptionGroup var named: OrganisationArgument
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let members = try await server.members(of: named.organisation)
        let rows = members.map { member in
            [
                String(member.account), member.role.rawValue, String(member.tours),
                AdminOutput.time(member.joinedAt), member.email ?? member.phone ?? "-",
            ]
        }
        return AdminAnswer(members, parts: [.table(["ACCOUNT", "ROLE", "TOURS", "SINCE", "CONTACT"], rows)])
    }
}

struct OrganisationHandoverCommand: AdminAction {
    static let configuration = CommandConfiguration(
        commandName: "handover", abstract: "Give a tour of an organisation to another member.",
        discussion: """
            EXAMPLES
              tour-server admin organisation handover 3 TOUR --to guide@example.org
            """)

    @OptionGroup var named: OrganisationArgument
    @OptionGroup var tour: TourArgument
    @Option(help: ArgumentHelp("The member who gets it.", valueName: "id|email|phone"))
    var to: String
    @OptionGroup var options: AdminOptions

    func answer(_ server: ServerOperator) async throws -> AdminAnswer {
        let owner = try await server.handOver(tour: tour.tour, of: named.organisation, to: to)
        return AdminAnswer(["account": owner], "The tour is account \(owner)'s now.")
    }
}
