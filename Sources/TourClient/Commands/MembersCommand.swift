import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `members`
struct MembersCommand: TaskCommand, ChoosesTour {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: Phrase("Who is in the tour, and who is in reach."),
        discussion: Phrase(
            """
            In reach: heard of in the last 30 seconds, directly or through others. Asleep: the device said that it \
            sleeps, and is out of reach until it says more. WORDS come from the member's key: \
            compare them aloud to be sure who it is. Where two names read the same, the first digits of the id stand \
            behind each. A server's archive is a member that reads, and is on no network. A guest, whose phone has no \
            tour-chat, stands with the device that lets it in: that device can read and write as the guest. \
            WHERE shows who shares a position: how far, in which direction and how long ago; without a receiver or \
            --here just the place. What is older than three minutes is said to be where somebody was.

            EXAMPLES
              tour-chat members
              tour-chat members --json
              tour-chat members --here 48.8584,2.2945
            """))

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
        guard let list: MemberList = try await output.forPeople(eachOf: client.call(.GET, path)) else { return }
        let isSomebodyShown = list.members.contains { $0.position != nil }
        let place = isSomebodyShown ? [Phrase("WHERE")] : []
        let head = [
            Phrase("ID"), Phrase("NAME"), Phrase("ROLE"), Phrase("NEAR"), Phrase("HOPS"), Phrase("LAST SEEN"),
        ]
        var table = Table(head + place + [Phrase("WORDS")])
        for member in list.members {
            let place = isSomebodyShown ? [whereabouts(member)] : []
            table.add(
                [
                    .init(String(member.id.prefix(8)), .dim),
                    .init(name(member), .member(member.color)),
                    .init(StatusWords.role(of: member)), near(member), .init(member.hops.map { "\($0)" } ?? ""),
                    lastSeen(member),
                ] + place + [.init(member.words, .dim)])
        }
        try output.table(table)
        for member in list.members where !member.cannotShow.isEmpty && !member.removed && !member.left {
            let things = Phrase(list: member.cannotShow.compactMap(thing))
            try output.text(Phrase("The version of \(name(member)) cannot show: \(things)."))
        }
        if let people = list.people { try output.text(people.sentence) }
    }

    private func name(_ member: MemberSummary) -> Phrase {
        let name = MemberName(member.name, namesake: member.namesake ?? "").whole
        return member.me ? Phrase("\(name) (you)") : GuestWords.named(name, member.by)
    }

    /// Names a thing that a version cannot show; nil for a word of a later version.
    private func thing(_ word: String) -> Phrase? {
        switch word {
        case "alarms": Phrase("alarms")
        case "rolls": Phrase("roll calls")
        case "files": Phrase("files and pictures")
        case "places": Phrase("places and meeting points")
        case "shared": Phrase("shared notes")
        case "guests": Phrase("who is a guest")
        case "asides": Phrase("words to the guides alone")
        default: nil
        }
    }

    private func whereabouts(_ member: MemberSummary) -> Table.Cell {
        guard let position = member.position else { return "" }
        return .init(PositionWords.of(position), position.live ? .plain : .dim)
    }

    private func lastSeen(_ member: MemberSummary) -> Table.Cell {
        if member.archive || member.me { return "" }
        return member.lastSeen.flatMap { Timestamp($0) }.map { .init($0.dateAndTime) } ?? .init(Phrase("never"))
    }

    private func near(_ member: MemberSummary) -> Table.Cell {
        if member.forked { return .init(Phrase("key forked"), .red) }
        if member.removed { return .init(Phrase("removed"), .red) }
        if member.left { return .init(Phrase("left"), .dim) }
        if member.full { return .init(Phrase("share full"), .yellow) }
        if member.archive { return .init(Phrase("reads at the server"), .yellow) }
        if member.me { return "-" }
        if member.asleep { return .init(Phrase("asleep"), .dim) }
        return member.reachable ? .init(Phrase("yes"), .green) : .init(Phrase("no"), .dim)
    }
}
