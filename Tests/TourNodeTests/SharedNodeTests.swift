import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourModel
import TourNode
import TourNotebook

/// Goal: what a guide shares is there as it was published, version by version, until it is taken back; its difference
/// is shown; a stop becomes the meeting point; a copy is one's own. Method: a real node without a network.
@Suite final class SharedNodeTests {
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    /// In a tour of its own.
    private func guide() async throws -> TourNode {
        var settings = NodeSettings()
        settings.dataDirectory = scratch.appendingPathComponent("data").path
        settings.isOffline = true
        settings.name = "Guide"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings, loop: group.next(), logger: logger)
        _ = try await node.start()
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        return node
    }

    private static func refusal(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return "none"
        } catch {
            return (error as? NodeError)?.code ?? "\(error)"
        }
    }

    private static func content(_ content: NotebookContent) -> NotebookDraft { NotebookDraft { _ in content } }

    private static func messages(_ node: TourNode) async throws -> [Message] {
        var listing = try await node.view(nil).listing(TourView.Selection())
        var found = [Message]()
        while let some = try listing.next() { found += some }
        return found
    }

    @Test func aNoteIsSharedVersionByVersion() async throws {
        let node = try await guide()
        let id = try await node.notebook.add(
            .note, Self.content(.note(Note(title: "Packing", content: "coat\nshoes")))
        ).item.id
        let first = try await node.publish("Packing", as: .note, in: nil)
        #expect(first.version == 1 && first.record == id.text && first.type == "note")
        #expect(await Self.refusal { _ = try await node.publish(id.text, as: .note, in: nil) } == "unchanged")
        #expect(await Self.refusal { _ = try await node.publish(id.text, as: .place, in: nil) } == "unknown-item")
        _ = try await node.notebook.change(
            .note, id.text, Self.content(.note(Note(title: "To pack", content: "coat\nhat\nshoes"))))
        let second = try await node.publish(id.text, as: .note, in: nil)
        #expect(second.version == 2)
        let now = try await node.sharedRecord(String(id.digits.prefix(6)), changes: true, in: nil)
        #expect(now.summary.title == "To pack" && now.summary.version == 2 && now.text == "coat\nhat\nshoes")
        #expect(now.changes?.since == 1 && now.changes?.lines.map(\.text) == ["hat"])
        #expect(now.changes?.fields.map(\.before) == ["Packing"])
        // By its message, a version is shown as it was.
        let then = try await node.sharedRecord(String(first.id.prefix(12)), changes: true, in: nil)
        #expect(then.text == "coat\nshoes" && then.changes == nil)
        let shown = try await Self.messages(node)
        #expect(shown.map(\.id) == [first.id, second.id] && shown.map(\.type) == ["note", "note"])
        #expect(shown.map(\.content) == ["Packing", "To pack"])
        #expect(shown[0].metadata.shared?.changes == nil)
        #expect(shown[1].metadata.shared?.changes?.linesAdded == 1)
        #expect(shown[1].metadata.shared?.changes?.fields == ["title"])
        await node.stop()
    }

    @Test func whatIsTakenBackOrWithdrawnDoesNotCount() async throws {
        let node = try await guide()
        let id = try await node.notebook.add(.note, Self.content(.note(Note(title: "A", content: "one")))).item.id
        _ = try await node.publish(id.text, as: .note, in: nil)
        _ = try await node.notebook.change(.note, id.text, Self.content(.note(Note(title: "A", content: "two"))))
        let second = try await node.publish(id.text, as: .note, in: nil)
        _ = try await node.withdraw(second.id, in: nil)
        #expect(try await node.sharedRecord(id.text, changes: false, in: nil).text == "one")
        #expect(await Self.refusal { _ = try await node.unpublish(id.text, as: .place, in: nil) } == "unknown-record")
        // The number goes on behind what was withdrawn as far as it counts.
        let back = try await node.unpublish("A", as: .note, in: nil)
        #expect(back.version == 2 && back.title == "A")
        #expect(try await node.sharedRecords(nil).isEmpty)
        #expect(
            await Self.refusal { _ = try await node.sharedRecord(id.text, changes: false, in: nil) } == "not-shared")
        #expect(await Self.refusal { _ = try await node.unpublish(id.text, as: .note, in: nil) } == "not-shared")
        #expect(await Self.refusal { _ = try await node.copyShared(id.text, in: nil) } == "not-shared")
        #expect(try await Self.messages(node).last?.metadata.shared?.isTakenBack == true)
        // Published again it is there again, against what it was before.
        #expect(try await node.publish(id.text, as: .note, in: nil).version == 3)
        #expect(try await node.sharedRecord(id.text, changes: true, in: nil).changes?.since == 1)
        #expect(
            await Self.refusal { _ = try await node.sharedRecord("ffffff", changes: false, in: nil) }
                == "unknown-record")
        await node.stop()
    }

    @Test func longItinerariesComeWholeAndAreCopied() async throws {
        let node = try await guide()
        let created = try await node.notebook.add(
            .itinerary, Self.content(.itinerary(Itinerary(title: "Day 2", description: "By tram"))))
        let id = created.item.id
        let gate = Coordinate(latitude: 418_902_000, longitude: 124_922_000)
        let words = String(repeating: "a long word about it ", count: 100)
        for number in 1...40 {
            let stop = Stop(title: "Stop \(number)", note: "\(number) \(words)", place: number == 1 ? gate : nil)
            _ = try await node.notebook.addStop(to: id.text, Self.content(.stop(stop)), known: nil, position: nil)
        }
        let published = try await node.publish(id.text, as: .itinerary, in: nil)
        let shared = try await node.sharedRecord(published.record, changes: false, in: nil)
        #expect(shared.summary.stops == 40 && shared.stops.map(\.title) == (1...40).map { "Stop \($0)" })
        #expect(shared.stops.last?.note == "40 \(words)" && shared.text == "By tram")
        // Of its parts the last one is a message.
        let shown = try await Self.messages(node)
        #expect(shown.count == 1 && shown[0].metadata.shared?.stops == 40 && shown[0].seq > 3)
        _ = try await node.notebook.moveStop("Stop 40", in: id.text, to: 1)
        _ = try await node.notebook.dropStop("Stop 7", from: id.text, keeps: false)
        _ = try await node.publish(id.text, as: .itinerary, in: nil)
        let changes = try await node.sharedRecord(id.text, changes: true, in: nil).changes
        #expect(changes?.stops.map(\.change) == ["removed", "moved"])
        #expect(changes?.stops.map(\.from) == [7, 40] && changes?.stops.map(\.to) == [nil, 1])
        let copy = try await node.copyShared("Day 2", in: nil)
        #expect(copy.id != id.text)
        guard case .itinerary(let copied) = try await node.notebook.item(.itinerary, copy.id).item.content else {
            Issue.record("no itinerary")
            return
        }
        #expect(copied.title == "Day 2" && copied.stops.count == 39)
        #expect(try await node.notebook.items(.stop).count == 39 + 39)
        await node.stop()
    }

    @Test func aStopBecomesTheMeetingPoint() async throws {
        let node = try await guide()
        let id = try await node.notebook.add(.itinerary, Self.content(.itinerary(Itinerary(title: "Day 2")))).item
            .id
        let place = Coordinate(latitude: 418_902_000, longitude: 124_922_000)
        for stop in [
            Stop(title: "Gate", note: "North side", place: place), Stop(title: "Nowhere"),
            Stop(title: "Hall", place: place, at: 60),
        ] {
            _ = try await node.notebook.addStop(to: id.text, Self.content(.stop(stop)), known: nil, position: nil)
        }
        let refusal = await Self.refusal {
            _ = try await node.meet(atStop: "Tower", at: nil, expiresSeconds: nil, in: nil)
        }
        #expect(refusal == "unknown-stop")
        _ = try await node.meet(atStop: "Nowhere", text: "As told", at: nil, expiresSeconds: nil, in: nil)
        let unplaced = try #require(try await node.meeting(nil))
        #expect(unplaced.text == "As told" && unplaced.label == "Nowhere" && unplaced.latitude == nil)
        _ = try await node.meet(atStop: "gate", at: 4_102_444_800_000, expiresSeconds: nil, in: nil)
        let first = try #require(try await node.meeting(nil))
        #expect(first.text == "North side" && first.label == "Gate" && first.latitude == 41.8902)
        #expect(first.meetAt == "2100-01-01T00:00:00.000000Z")
        // What is long ago is no time to meet at; and the stop need not be in one's own notebook.
        _ = try await node.publish(id.text, as: .itinerary, in: nil)
        _ = try await node.notebook.remove(.itinerary, id.text)
        _ = try await node.meet(atStop: "Hall", at: nil, expiresSeconds: 60, in: nil)
        let second = try #require(try await node.meeting(nil))
        #expect(second.text == "Hall" && second.label == nil && second.meetAt == nil && second.expiresAt != nil)
        await node.stop()
    }
}
