import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `roll buddies`
struct RollBuddiesCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "buddies",
        abstract: Phrase("Who answers for whom: two or more who stay together."),
        discussion: Phrase(
            """
            Without names it lists them. Guides name two to eight members who answer for each other from now on; \
            whoever was in another group leaves that.

            EXAMPLES
              tour-chat roll buddies
              tour-chat roll buddies Ben Anna
              tour-chat roll buddies --clear
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("Those who stay together.")))
    var members: [String] = []
    @Flag(help: ArgumentHelp(Phrase("Nobody answers for others any more.")))
    var clear = false

    func validate() throws {
        guard members.isEmpty || !clear else {
            throw ValidationError(Phrase("Give names or --clear."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var answer = try await client.call(.GET, tourPath("buddies"))
        var groups = try BuddyGroups(answer: answer).groups
        if clear || !members.isEmpty {
            var ids: [String] = []
            for name in clear ? [] : members {
                ids.append(try await (client.ask(.GET, tourPath("members", name)) as MemberSummary).id)
            }
            let kept = groups.map { $0.members.map(\.memberID).filter { !ids.contains($0) } }
            let wanted = clear ? [] : kept.filter { $0.count > 1 } + [ids]
            answer = try await client.call(
                .PUT, tourPath("buddies"), ["groups": .list(wanted.map { .list($0.map(JSON.text)) })])
            groups = try BuddyGroups(answer: answer).groups
        }
        if output.json { return try output.object(answer) }
        if groups.isEmpty { return try output.text(Phrase("Nobody answers for others.")) }
        for group in groups {
            let names = group.members.map { TerminalText.safe($0.name) }
            try output.text(Phrase(verbatim: names.joined(separator: ", ")))
        }
    }
}
