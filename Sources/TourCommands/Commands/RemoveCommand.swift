import ArgumentParser
import TourWeb

/// `remove`
struct RemoveCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take somebody out of the tour, and make a new code.",
        discussion: """
            Its links are closed, and what it writes from now on reaches nobody who knows of the removal; what it \
            wrote before stays. Every code there is ends as well, since it may have kept one: the new one is for \
            those who still want to join. Guides and above; asks first when at a terminal; elsewhere it wants --yes.

            EXAMPLES
              tour-chat remove Ben
              tour-chat remove 8d92c3ad --yes
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: "A name, or six or more digits of a member's id.")
    var member: String
    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard yes || Confirmation.canBeAsked(json: global.json) else {
            throw ValidationError("A removal is for good: say --yes where nobody can be asked.")
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let found = try await resolve(member, client)
        let place = try await inTour(client, output)
        let question = "Remove \(found.description) for good\(place), and end every join code?"
        guard try yes || Confirmation.isGiven(question, output) else { return }
        let answer = try await client.call(.POST, tourPath("remove"), ["member": .text(found.id)])
        if output.json { return try output.object(answer) }
        let ended = answer["revoked"]?.list?.count ?? 0
        try output.text(
            "\(output.styled(found.title, .bold)) is out.",
            "\(ended == 1 ? "The join code" : "All \(ended) join codes") of before "
                + "\(ended == 1 ? "is" : "are") revoked. The new one:", "",
            "Join code:  \(output.foreign(answer.shown("joinCode"), .bold))",
            "Link:       \(output.foreign(answer.shown("link")))")
        try AbsenceNote.nobodyCanJoin.print(client, output)
    }
}
