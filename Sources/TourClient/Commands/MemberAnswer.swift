import TourAPI

/// A member as the node knows it, looked up before a command acts on it: names do not identify.
package struct MemberAnswer: Hashable, Sendable {
    /// The whole id.
    package let id: String
    /// `Ben (8d92c3ad)`, safe for a terminal.
    package let title: String
    /// `Ben (8d92c3ad, “bell lilac apple aspen”)`: the words, compared aloud, prove who it is.
    package let description: String
    /// How many guests go with it if it is removed.
    package let guests: Int

    package init(_ member: MemberSummary) {
        id = member.id
        let name = MemberName(member.name).whole
        let digits = TerminalText.safe(String(id.prefix(8)))
        title = "\(name) (\(digits))"
        guests = member.guests
        description = "\(name) (\(digits), “\(TerminalText.safe(member.words))”)"
    }
}

extension CommandInTour {
    /// Asks the node which member a name means.
    /// - Throws: `CommandFailure`: nobody, or more than one.
    func resolve(_ name: String, _ client: LocalClient) async throws -> MemberAnswer {
        MemberAnswer(try await client.ask(.GET, tourPath("members", name)))
    }
}
