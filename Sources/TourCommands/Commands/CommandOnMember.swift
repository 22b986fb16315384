import ArgumentParser
import TourWeb
import TourWords

/// Whom a command is about.
struct MemberArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("A name, or six or more digits of a member's id.")))
    var member: String
}

/// A command that does something to one member: it shows whom it found, and asks.
protocol CommandOnMember: CommandInTour {
    var target: MemberArgument { get }
    var consent: Consent { get }
    /// The last part of the local API's path.
    var act: String { get }
    /// What the request holds besides the member's id.
    var details: [JSONMember] { get }

    /// - Parameter tour: where it has to be said.
    func question(about member: MemberAnswer, in tour: String?) -> Phrase
    /// Says what came of it.
    func report(
        _ answer: JSON, on member: MemberAnswer, in tour: String?, _ client: LocalClient, _ output: Output
    ) async throws
}

extension CommandOnMember {
    var details: [JSONMember] { [] }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let found = try await resolve(target.member, client)
        let tour = try await inTour(client, output)
        guard try consent.covers(question(about: found, in: tour), output) else { return }
        let request = [JSONMember(name: "member", value: .text(found.id))] + details
        let answer = try await client.call(.POST, tourPath(act), .object(request))
        if output.json { return try output.object(answer) }
        try await report(answer, on: found, in: tour, client, output)
    }
}
