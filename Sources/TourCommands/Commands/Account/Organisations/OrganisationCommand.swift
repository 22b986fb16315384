import ArgumentParser
import TourJSON
import TourModel
import TourWords

/// `account organisation …`: the organisations of the account at the server.
struct AccountOrganisation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organisation",
        abstract: Phrase("Work with the other guides of a company: members, and tours that they share.").text,
        discussion: Phrase(
            """
            All guides of an organisation at the server see the tours that are shared with it: names, dates and \
            members, but no messages. Its admins invite and remove guides, and hand tours over. Who is in a tour, and \
            with which role, is another thing, and stays as it is.

            EXAMPLES
              tour-chat account organisation create "Bosporus Tours"
              tour-chat account organisation invite ben@tours.example --role admin
              tour-chat account organisation invite
              tour-chat account organisation accept
              tour-chat account organisation members
              tour-chat account organisation share "Rome 2026"
              tour-chat account organisation handover "Rome 2026" ben@tours.example
              tour-chat account organisation leave --yes
            """
        ).text,
        subcommands: [
            OrganisationList.self, OrganisationCreate.self, OrganisationRename.self, OrganisationEnd.self,
            OrganisationInvite.self, OrganisationInvitations.self, OrganisationWithdraw.self,
            OrganisationAccept.self, OrganisationDecline.self, OrganisationMembers.self, OrganisationRole.self,
            OrganisationRemove.self, OrganisationLeave.self, OrganisationTours.self, OrganisationShare.self,
            OrganisationUnshare.self, OrganisationHandover.self,
        ],
        defaultSubcommand: OrganisationList.self)

    /// The address of the organisations in the local API, or of a part of them.
    static func path(_ parts: String...) -> String { LocalPath.make(["mailbox", "organisations"] + parts) }
}

/// The organisation that a command is about.
struct OrganisationOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("The organisation: its number or name (default: the only one)."), valueName: "number|name"))
    var organisation: String?
}

/// A command about one organisation.
protocol CommandInOrganisation: NodeCommand {
    var choice: OrganisationOption { get }
}

extension CommandInOrganisation {
    var absence: NodeAccess.Absence { .online }

    /// The one that is meant.
    /// - Parameter isInvited: whether one that invites the account is meant, not one that it is in.
    func organisation(_ client: LocalClient, isInvited: Bool = false) async throws -> OrganisationAnswer {
        let answer = try await client.call(.GET, AccountOrganisation.path())
        let all = (answer["organisations"]?.list ?? []).compactMap { OrganisationAnswer($0) }
        return try OrganisationAnswer.named(choice.organisation, among: all.filter { $0.isInvited == isInvited })
    }

    /// A part of its address.
    func path(_ organisation: OrganisationAnswer, _ parts: String...) -> String {
        LocalPath.make(["mailbox", "organisations", String(organisation.number)] + parts)
    }

    /// The member that the user names.
    func member(_ named: String, of organisation: OrganisationAnswer, _ client: LocalClient) async throws -> JSON {
        let members = try await client.call(.GET, path(organisation, "members"))["members"]?.list ?? []
        return try OrganisationAnswer.member(named, among: members)
    }
}

/// `account organisation list`
struct OrganisationList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Phrase("List your organisations, and those that invite you.").text)

    @OptionGroup var global: GlobalOptions

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let all = try await client.call(.GET, AccountOrganisation.path())["organisations"]?.list ?? []
        if output.json { return try all.forEach(output.object) }
        if all.isEmpty { return try output.text(Phrase("You are in no organisation, and none invites you.")) }
        var table = Table([Phrase("NUMBER"), Phrase("NAME"), Phrase("ROLE"), Phrase("JOINED")])
        for organisation in all {
            table.add([
                .init(organisation.shown("id")), .init(organisation.shown("name"), .bold),
                .init(StatusWords.role(organisation.shown("role"))),
                organisation["invitation"]?.integer == nil
                    ? .init(Timestamp(organisation.shown("joinedAt"))?.dateAndTime ?? "")
                    : .init(Phrase("invites you: accept or decline"), .yellow),
            ])
        }
        try output.table(table)
    }
}

/// `account organisation create`
struct OrganisationCreate: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: Phrase("Make an organisation, whose admin you are.").text)

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The new name.")))
    var name: String

    var absence: NodeAccess.Absence { .online }

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, AccountOrganisation.path(), ["name": .text(name)])
        if output.json { return try output.object(answer) }
        let name = output.foreign(answer.shown("name"), .bold)
        try output.text(Phrase("\(name) is organisation \(answer.shown("id")), and you are its admin."))
    }
}

/// `account organisation rename`
struct OrganisationRename: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: Phrase("Give the organisation another name.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @Argument(help: ArgumentHelp(Phrase("The new name.")))
    var name: String

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let answer = try await client.call(.PATCH, path(organisation), ["name": .text(name)])
        if output.json { return try output.object(answer) }
        let name = output.foreign(answer.shown("name"), .bold)
        try output.text(Phrase("The organisation is called \(name) now."))
    }
}

/// `account organisation end`
struct OrganisationEnd: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: Phrase("End the organisation; each tour stays with its owner.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("An organisation ends for good"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        guard try consent.covers(Phrase("End \(organisation.shown) for all its members?"), output) else { return }
        let answer = try await client.call(.DELETE, path(organisation))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("\(organisation.shown) has ended."))
    }
}
