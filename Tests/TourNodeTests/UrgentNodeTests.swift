import Testing
import TourAPI
import TourModel
import TourNode

/// Goal: what is urgent ends by itself, and a new one takes the place of the one that it corrects.
/// Method: one node without a network, which writes and lists.
@Suite struct UrgentNodeTests {
    private static func urgent(_ text: String, seconds: Int64? = nil, replaces: String? = nil) -> Draft {
        Draft(text: text, isAnnouncement: true, urgent: true, expiresSeconds: seconds, replaces: replaces)
    }

    @Test func aNewOneWithdrawsTheOneThatItReplaces() async throws {
        let scratch = try ScratchNodes()
        let node = try await scratch.node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        let first = try #require(try await node.send([Self.urgent("At 17:10")], to: nil).first).get()
        _ = try #require(try await node.send([Self.urgent("At 17:30", replaces: first.id)], to: nil).first).get()
        #expect(try await node.urgent(nil).map(\.text) == ["At 17:30"])
        let refused = try await node.send([Self.urgent("Gone", replaces: String(repeating: "0", count: 64))], to: nil)
        #expect(throws: NodeError.self) { try refused.first?.get() }
        #expect(try await node.urgent(nil).map(\.text) == ["At 17:30"], "what is refused withdraws nothing")
        await node.stop()
    }

    @Test func itEndsAfterSomeHoursUnlessItsAuthorSaysOtherwise() async throws {
        let scratch = try ScratchNodes()
        let node = try await scratch.node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        let drafts = [
            Self.urgent("By itself"), Self.urgent("Soon", seconds: 60), Draft(text: "News", isAnnouncement: true),
        ]
        _ = try await node.send(drafts, to: nil)
        let ends = try await node.view(nil).window(.last, count: 10).messages
            .reduce(into: [String: String]()) { $0[$1.content] = $1.metadata.expiresAt ?? "never" }
        let (byItself, soon) = (try #require(ends["By itself"]), try #require(ends["Soon"]))
        #expect(ends["News"] == "never" && byItself != "never")
        #expect(byItself > soon, "a minute is less than some hours")
        await node.stop()
    }
}
