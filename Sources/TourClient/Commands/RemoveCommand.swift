import ArgumentParser
import TourAPI
import TourWords

/// `remove`
struct RemoveCommand: CommandOnMember {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: Phrase("Take somebody out of the tour, and make a new code."),
        discussion: Phrase(
            """
            Its links are closed, and what it writes from now on reaches nobody who knows of the removal; what it \
            wrote before stays. Every code there is ends as well, since it may have kept one: the new one is for \
            those who still want to join. Guests whom its device let in, or who were ever with it, go as well, since \
            it knows their keys. Guides and above; asks first when at a terminal; elsewhere it wants --yes.

            EXAMPLES
              tour-chat remove Ben
              tour-chat remove 8d92c3ad --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @OptionGroup var consent: Consent

    var act: [String] { ["remove"] }

    func validate() throws { try consent.require(json: global.json, because: Phrase("A removal is for good")) }

    func question(about member: MemberAnswer, in tour: String?) -> Phrase {
        let question =
            tour.map { Phrase("Remove \(member.description) for good in \($0), and end every join code?") }
            ?? Phrase("Remove \(member.description) for good, and end every join code?")
        guard member.guests > 0 else { return question }
        let (guests, name) = (member.guests, member.title)
        return Phrase(
            [
                Phrase(
                    guests, one: "\(guests) guest was let in by \(name), who knows that guest's key, and goes too.",
                    other: "\(guests) guests were with \(name), who knows their keys, and go too."),
                question,
            ], separator: "\n")
    }

    func report(
        _ removed: RemovedMember, on member: MemberAnswer, in tour: String?, _ client: LocalClient, _ output: Output
    ) async throws {
        let (ended, guests) = (removed.revoked.count, removed.guests)
        try output.text(Phrase("\(output.styled(member.title, .bold)) is out."))
        if guests > 0 {
            try output.text(
                Phrase(guests, one: "\(guests) guest is out with it.", other: "\(guests) guests are out with it."))
        }
        try output.text(
            ended == 1
                ? Phrase("The join code of before is revoked. The new one:")
                : Phrase("All \(ended) join codes of before are revoked. The new one:"))
        try removed.showCode(output)
        let seats: SeatsView? = try? await client.ask(.GET, tourPath("seats"))
        if seats?.hosts.contains(where: \.mayGive) == true {
            try output.text(
                Phrase("Each device that lets guests in shows another code now: 'tour-chat seats status --qr'."))
        }
        try AbsenceNote.nobodyCanJoin.print(client, output)
    }
}

extension RemovedMember {
    /// Shows the new code, below the result.
    func showCode(_ output: Output) throws {
        try output.text(.empty)
        try output.table(Table(joinCode: joinCode, link: link))
    }
}

extension Table {
    /// A code that lets others join.
    init(joinCode: String, link: String) {
        self.init()
        add([.init(Phrase("Join code:")), .whole(joinCode, .bold)])
        add([.init(Phrase("Link:")), .whole(link)])
    }
}
