import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `account organisation …`: the organisations of the account at the server.
struct AccountOrganisation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organisation",
        abstract: Phrase("Work with the other guides of a company: members, and tours that they share."),
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
            """),
        subcommands: [
            OrganisationList.self, OrganisationCreate.self, OrganisationRename.self, OrganisationEnd.self,
            OrganisationInvite.self, OrganisationInvitations.self, OrganisationWithdraw.self,
            OrganisationAccept.self, OrganisationDecline.self, OrganisationMembers.self, OrganisationMemberRole.self,
            OrganisationRemove.self, OrganisationLeave.self, OrganisationTours.self, OrganisationShare.self,
            OrganisationUnshare.self, OrganisationHandover.self,
        ],
        defaultSubcommand: OrganisationList.self)

    /// The address of the organisations in the local API, or of a part of them.
    static func path(_ parts: String...) -> String { LocalPath.make(["mailbox", "organisations"] + parts) }
}

/// The organisation that a command is about, beside the options of every command.
struct OrganisationOption: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Option(
        help: ArgumentHelp(
            Phrase("The organisation: its number or name (default: the only one)."), valueName: "number|name"))
    var organisation: String?
}

/// A command about one organisation.
protocol CommandInOrganisation: OnlineCommand {
    var choice: OrganisationOption { get }
}

extension CommandInOrganisation {
    var global: GlobalOptions { choice.global }

    /// The one that is meant.
    /// - Parameter isInvited: whether one that invites the account is meant, not one that it is in.
    func organisation(_ client: LocalClient, isInvited: Bool = false) async throws -> Organisation {
        let all: OrganisationListing = try await client.ask(.GET, AccountOrganisation.path())
        let meant = all.organisations.filter { ($0.invitation != nil) == isInvited }
        return try Organisation.named(choice.organisation, among: meant)
    }

    /// A part of its address.
    func path(_ organisation: Organisation, _ parts: String...) -> String {
        LocalPath.make(["mailbox", "organisations", String(organisation.id)] + parts)
    }

    /// The member that the user names.
    func member(
        _ named: String, of organisation: Organisation, _ client: LocalClient
    ) async throws -> OrganisationMember {
        let list: OrganisationMemberList = try await client.ask(.GET, path(organisation, "members"))
        return try OrganisationMember.named(named, among: list.members)
    }
}

/// `account organisation list`
struct OrganisationList: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: Phrase("List your organisations, and those that invite you."))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, AccountOrganisation.path())
        guard let list: OrganisationListing = try output.forPeople(eachOf: answer) else { return }
        let head = [Phrase("NUMBER"), Phrase("NAME"), Phrase("ROLE"), Phrase("JOINED")]
        let none = Phrase("You are in no organisation, and none invites you.")
        try output.table(list.organisations, head, none: none) { organisation in
            [
                .init(String(organisation.id)), .init(organisation.name, .bold),
                .init(StatusWords.role(organisation.role.rawValue)),
                organisation.invitation == nil
                    ? .moment(organisation.joinedAt) : .init(Phrase("invites you: accept or decline"), .yellow),
            ]
        }
    }
}

/// `account organisation create`
struct OrganisationCreate: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: Phrase("Make an organisation, whose admin you are."))

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The new name.")))
    var name: String

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.POST, AccountOrganisation.path(), ["name": .text(name)])
        guard let made: Organisation = try output.forPeople(answer) else { return }
        let name = output.foreign(made.name, .bold)
        try output.text(Phrase("\(name) is organisation \(String(made.id)), and you are its admin."))
    }
}

/// `account organisation rename`
struct OrganisationRename: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: Phrase("Give the organisation another name."))

    @OptionGroup var choice: OrganisationOption
    @Argument(help: ArgumentHelp(Phrase("The new name.")))
    var name: String

    func validate() throws { try NameRule.check(name) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let answer = try await client.call(.PATCH, path(organisation), ["name": .text(name)])
        guard let renamed: Organisation = try output.forPeople(answer) else { return }
        let name = output.foreign(renamed.name, .bold)
        try output.text(Phrase("The organisation is called \(name) now."))
    }
}

/// `account organisation end`
struct OrganisationEnd: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: Phrase("End the organisation; each tour stays with its owner."))

    @OptionGroup var choice: OrganisationOption
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("An organisation ends for good"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        guard try consent.covers(Phrase("End \(organisation.shown) for all its members?"), output) else { return }
        let answer = try await client.call(.DELETE, path(organisation))
        try output.done(answer, Phrase("\(organisation.shown) has ended."))
    }
}
