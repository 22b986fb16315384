import ArgumentParser
import TourWeb

/// What a member may do.
enum RoleArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case member, guide, admin
}

/// `role`
struct RoleCommand: CommandOnMember {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Make somebody guide or admin, or a plain member again.",
        discussion: """
            Guides announce, invite, and remove members; admins change roles as well. You can give only roles below \
            your own, and only to those who rank below you. What somebody announced as a guide stays. Asks first when \
            at a terminal.

            EXAMPLES
              tour-chat role Ben guide
              tour-chat role 8d92c3ad member --yes
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @Argument(help: "member, guide or admin.")
    var role: RoleArgument
    @OptionGroup var consent: Consent

    var act: String { "role" }
    var details: [JSONMember] { [JSONMember(name: "role", value: .text(role.rawValue))] }

    func question(about member: MemberAnswer, _ place: String) -> String {
        "Make \(member.description) \(role.rawValue)\(place)?"
    }

    func report(
        _ answer: JSON, on member: MemberAnswer, _ place: String, _ client: LocalClient, _ output: Output
    ) async throws {
        try output.text("\(output.styled(member.title, .bold)) is now \(answer.shown("role"))\(place).")
        try AbsenceNote.stored.print(client, output)
    }
}

/// `tour successor`
struct TourSuccessor: CommandOnMember {
    static let configuration = CommandConfiguration(
        commandName: "successor",
        abstract: "Name who stands in for you, should your device fail.",
        discussion: """
            The creator alone can do this, in advance: from now on the successor may do all that the creator may, \
            except to the creator. There is one at a time; 'tour-chat role NAME admin' takes it back. Asks first when \
            at a terminal; elsewhere it wants --yes.

            EXAMPLES
              tour-chat tour successor Ben
              tour-chat tour successor Ben --yes
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @OptionGroup var consent: Consent

    var act: String { "successor" }

    func validate() throws { try consent.require(json: global.json, because: "A successor may end the tour") }

    func question(about member: MemberAnswer, _ place: String) -> String {
        "Let \(member.description) do all that you may\(place.isEmpty ? " in this tour" : place)?"
    }

    func report(
        _ answer: JSON, on member: MemberAnswer, _ place: String, _ client: LocalClient, _ output: Output
    ) async throws {
        try output.text("\(output.styled(member.title, .bold)) is your successor\(place).")
        try AbsenceNote.stored.print(client, output)
    }
}
