import ArgumentParser
import TourAPI
import TourJSON
import TourWords

extension OrganisationRole: ExpressibleByArgument {}

/// `account organisation invite`
struct OrganisationInvite: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: Phrase("Invite somebody, for 14 days: by address or phone, or by a code that lets one person in."))

    @OptionGroup var choice: OrganisationOption
    @Argument(help: ArgumentHelp(Phrase("An e-mail address or phone; without one you get a code.")))
    var contact: String?
    @Option(help: ArgumentHelp(Phrase("guide or admin.")))
    var role = OrganisationRole.guide

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        var body = [JSONMember(name: "role", value: .text(role.rawValue))]
        if let contact, contact.contains("@") {
            body.append(JSONMember(name: "email", value: .text(contact)))
        } else if let contact {
            let number = try AccountQuestions.phone(contact, json: output.json)
            body.append(JSONMember(name: "phone", value: .text(number)))
        }
        let answer = try await client.call(.POST, path(organisation, "invitations"), .object(body))
        guard let invitation: OrganisationInvitation = try output.forPeople(answer) else { return }
        guard let code = invitation.code else {
            return try output.text(
                Phrase("The invitation is open for 14 days. Nothing is sent, so tell them to run:"),
                Phrase(verbatim: "  tour-chat account organisation accept --organisation \(organisation.id)"))
        }
        let shown = output.foreign(code, .bold)
        try output.text(
            Phrase("This code is shown only now, and lets one person in within 14 days, by:"),
            Phrase(
                verbatim:
                    "  tour-chat account organisation accept --organisation \(organisation.id) --code \(shown)"))
    }
}

/// `account organisation invitations`
struct OrganisationInvitations: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "invitations", abstract: Phrase("List the open invitations."))

    @OptionGroup var choice: OrganisationOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let answer = try await client.call(.GET, path(organisation, "invitations"))
        guard let list: OrganisationInvitationList = try output.forPeople(eachOf: answer) else { return }
        let head = [Phrase("NUMBER"), Phrase("FOR"), Phrase("ROLE"), Phrase("EXPIRES")]
        try output.table(list.invitations, head, none: Phrase("No invitation is open.")) { invitation in
            let contact = invitation.email ?? invitation.phone
            return [
                .init(String(invitation.id)), contact.map { .init($0) } ?? .init(Phrase("whoever has the code")),
                .init(StatusWords.role(invitation.role.rawValue)), .moment(invitation.expiresAt),
            ]
        }
    }
}

/// `account organisation withdraw`
struct OrganisationWithdraw: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: Phrase("Take an invitation back."))

    @OptionGroup var choice: OrganisationOption
    @Argument(help: ArgumentHelp(Phrase("The number of the invitation.")))
    var invitation: Int

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let answer = try await client.call(.DELETE, path(organisation, "invitations", String(invitation)))
        try output.done(answer, Phrase("The invitation has ended."))
    }
}

/// `account organisation accept`
struct OrganisationAccept: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: Phrase("Accept an invitation."))

    @OptionGroup var choice: OrganisationOption
    @Option(help: ArgumentHelp(Phrase("The code that you got, with the organisation's number.")))
    var code: String?

    func validate() throws {
        // Of an organisation that invites nobody by name the account sees nothing: its name leads nowhere.
        if code != nil, choice.organisation.flatMap({ Int64($0) }) == nil {
            throw ValidationError(Phrase("--code goes with the number of the organisation: --organisation NUMBER."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer: JSON
        if let code, let number = choice.organisation {
            answer = try await client.call(.POST, AccountOrganisation.path(number, "join"), ["code": .text(code)])
        } else {
            let organisation = try await organisation(client, isInvited: true)
            answer = try await client.call(.POST, path(organisation, "join"), [:])
        }
        guard let joined: Organisation = try output.forPeople(answer) else { return }
        let (name, role) = (output.foreign(joined.name, .bold), StatusWords.role(joined.role.rawValue))
        try output.text(Phrase("You are in \(name) now, as \(role)."))
    }
}

/// `account organisation decline`
struct OrganisationDecline: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: Phrase("Decline an invitation."))

    @OptionGroup var choice: OrganisationOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client, isInvited: true)
        let number = organisation.invitation.map { String($0) } ?? ""
        let answer = try await client.call(.DELETE, path(organisation, "invitations", number))
        try output.done(answer, Phrase("The invitation has ended."))
    }
}
