import TourJSON
import TourWeb

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

    /// - Returns: nil for an object without an id.
    package init?(_ json: JSON) {
        guard let id = json["id"]?.text else { return nil }
        self.id = id
        let name = MemberName(json.shown("name")).whole
        let digits = TerminalText.safe(String(id.prefix(8)))
        title = "\(name) (\(digits))"
        guests = json["guests"]?.integer ?? 0
        description = "\(name) (\(digits), “\(TerminalText.safe(json.shown("words")))”)"
    }
}

extension CommandInTour {
    /// Asks the node which member a name means.
    /// - Throws: `CommandFailure`: nobody, or more than one.
    func resolve(_ name: String, _ client: LocalClient) async throws -> MemberAnswer {
        guard let member = MemberAnswer(try await client.call(.GET, tourPath("members", name))) else {
            throw CommandFailure.badAnswer
        }
        return member
    }
}
