import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// The member that a command is about.
struct MemberArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("A name, or six or more digits of a member's id.")))
    var member: String
}

/// A command that does something to one member: it shows the member that it found, and asks.
protocol CommandOnMember: CommandInTour {
    /// The node's answer to the act.
    associatedtype Outcome: JSONReadable

    var target: MemberArgument { get }
    var consent: Consent { get }
    /// The last segments of the local API's path.
    var act: [String] { get }
    /// The fields of the request besides the member's id.
    var details: [JSONMember] { get }

    /// - Parameter tour: its name, if the question must mention it.
    func question(about member: MemberAnswer, in tour: String?) -> Phrase
    /// Prints the result.
    func report(
        _ outcome: Outcome, on member: MemberAnswer, in tour: String?, _ client: LocalClient, _ output: Output
    ) async throws
}

extension CommandOnMember {
    var details: [JSONMember] { [] }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let found = try await resolve(target.member, client)
        let tour = try await inTour(client, output)
        guard try consent.covers(question(about: found, in: tour), output) else { return }
        let request = [JSONMember(name: "member", value: .text(found.id))] + details
        let answer = try await client.call(.POST, LocalPath.make(["tours", chosenTour ?? "-"] + act), .object(request))
        guard let outcome: Outcome = try output.forPeople(answer) else { return }
        try await report(outcome, on: found, in: tour, client, output)
    }
}
