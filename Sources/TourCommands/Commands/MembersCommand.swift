import ArgumentParser
import TourNode
import TourWeb

/// `members`
struct MembersCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "Who is in the tour, and who is in reach.",
        discussion: """
            In reach: heard of in the last 30 seconds, directly or through others. WORDS come from the member's key: \
            compare them aloud to be sure who it is. Where two names read the same, the first digits of the id stand \
            behind each. A server's archive is a member that reads, and is on no network.

            EXAMPLES
              tour-chat members
              tour-chat members --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    var ready: ReadyTask { ReadyTask(setting: global.setting, task: MembersTask(chosenTour: choice.tour)) }
}

/// Shows who is in the tour.
struct MembersTask: NodeTask, AboutTour {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let members = try await client.call(.GET, tourPath("members"))["members"]?.list ?? []
        if output.json { return try members.forEach(output.object) }
        var table = Table(["ID", "NAME", "ROLE", "NEAR", "HOPS", "LAST SEEN", "WORDS"])
        for member in members {
            let isMe = member["me"]?.flag == true
            table.add([
                .init(String(member.shown("id").prefix(8)), .dim),
                .init(
                    MemberName(member.shown("name"), namesake: member.shown("namesake")).whole
                        + (isMe ? " (you)" : ""), .member(member["color"]?.integer ?? 0)),
                .init(member.roleWord), near(member, isMe: isMe), .init(member.shown("hops")),
                .init(isMe ? "" : lastSeen(member)),
                .init(member.shown("words"), .dim),
            ])
        }
        try output.table(table)
    }

    private func lastSeen(_ member: JSON) -> String {
        if member["archive"]?.flag == true { return "" }
        return Timestamp(member.shown("lastSeen"))?.dateAndTime ?? "never"
    }

    private func near(_ member: JSON, isMe: Bool) -> Table.Cell {
        if member["forked"]?.flag == true { return .init("key forked", .red) }
        if member["removed"]?.flag == true { return .init("removed", .red) }
        if member["left"]?.flag == true { return .init("left", .dim) }
        if member["full"]?.flag == true { return .init("share full", .yellow) }
        if member["archive"]?.flag == true { return .init("reads at the server", .yellow) }
        if isMe { return "-" }
        return member["reachable"]?.flag == true ? .init("yes", .green) : .init("no", .dim)
    }
}

extension JSON {
    /// The role of a member, or of us in a tour: who ranks as creator without being the one is the successor.
    var roleWord: String {
        if self["archive"]?.flag == true { return "archive" }
        return self["successor"]?.flag == true ? "successor" : shown("role")
    }
}
