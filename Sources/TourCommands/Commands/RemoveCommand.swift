import ArgumentParser
import TourWeb

/// `remove`
struct RemoveCommand: CommandOnMember {
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
    @OptionGroup var target: MemberArgument
    @OptionGroup var consent: Consent

    var act: String { "remove" }

    func validate() throws { try consent.require(json: global.json, because: "A removal is for good") }

    func question(about member: MemberAnswer, _ place: String) -> String {
        "Remove \(member.description) for good\(place), and end every join code?"
    }

    func report(
        _ answer: JSON, on member: MemberAnswer, _ place: String, _ client: LocalClient, _ output: Output
    ) async throws {
        let ended = answer["revoked"]?.list?.count ?? 0
        try output.text(
            "\(output.styled(member.title, .bold)) is out.",
            "\(ended == 1 ? "The join code" : "All \(ended) join codes") of before "
                + "\(ended == 1 ? "is" : "are") revoked. The new one:", "",
            "Join code:  \(output.foreign(answer.shown("joinCode"), .bold))",
            "Link:       \(output.foreign(answer.shown("link")))")
        try AbsenceNote.nobodyCanJoin.print(client, output)
    }
}
