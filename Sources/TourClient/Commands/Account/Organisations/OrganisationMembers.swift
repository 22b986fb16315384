import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// The member of an organisation that a command is about.
struct OrganisationMemberArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The number of a member; for admins also the e-mail address or phone.")))
    var member: String
}

/// `account organisation members`
struct OrganisationMembers: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "members", abstract: Phrase("List the members; admins see addresses and phones."))

    @OptionGroup var choice: OrganisationOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let answer = try await client.call(.GET, path(organisation, "members"))
        guard let list: OrganisationMemberList = try output.forPeople(eachOf: answer) else { return }
        let head = [
            Phrase("NUMBER"), Phrase("ROLE"), Phrase("JOINED"), Phrase("TOURS"), Phrase("E-MAIL"), Phrase("PHONE"),
        ]
        try output.table(list.members, head) { member in
            let number = String(member.account)
            return [
                .init(member.own ? Phrase("\(number) (you)") : Phrase(verbatim: number), .bold),
                .init(StatusWords.role(member.role.rawValue)), .moment(member.joinedAt), .init(String(member.tours)),
                .init(member.email ?? ""), .init(member.phone ?? ""),
            ]
        }
    }
}

/// `account organisation role`
struct OrganisationMemberRole: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: Phrase("Make a member admin, or guide again."))

    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: OrganisationMemberArgument
    @Argument(help: ArgumentHelp(Phrase("guide or admin.")))
    var role: OrganisationRole

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let number = try await member(target.member, of: organisation, client).account
        let answer = try await client.call(
            .PUT, path(organisation, "members", String(number)), ["role": .text(role.rawValue)])
        guard let member: OrganisationMember = try output.forPeople(answer) else { return }
        let role = StatusWords.role(member.role.rawValue)
        try output.text(Phrase("\(output.styled(member.shown, .bold)) is now \(role)."))
    }
}

/// `account organisation remove`
struct OrganisationRemove: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: Phrase("Take a member out; the member's tours there go to you."))

    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: OrganisationMemberArgument
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("The member's tours there go to you"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let member = try await member(target.member, of: organisation, client)
        let name = member.shown
        guard try consent.covers(Phrase("Take \(name) out of \(organisation.shown)?"), output) else { return }
        let answer = try await client.call(.DELETE, path(organisation, "members", String(member.account)))
        try output.done(answer, Phrase("\(output.styled(name, .bold)) is out."))
    }
}

/// `account organisation leave`
struct OrganisationLeave: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: Phrase("Leave the organisation; your tours there go to an admin."))

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
        try output.done(answer, Phrase("You are in \(organisation.shown) no more."))
    }
}
