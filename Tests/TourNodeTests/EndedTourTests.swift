import Testing
import TourAPI
import TourCrypto
import TourModel
import TourNode

/// Goal: with a tour everything ends that waits for somebody's answer, and before that the guide learns what waits.
/// Method: a real node without a network, two guests whose phones the test plays, and everything that can be open.
@Suite struct EndedTourTests {
    private let scratch: ScratchNodes
    private let node: TourNode

    init() async throws {
        scratch = try ScratchNodes()
        node = try await scratch.node("guide")
        _ = try await node.setName("Guide")
        _ = try await node.createTour(name: "Museum", fullHistory: true)
        await node.seats.doorOpened(port: 8_480)
        _ = try await node.seats.set(on: true, max: nil, in: nil)
    }

    private func enter(_ name: String, _ number: UInt8) async throws -> SeatTicket {
        try await node.seats.enter(
            pass: node.shownPass(), name: name, secret: [UInt8](repeating: number, count: SeatKeys.secretBytes)
        ).ticket
    }

    @Test func nothingStandsInATourThatHasEnded() async throws {
        let (anna, ben) = (try await enter("Anna", 1), try await enter("Ben", 2))
        let cry = try await node.seats.prepare(.alarm(text: "By the blue door", battery: nil), for: anna)
        _ = try await node.seats.confirm(cry.id, for: anna)
        _ = try await node.send([Draft(text: "The bus leaves", isAnnouncement: true, urgent: true)], to: nil)
        _ = try await node.callRoll("At the bus", seconds: 600, in: nil)
        _ = try await node.meet(
            TourNode.MeetingDraft(place: nil, label: "", text: "Gate", at: nil, expiresSeconds: nil), in: nil)
        #expect(
            try await node.openMatters(nil)
                == OpenMatters(
                    lost: ["Anna"], unanswered: ["Ben"],
                    urgent: [OpenMatters.Urgent(text: "The bus leaves", missing: 2)]))
        let before = try await node.seats.picture(for: ben)
        #expect(before.ended == nil && before.urgent.count == 1 && before.alarms.contains(where: \.open))

        try await node.closeTour(nil)
        await node.seats.tick()
        #expect(try await node.openMatters(nil) == OpenMatters(lost: [], unanswered: [], urgent: []))
        #expect(try await node.alarms(nil).contains(where: \.open) == false)
        #expect(try await node.urgent(nil).isEmpty)
        #expect(try await node.meeting(nil) == nil)
        #expect(try await node.roll(nil)?.open == false)
        let after = try await node.seats.picture(for: ben)
        #expect(after.ended != nil && after.urgent.isEmpty && after.meeting == nil && after.roll?.open == false)
        #expect(after.alarms.contains(where: \.open) == false)
        let texts = try await node.seats.messages(.last, count: 10, for: ben).map(\.content)
        #expect(texts.contains("The bus leaves"), "a guest reads no more")
        for act in [SeatAct.text("late", replyTo: nil), .found(alarm: cry.id), .leave] {
            #expect(await code { _ = try await node.seats.prepare(act, for: anna) } == "tour-ended")
        }
        #expect(await code { _ = try await node.answerAlarm(cry.id, "found", in: nil) } == NodeError.closed("").code)
    }

    @Test func aRollCallWithOtherWordsSaysThatOneStands() async throws {
        _ = try await node.callRoll("At the bus", seconds: 600, in: nil)
        #expect(try await node.callRoll("", seconds: 600, in: nil).text == "At the bus")
        #expect(try await node.callRoll("At the bus", seconds: 600, in: nil).calls.count == 1)
        #expect(await code { _ = try await node.callRoll("At the boat", seconds: 600, in: nil) } == "roll-stands")
    }

    @Test func oneGuidesSecondMeetingPointHasNoRival() async throws {
        for text in ["Gate", "Fountain"] {
            _ = try await node.meet(
                TourNode.MeetingDraft(place: nil, label: "", text: text, at: nil, expiresSeconds: nil), in: nil)
        }
        let meeting = try #require(try await node.meeting(nil))
        #expect(meeting.text == "Fountain" && meeting.insteadOf == nil)
    }
}
