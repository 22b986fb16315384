import ArgumentParser
import TourWeb

/// What a member may do.
enum RoleArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    case member, guide, admin
}

/// `role`
struct RoleCommand: CommandInTour {
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
    @Argument(help: "A name, or six or more digits of a member's id.")
    var member: String
    @Argument(help: "member, guide or admin.")
    var role: RoleArgument
    @Flag(help: "Do not ask.")
    var yes = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let found = try await resolve(member, client)
        let place = try await inTour(client, output)
        let question = "Make \(found.description) \(role.rawValue)\(place)?"
        guard try yes || Confirmation.isGiven(question, output) else { return }
        let answer = try await client.call(
            .POST, tourPath("role"), ["member": .text(found.id), "role": .text(role.rawValue)])
        if output.json { return try output.object(answer) }
        try output.text("\(output.styled(found.title, .bold)) is now \(answer.shown("role"))\(place).")
        try AbsenceNote.stored.print(client, output)
    }
}

/// `tour successor`
struct TourSuccessor: CommandInTour {
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
    @Argument(help: "A name, or six or more digits of a member's id.")
    var member: String
    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard yes || Confirmation.canBeAsked(json: global.json) else {
            throw ValidationError("A successor may end the tour: say --yes where nobody can be asked.")
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let found = try await resolve(member, client)
        let place = try await inTour(client, output)
        let question = "Let \(found.description) do all that you may\(place.isEmpty ? " in this tour" : place)?"
        guard try yes || Confirmation.isGiven(question, output) else { return }
        let answer = try await client.call(.POST, tourPath("successor"), ["member": .text(found.id)])
        if output.json { return try output.object(answer) }
        try output.text("\(output.styled(found.title, .bold)) is your successor\(place).")
        try AbsenceNote.stored.print(client, output)
    }
}
