import ArgumentParser
import TourJSON
import TourModel
import TourWords

/// The member of an organisation that a command is about.
struct OrganisationMemberArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The number of a member; for admins also the e-mail address or phone.")))
    var member: String
}

/// `account organisation members`
struct OrganisationMembers: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: Phrase("List the members; admins see addresses and phones.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let members = try await client.call(.GET, path(organisation, "members"))["members"]?.list ?? []
        if output.json { return try members.forEach(output.object) }
        var table = Table([
            Phrase("NUMBER"), Phrase("ROLE"), Phrase("JOINED"), Phrase("TOURS"), Phrase("E-MAIL"), Phrase("PHONE"),
        ])
        for member in members {
            let number = TerminalText.safe(member.shown("account"))
            table.add([
                .init(member["own"]?.flag == true ? Phrase("\(number) (you)") : Phrase(verbatim: number), .bold),
                .init(StatusWords.role(member.shown("role"))),
                .init(Timestamp(member.shown("joinedAt"))?.dateAndTime ?? ""), .init(member.shown("tours")),
                .init(member.shown("email")), .init(member.shown("phone")),
            ])
        }
        try output.table(table)
    }
}

/// `account organisation role`
struct OrganisationRole: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: Phrase("Make a member admin, or guide again.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: OrganisationMemberArgument
    @Argument(help: ArgumentHelp(Phrase("guide or admin.")))
    var role: OrganisationRoleArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let number = try await member(target.member, of: organisation, client).shown("account")
        let answer = try await client.call(
            .PUT, path(organisation, "members", number), ["role": .text(role.rawValue)])
        if output.json { return try output.object(answer) }
        let (name, role) = (OrganisationAnswer.shown(answer), StatusWords.role(answer.shown("role")))
        try output.text(Phrase("\(output.styled(name, .bold)) is now \(role)."))
    }
}

/// `account organisation remove`
struct OrganisationRemove: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Phrase("Take a member out; the member's tours there go to you.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: OrganisationMemberArgument
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("The member's tours there go to you"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let member = try await member(target.member, of: organisation, client)
        let name = OrganisationAnswer.shown(member)
        guard try consent.covers(Phrase("Take \(name) out of \(organisation.shown)?"), output) else { return }
        let answer = try await client.call(.DELETE, path(organisation, "members", member.shown("account")))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("\(output.styled(name, .bold)) is out."))
    }
}

/// `account organisation leave`
struct OrganisationLeave: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: Phrase("Leave the organisation; your tours there go to an admin.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("Your tours there go to an admin"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let question = Phrase("Leave \(organisation.shown)? Your tours there go to an admin.")
        guard try consent.covers(question, output) else { return }
        let answer = try await client.call(.POST, path(organisation, "leave"))
        if output.json { return try output.object(answer) }
        try output.text(Phrase("You are in \(organisation.shown) no more."))
    }
}
