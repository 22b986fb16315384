import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourNode

/// Goal: the tour that is meant where none is named changes by choice only; names are tidy; nobody acts on itself.
/// Method: real nodes without a network, on real directories.
@Suite final class OfflineNodeTests {
    private let scratch: URL
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init() throws {
        // Keys of these nodes are nothing for the keyring of whoever runs the tests.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        scratch = FileManager.default.temporaryDirectory.appendingPathComponent("tour-offline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    }

    deinit {
        group.shutdownGracefully { _ in }
        try? FileManager.default.removeItem(at: scratch)
    }

    private func settings(_ name: String?, in directory: String = "data") -> NodeSettings {
        var settings = NodeSettings()
        settings.dataDirectory = scratch.appendingPathComponent(directory).path
        settings.isOffline = true
        settings.name = name
        return settings
    }

    private func node(_ name: String?, in directory: String = "data") async throws -> TourNode {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let node = try TourNode(settings: settings(name, in: directory), loop: group.next(), logger: logger)
        _ = try await node.start()
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

    @Test func onlyAChoiceMovesTheDefault() async throws {
        let first = try await node("Anna")
        _ = try await first.createTour(name: "Rome", fullHistory: true)
        _ = try await first.createTour(name: "Oslo", fullHistory: true)
        #expect(try await first.tour(nil).name == "Oslo")
        _ = try await first.send([Draft(text: "in Rome")], to: "Rome")
        #expect(try await first.tour(nil).name == "Oslo")
        #expect(try await first.useTour("rome").latest)
        #expect(try await first.tour(nil).name == "Rome")
        _ = try await first.send([Draft(text: "in Oslo")], to: "Oslo")
        #expect(try await first.tour(nil).name == "Rome")
        await first.stop()
        // It is known to the next start, wherever that is.
        try FileManager.default.copyItem(
            at: scratch.appendingPathComponent("data"), to: scratch.appendingPathComponent("copy"))
        let second = try await node(nil, in: "copy")
        #expect(try await second.tour(nil).name == "Rome")
        await second.stop()
    }

    /// What is read stays that of the tour that ended, and nothing is written into another one instead.
    @Test func aTourThatHasEndedIsStillMeant() async throws {
        let node = try await node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        _ = try await node.createTour(name: "Oslo", fullHistory: true)
        try await node.closeTour(nil)
        #expect(try await node.tour(nil).name == "Oslo")
        let unsaid = await Self.refusal { _ = try await node.renameTour(nil, to: "Bergen") }
        #expect(unsaid == "not-active")
        let draft = Draft(text: "in Oslo")
        let unsent = await Self.refusal { _ = try await node.send([draft], to: nil) }
        #expect(unsent == "not-active")
        let refused = await Self.refusal { _ = try await node.useTour("Oslo") }
        #expect(refused == "not-active")
        #expect(try await node.useTour("Rome").latest)
        #expect(try await node.tour(nil).name == "Rome")
        await node.stop()
    }

    /// Who is alone counts itself; a tour that is over says so, and counts nobody.
    @Test func peopleAreCountedWhileATourGoesOn() async throws {
        let node = try await node("Anna")
        #expect(try await node.status(nil).status.people == nil)
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        let open = try await node.status(nil).status
        #expect(open.people == PeopleCount(total: 1, reachable: 1))
        #expect(open.members == 1 && open.membersReachable == 0)
        #expect(try await node.members(nil).people == open.people)
        try await node.closeTour(nil)
        let closed = try await node.status(nil).status
        #expect(closed.people == nil && closed.state == .closed)
        #expect(closed.members == 1 && closed.membersReachable == 0)
        #expect(try await node.members(nil).people == nil)
        await node.stop()
    }

    /// Of two changes of the storage key's place at once one is refused, and the other is whole.
    @Test func oneChangeOfTheKeyAtATime() async throws {
        let node = try await node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        async let first = Self.refusal { _ = try await node.moveKey(to: .passphrase([1, 2, 3]), current: nil) }
        async let second = Self.refusal { _ = try await node.moveKey(to: .passphrase([1, 2, 3]), current: nil) }
        #expect(await Set([first, second]) == ["none", "busy"])
        #expect(try await node.moveKey(to: .file, current: [1, 2, 3]).storageKey == "file")
        await node.stop()
    }

    /// What was destroyed does not come back by a change of the passphrase.
    @Test func aWipedKeyIsNotMoved() async throws {
        let node = try await node("Anna")
        try node.locked.destroyKey()
        let refused = await Self.refusal { _ = try await node.moveKey(to: .passphrase([1, 2, 3]), current: nil) }
        #expect(refused.contains("destroyed") || refused == "wiped")
        await node.stop()
        try node.locked.removeFiles()
        #expect(!FileManager.default.fileExists(atPath: scratch.appendingPathComponent("data").path))
    }

    /// A start where a wipe was cut short ends it, and begins anew.
    @Test func aWipeThatWasCutShortIsEnded() async throws {
        let first = try await node("Anna")
        _ = try await first.createTour(name: "Rome", fullHistory: true)
        try first.locked.destroyKey()
        await first.stop()
        try FileManager.default.copyItem(
            at: scratch.appendingPathComponent("data"), to: scratch.appendingPathComponent("copy"))
        let second = try await node("Berta", in: "copy")
        #expect(try await second.tours().isEmpty)
        await second.stop()
    }

    /// Nothing is acknowledged that others would refuse; what leads goes on.
    @Test func aFullShareIsSaid() async throws {
        let node = try await node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        let draft = Draft(text: String(repeating: "long ", count: 3_200))
        var sent = 0
        var refused = "none"
        while refused == "none", sent < 20 {
            refused = await Self.refusal { _ = try await node.send(Array(repeating: draft, count: 100), to: nil) }
            sent += 1
        }
        while await Self.refusal({ _ = try await node.send([draft], to: nil) }) == "none" { sent += 1 }
        #expect(refused == "share-full" && sent < 120)
        let status = try await node.status(nil).status
        #expect(status.shareUsed == 100)
        #expect(try await node.members(nil).members.map(\.full) == [true])
        #expect(await node.doctor().contains { $0.name == "share" && $0.state == .failed })
        #expect(await Self.refusal { _ = try await node.setName("Berta") } == "share-full")
        try await node.closeTour(nil)
        #expect(try await node.tour(nil).state == .closed)
        await node.stop()
    }

    @Test func namesAreTidy() async throws {
        let node = try await node("  Anna \t B. ")
        _ = try await node.createTour(name: " Rome   2026 ", fullHistory: true)
        #expect(try await node.tour(nil).name == "Rome 2026")
        #expect(try await node.setName(" Anna  C. ") == "Anna C.")
        #expect(try await node.members(nil).members.map(\.name) == ["Anna C."])
        let refused = await Self.refusal { _ = try await node.setName(" \t ") }
        #expect(refused == "bad-name")
        await node.stop()
    }

    /// What data bases refuse, or what could drive a terminal, is held back where it is given.
    @Test func controlCharactersAreHeldBack() async throws {
        let node = try await node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        let answers = try await node.send([Draft(text: "a\u{0}b"), Draft(text: "a\tb\nc")], to: nil)
        #expect(answers.map { (try? $0.get()) != nil } == [false, true])
        #expect(await Self.refusal { _ = try answers[0].get() } == "bad-text")
        for name in ["An\u{0}na", "An\u{1B}[31mna", "An\u{85}na\u{9B}", "An\u{7F}na"] {
            #expect(await Self.refusal { _ = try await node.setName(name) } == "bad-name")
            #expect(await Self.refusal { _ = try await node.renameTour(nil, to: name) } == "bad-name")
        }
        await node.stop()
    }

    @Test func nobodyActsOnItself() async throws {
        let node = try await node("Anna")
        _ = try await node.createTour(name: "Rome", fullHistory: true)
        _ = try await node.setName("Anna")
        let me = try await node.member(" ANNA ", of: nil)
        #expect(me.me && me.namesake == nil)
        let removal = await Self.refusal { _ = try await node.removeMember(me.id, from: nil) }
        let role = await Self.refusal { _ = try await node.setRole("guide", of: "anna", in: nil) }
        let succession = await Self.refusal { _ = try await node.setSuccessor(me.id, in: nil) }
        #expect([removal, role, succession] == ["yourself", "yourself", "yourself"])
        let nobody = await Self.refusal { _ = try await node.member("Ben", of: nil) }
        #expect(nobody == "unknown-member")
        await node.stop()
    }

    @Test func aDirectoryOfOtherFilesIsNone() throws {
        let settings = settings(nil)
        let path = URL(fileURLWithPath: settings.dataDirectory)
        #expect(!settings.holdsNode)
        #expect(throws: Never.self) { try settings.checkEmpty() }
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
        try Data([1]).write(to: path.appendingPathComponent("beach.jpg"))
        #expect(!settings.holdsNode)
        #expect(throws: (any Error).self) { try settings.checkDirectory() }
        #expect(throws: (any Error).self) { try settings.checkEmpty() }
    }
}
