import ArgumentParser
import TourAPI
import TourWords

/// `archive …`: the server as a member that reads along.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: Phrase("Let the server read along, or stop it."),
        discussion: Phrase(
            """
            The server keeps what is sealed and cannot read it, unless a guide invites its archive. Then it is a \
            member that reads, and every member sees it in 'members', 'tour show' and 'status'.

            EXAMPLES
              tour-chat archive invite
              tour-chat archive remove
            """),
        subcommands: [ArchiveInvite.self, ArchiveRemove.self])
}

/// `archive invite`
struct ArchiveInvite: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: Phrase("Let the server read what is said in the tour."),
        discussion: Phrase(
            """
            Its archive becomes a member. It reads what is written from now on; in a tour with full history what was \
            written before as well, like everybody who joins. Who has an account that is tied to a member can list the \
            messages there. Guides and above, with the server in reach; asks first when at a terminal; elsewhere it \
            wants --yes.

            EXAMPLES
              tour-chat archive invite
              tour-chat archive invite --tour "Rome 2026" --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var consent: Consent

    var absence: NodeAccess.Absence { .online }

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("What a server has read stays read"))
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let tour: TourDetails = try await client.ask(.GET, tourPath())
        let name = tour.name
        let question =
            tour.history == "full"
            ? Phrase("Let the server read all that was and will be written in '\(name)'?")
            : Phrase("Let the server read what is written from now on in '\(name)'?")

        guard try consent.covers(question, output) else { return }
        let answer = try await client.call(.POST, tourPath("archive"))
        guard let archive: InvitedArchive = try output.forPeople(answer) else { return }
        let server = output.foreign(archive.server, .bold)
        try output.text(
            Phrase("The archive of \(server) is a member now (\(archive.id.prefix(8)), “\(archive.words)”)."),
            Phrase("Every member sees it. 'tour-chat archive remove' ends it."))
    }
}

/// `archive remove`
struct ArchiveRemove: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: Phrase("Stop the server from reading along, and make a new code."),
        discussion: Phrase(
            """
            Removes the archive as any member: what is written from now on is sealed with a key that it does not get, \
            and it wipes the keys that it has when it hears of the removal. Every code there is ends as well: the new \
            one is for those who still want to join. Guides and above; asks first when at a terminal; elsewhere it \
            wants --yes.

            EXAMPLES
              tour-chat archive remove
              tour-chat archive remove --tour "Rome 2026" --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var consent: Consent

    func validate() throws { try consent.require(json: global.json, because: Phrase("A removal is for good")) }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let name = try await (client.ask(.GET, tourPath()) as TourDetails).name
        let question = Phrase("Remove the server's archive from '\(name)', and end every join code?")
        guard try consent.covers(question, output) else { return }
        let answer = try await client.call(.DELETE, tourPath("archive"))
        guard let removed: RemovedMember = try output.forPeople(answer) else { return }
        try output.text(
            Phrase("The server's archive is out."), Phrase("The codes of before are revoked. The new one:"))
        try removed.showCode(output)
        try removed.showCode(output)

        try AbsenceNote.stored.print(client, output)
    }
}
