import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// The roles that a member can be given.
enum RoleArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case member, guide, admin
}

/// `role`
struct RoleCommand: CommandOnMember {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: Phrase("Make somebody guide or admin, or a plain member again."),
        discussion: Phrase(
            """
            Guides announce, invite, and remove members; admins change roles as well. You can give only roles below \
            your own, and only to those who rank below you. What somebody announced as a guide stays. Asks first when \
            at a terminal.

            EXAMPLES
              tour-chat role Ben guide
              tour-chat role 8d92c3ad member --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @Argument(help: ArgumentHelp(Phrase("member, guide or admin.")))
    var role: RoleArgument
    @OptionGroup var consent: Consent

    var act: [String] { ["role"] }
    var details: [JSONMember] { [JSONMember(name: "role", value: .text(role.rawValue))] }

    func question(about member: MemberAnswer, in tour: String?) -> Phrase {
        let role = StatusWords.role(role.rawValue)
        return tour.map { Phrase("Make \(member.description) \(role) in \($0)?") }
            ?? Phrase("Make \(member.description) \(role)?")
    }

    func report(
        _ ranked: RankedMember, on member: MemberAnswer, in tour: String?, _ client: LocalClient, _ output: Output
    ) async throws {
        let (name, role) = (output.styled(member.title, .bold), StatusWords.role(ranked.role))
        try output.text(
            tour.map { Phrase("\(name) is now \(role) in \($0).") } ?? Phrase("\(name) is now \(role)."))
        try AbsenceNote.stored.print(client, output)
    }
}

/// `tour successor`
struct TourSuccessor: CommandOnMember {
    static let configuration = CommandConfiguration(
        commandName: "successor",
        abstract: Phrase("Name who stands in for you, should your device fail."),
        discussion: Phrase(
            """
            The creator alone can do this, in advance: from now on the successor may do all that the creator may, \
            except to the creator. There is one at a time; 'tour-chat role NAME admin' takes it back. Asks first when \
            at a terminal; elsewhere it wants --yes.

            EXAMPLES
              tour-chat tour successor Ben
              tour-chat tour successor Ben --yes
            """))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @OptionGroup var consent: Consent

    var act: [String] { ["successor"] }

    func validate() throws { try consent.require(json: global.json, because: Phrase("A successor may end the tour")) }

    func question(about member: MemberAnswer, in tour: String?) -> Phrase {
        tour.map { Phrase("Let \(member.description) do all that you may in \($0)?") }
            ?? Phrase("Let \(member.description) do all that you may in this tour?")
    }

    func report(
        _ ranked: RankedMember, on member: MemberAnswer, in tour: String?, _ client: LocalClient, _ output: Output
    ) async throws {
        let name = output.styled(member.title, .bold)
        try output.text(
            tour.map { Phrase("\(name) is your successor in \($0).") } ?? Phrase("\(name) is your successor."))
        try AbsenceNote.stored.print(client, output)
    }
}
