import ArgumentParser
import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// `members`
struct MembersCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: Phrase("Who is in the tour, and who is in reach.").text,
        discussion: Phrase(
            """
            In reach: heard of in the last 30 seconds, directly or through others. WORDS come from the member's key: \
            compare them aloud to be sure who it is. Where two names read the same, the first digits of the id stand \
            behind each. A server's archive is a member that reads, and is on no network. A guest, whose phone has no \
            tour-chat, stands with the device that lets it in: that device can read and write as the guest. \
            WHERE shows who shares a position: how far, in which direction and how long ago; without a receiver or \
            --here just the place. What is older than three minutes is said to be where somebody was.

            EXAMPLES
              tour-chat members
              tour-chat members --json
              tour-chat members --here 48.8584,2.2945
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(Phrase("Where you are, if gpsd is not to say."), valueName: "lat,lon"),
        transform: PlaceArgument.parse)
    var here: PlaceArgument?

    var task: any NodeTask { MembersTask(chosenTour: choice.tour, here: here) }
}

/// Shows who is in the tour.
struct MembersTask: NodeTask, AboutTour {
    let chosenTour: String?
    let here: PlaceArgument?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = tourPath("members", query: [("here", here?.coordinate.map { "\($0)" })])
        let answer = try await client.call(.GET, path)
        let members = answer["members"]?.list ?? []
        if output.json { return try members.forEach(output.object) }
        let isSomebodyShown = members.contains { $0["position"].map { $0 != .null } ?? false }
        let place = isSomebodyShown ? [Phrase("WHERE")] : []
        let head = [
            Phrase("ID"), Phrase("NAME"), Phrase("ROLE"), Phrase("NEAR"), Phrase("HOPS"), Phrase("LAST SEEN"),
        ]
        var table = Table(head + place + [Phrase("WORDS")])
        for member in members {
            let isMe = member["me"]?.flag == true
            let place = isSomebodyShown ? [whereabouts(member)] : []
            table.add(
                [
                    .init(String(member.shown("id").prefix(8)), .dim),
                    .init(name(member, isMe: isMe), .member(member["color"]?.integer ?? 0)),
                    .init(member.roleWord), near(member, isMe: isMe), .init(member.shown("hops")),
                    lastSeen(member),
                ] + place + [.init(member.shown("words"), .dim)])
        }
        try output.table(table)
        if let people = PeopleWords(answer["people"]) { try output.text(people.sentence) }
    }

    private func name(_ member: JSON, isMe: Bool) -> Phrase {
        let name = MemberName(member.shown("name"), namesake: member.shown("namesake")).whole
        return isMe ? Phrase("\(name) (you)") : member.named(name)
    }

    private func whereabouts(_ member: JSON) -> Table.Cell {
        guard let words = PositionWords.of(member["position"]) else { return "" }
        return .init(words, member["position"]?["live"]?.flag == true ? .plain : .dim)
    }

    private func lastSeen(_ member: JSON) -> Table.Cell {
        if member["archive"]?.flag == true || member["me"]?.flag == true { return "" }
        return Timestamp(member.shown("lastSeen")).map { .init($0.dateAndTime) } ?? .init(Phrase("never"))
    }

    private func near(_ member: JSON, isMe: Bool) -> Table.Cell {
        if member["forked"]?.flag == true { return .init(Phrase("key forked"), .red) }
        if member["removed"]?.flag == true { return .init(Phrase("removed"), .red) }
        if member["left"]?.flag == true { return .init(Phrase("left"), .dim) }
        if member["full"]?.flag == true { return .init(Phrase("share full"), .yellow) }
        if member["archive"]?.flag == true { return .init(Phrase("reads at the server"), .yellow) }
        if isMe { return "-" }
        return member["reachable"]?.flag == true ? .init(Phrase("yes"), .green) : .init(Phrase("no"), .dim)
    }
}

extension JSON {
    /// The role of a member, or our own in a tour: a member who ranks as creator without having made the tour is the
    /// successor.
    var roleWord: Phrase {
        if self["archive"]?.flag == true { return StatusWords.role("archive") }
        return StatusWords.role(self["successor"]?.flag == true ? "successor" : shown("role"))
    }
}
