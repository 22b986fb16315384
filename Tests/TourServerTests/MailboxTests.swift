import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: what was stored is held once and given whole, whoever brings it and in whatever state; a bad entry harms
/// nobody but itself. Method: a whole server over HTTP, and devices that write real logs.
struct MailboxTests {
    /// A tour that the server knows, with one member, and both tokens.
    private struct Scene {
        var tour: SampleTour
        var member: TourPerson
        var guideToken: String
        var memberToken: String

        init(_ server: RunningServer) async throws {
            var tour = SampleTour()
            member = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            guideToken = try await server.memberToken(tour.guide)
            memberToken = try await server.memberToken(member, controls: Array(tour.guide.log.dropFirst()))
            self.tour = tour
        }

        var path: String { "/groups/\(tour.id.hex)" }
    }

    private struct Frontier: Decodable {
        var heads: [String: Int]
        var controls: Int
        var syncTime: Date
    }
    private struct Page: Decodable {
        struct Row: Decodable {
            var localId: String
            var senderId: String
            var sequence: Int
            var sentAt: Date
            var sealed: Data
        }
        var messages: [Row]
        var more: Bool
    }

    private static let damage = [
        "UPDATE logs SET head = -1", "UPDATE events SET event = substr(event, 1, 190)",
        "UPDATE controls SET place = -place", "UPDATE tours SET bytes = 9223372036854775807",
    ]

    /// Somebody wrote into the database, or its disk forgot some of it.
    @Test(arguments: damage)
    func damagedRowsEndNoServer(_ statement: String) async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let said = scene.member.say("1", under: scene.tour.epoch, at: SampleTour.wall)
            _ = try await server.push(scene.tour.guide.log + [said], token: scene.memberToken)
            let storage = try TestDatabase.storage(of: server.directory)
            try await storage.write { sql throws(Failure) in _ = try sql.run(statement, []) }
            try await storage.close()
            for path in ["/frontier", "/events", "/controls"] {
                _ = try await server.send(.GET, scene.path + path, token: scene.guideToken)
            }
            let more = scene.member.say("2", under: scene.tour.epoch, at: SampleTour.wall)
            _ = try? await server.push([more], token: scene.memberToken)
            let alive = try await server.send(.GET, "/healthz")
            #expect(alive.status == 200)
        }
    }

    @Test func whatIsPushedIsHeldOnceAndGivenToOthers() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let said = (1...5).map { scene.member.say("\($0)", under: scene.tour.epoch, at: SampleTour.wall) }
            let first = try await server.push(scene.tour.guide.log + said, token: scene.memberToken)
            #expect(first.statuses == Array(repeating: "stored", count: 8) && first.codes.isEmpty)
            #expect(first.heads == [scene.tour.guide.id.hex: 3, scene.member.id.hex: 5])
            let again = try await server.push(scene.tour.guide.log + said, token: scene.guideToken)
            #expect(again.statuses == Array(repeating: "duplicate", count: 8) && again.codes.isEmpty)
            let frontier: Frontier =
                try await server.send(.GET, scene.path + "/frontier", token: scene.guideToken).decoded()
            #expect(frontier.heads == first.heads && frontier.controls == 2)
            let digits = scene.member.id.hex.prefix(16)
            let page: Page = try await server.send(
                .GET, scene.path + "/events?after=\(digits):2", token: scene.guideToken
            ).decoded()
            #expect(page.messages.map(\.sequence) == [3, 4, 5] && !page.more)
            #expect(page.messages.map { Array($0.sealed) } == said[2...].map(\.bytes))
            #expect(page.messages.map(\.localId) == said[2...].map(\.id.hex))
        }
    }

    @Test func runsAndControlsComeAsMessagesOfTheSchema() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let said = (1...3).map { scene.member.say("\($0)", under: scene.tour.epoch, at: SampleTour.wall) }
            _ = try await server.push(scene.tour.guide.log + said, token: scene.memberToken)
            let accept = [("Accept", "application/x-protobuf")]
            let reply = try await server.send(
                .GET, scene.path + "/events", token: scene.memberToken, headers: accept)
            #expect(reply.headers.first(name: "Content-Type") == "application/x-protobuf")
            let events = try MailboxEvents.decode(Array(reply.body))
            var found = [EventID]()
            for run in events.runs {
                let identity = scene.tour.group.roster.members[run.author]?.identity
                let verified = try VerifiedRun(run, tour: scene.tour.id, identity: try #require(identity))
                found += verified.events.map(\.id)
            }
            #expect(Set(found) == Set((scene.tour.guide.log + said).map(\.id)) && found.count == 6)
            let controls = try MailboxControls.decode(
                Array(
                    try await server.send(.GET, scene.path + "/controls", token: scene.memberToken, headers: accept)
                        .body))
            #expect(controls.events == scene.tour.guide.log.dropFirst().map(\.bytes) && controls.next == 2)
            let none = try await server.send(.GET, scene.path + "/controls?after=2", token: scene.memberToken)
            #expect(none.text == #"{"events":[],"more":false,"next":2}"#)
        }
    }

    @Test func eachEntryIsJudgedByItself() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let said = (1...4).map { scene.member.say("\($0)", under: scene.tour.epoch, at: SampleTour.wall) }
            // Another signature of the third: its id changes, and the fourth does not continue it.
            var forged = said[2].bytes
            forged[EventHeader.length] ^= 1
            let false3 = try #require(try? RawEvent(decoding: forged))
            let falseID = EventCrypto.id(headerBytes: forged[..<EventHeader.length], signature: false3.signature)
            let stranger = MemberKeys.random()
            var alien = Author(
                identity: stranger.identity, tour: scene.tour.id, tail: Author.Tail(sequence: 0, id: .none),
                clock: .zero)
            let unknown = alien.write(.text("?", replyTo: nil), under: scene.tour.epoch, wallMilliseconds: 1)
            let reply = try await server.push(
                [
                    said[0], said[1], Event(header: said[2].header, id: falseID, bytes: forged), said[3], unknown,
                ], token: scene.memberToken)
            #expect(reply.statuses == ["stored", "stored"])
            #expect(reply.codes == ["bad-signature", "missing-previous again", "unknown-author again"])
            let rest = try await server.push([said[2], said[3]], token: scene.memberToken)
            #expect(rest.statuses == ["stored", "stored"] && rest.heads == [scene.member.id.hex: 4])
        }
    }

    @Test func secondEventAtAPlaceIsAFork() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            var twin = scene.member
            let first = scene.member.say("one", under: scene.tour.epoch, at: SampleTour.wall)
            let other = twin.say("two", under: scene.tour.epoch, at: SampleTour.wall)
            let next = twin.say("three", under: scene.tour.epoch, at: SampleTour.wall)
            _ = try await server.push([first], token: scene.memberToken)
            let reply = try await server.push([other, next], token: scene.memberToken)
            #expect(reply.codes == ["forked-log", "forked-log"] && reply.statuses.isEmpty)
        }
    }

    @Test func entriesThatContradictThemselvesAreMalformed() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let event = scene.member.say("x", under: scene.tour.epoch, at: SampleTour.wall)
            let sealed = Data(event.bytes).base64EncodedString()
            let place = #""groupId":"\#(scene.tour.id.hex)","type":"text""#
            let entries = [
                #"{"localId":"\#(event.id.hex)","sealed":17}"#,
                #"{"localId":"\#(event.id.hex)","sealed":"%%%"}"#,
                #"{"localId":"\#(event.id.hex)"}"#,
                #"{"localId":"\#(String(repeating: "0", count: 64))","sealed":"\#(sealed)"}"#,
                #"{"localId":"\#(event.id.hex)","senderId":"\#(scene.tour.guide.id.hex)","sealed":"\#(sealed)"}"#,
                #"{"localId":"\#(event.id.hex)","groupId":"\#(event.id.hex)","sealed":"\#(sealed)"}"#,
                #"{"localId":"\#(event.id.hex)","sentAt":"2026-06-01T00:00:00Z","sealed":"\#(sealed)"}"#,
                #"{"localId":"\#(event.id.hex)","sealed":"AAAA"}"#,
                #"{"localId":"\#(event.id.hex)",\#(place),"sealed":"\#(sealed)"}"#,
            ]
            let reply: PushReply = try await server.send(
                .POST, "/messages/sync", token: scene.memberToken,
                #"{"messages":[\#(entries.joined(separator: ","))]}"#
            ).decoded()
            #expect(reply.codes == Array(repeating: "event-malformed", count: 7) + ["event-truncated"])
            #expect(reply.statuses == ["stored"])
            let nameless = try await server.send(
                .POST, "/messages/sync", token: scene.memberToken, #"{"messages":[{"sealed":""}]}"#)
            #expect(nameless.status == 422 && nameless.field == "messages[0].localId")
        }
    }

    /// As encoders write it that escape slashes, or everything; and of a name that comes twice the first one counts.
    @Test func entriesAreReadHoweverTheirTextIsWritten() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let event = scene.member.say("x", under: scene.tour.epoch, at: SampleTour.wall)
            let id = event.id.hex.unicodeScalars.map { "\\u00" + String($0.value, radix: 16) }.joined()
            let sealed = Data(event.bytes).base64EncodedString().replacing("/", with: "\\/")
            let sent = JSONForm.text(seconds: event.header.clock.milliseconds / 1_000) ?? ""
            let entry =
                #"{"x":[{}], "localId":"\#(id)","sealed" : "\#(sealed)","sealed":17,"sentAt":"\#(sent)","#
                + #""groupId":null}"#
            let reply: PushReply = try await server.send(
                .POST, "/messages/sync", token: scene.memberToken, #"{"messages":[\#(entry)],"messages":[]}"#
            ).decoded()
            #expect(reply.syncedMessages == [.init(localMessageId: event.id.hex, status: "stored")])
            #expect(reply.heads == [scene.member.id.hex: 1])
        }
    }

    @Test func oneEventTwiceInAPushIsStoredOnce() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let said = (1...3).map { scene.member.say("\($0)", under: scene.tour.epoch, at: SampleTour.wall) }
            let reply = try await server.push([said[0], said[1], said[0], said[2], said[1]], token: scene.memberToken)
            #expect(reply.statuses == ["stored", "stored", "duplicate", "stored", "duplicate"])
            #expect(try await server.rowCounts(["events"]) == ["events": 3])
        }
    }

    @Test func pushesAreBounded() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            for (count, status) in [(1_000, 200), (1_001, 422)] {
                let entries = Array(repeating: #"{"localId":"x"}"#, count: count).joined(separator: ",")
                let reply = try await server.send(
                    .POST, "/messages/sync", token: scene.memberToken, #"{"messages":[\#(entries)]}"#)
                #expect(reply.status == status && (status == 200) == (reply.field == nil))
                if status == 200 { #expect(try reply.decoded(PushReply.self).codes.count == count) }
            }
            for (length, status) in [(128, 200), (129, 422)] {
                let id = String(repeating: "x", count: length)
                let reply = try await server.send(
                    .POST, "/messages/sync", token: scene.memberToken, #"{"messages":[{"localId":"\#(id)"}]}"#)
                #expect(reply.status == status, "\(reply.text.prefix(100))")
            }
        }
    }

    @Test func nothingBehindTheEndOfALogIsTakenOrGiven() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let said = (1...3).map { scene.member.say("\($0)", under: scene.tour.epoch, at: SampleTour.wall) }
            _ = try await server.push(scene.tour.guide.log + said, token: scene.guideToken)
            let removal = scene.tour.guide.write(
                .remove(
                    ControlBody.Remove(
                        member: scene.member.id, sequence: 2, last: said[1].id, revoked: [], accepted: [])),
                at: SampleTour.wall)
            _ = try await server.push([removal], token: scene.guideToken)
            let late = scene.member.say("late", under: scene.tour.epoch, at: SampleTour.wall)
            #expect(try await server.push([late], token: scene.guideToken).codes == ["beyond-cut"])
            let frontier: Frontier =
                try await server.send(.GET, scene.path + "/frontier", token: scene.guideToken).decoded()
            #expect(frontier.heads[scene.member.id.hex] == 2)
            let page: Page =
                try await server.send(.GET, scene.path + "/events", token: scene.guideToken).decoded()
            #expect(page.messages.filter { $0.senderId == scene.member.id.hex }.map(\.sequence) == [1, 2])
        }
    }

    @Test func frontierIsNotSentAgainWhileNothingChanged() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let path = scene.path + "/frontier"
            let first = try await server.send(.GET, path, token: scene.memberToken)
            let mark = try #require(first.headers.first(name: "ETag"))
            let same = try await server.send(
                .GET, path, token: scene.memberToken, headers: [("If-None-Match", mark)])
            #expect(same.status == 304 && same.body.isEmpty && same.headers.first(name: "Date") != nil)
            let event = scene.member.say("x", under: scene.tour.epoch, at: SampleTour.wall)
            _ = try await server.push([event], token: scene.memberToken)
            let other = try await server.send(
                .GET, path, token: scene.memberToken, headers: [("If-None-Match", mark)])
            #expect(other.status == 200 && other.headers.first(name: "ETag") != mark)
        }
    }

    @Test func largeLogComesInPagesWithoutAGap() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(server)
            let text = String(repeating: "ü", count: 7_000)
            let said = (1...90).map { _ in scene.member.say(text, under: scene.tour.epoch, at: SampleTour.wall) }
            for part in stride(from: 0, to: 90, by: 30) {
                let reply = try await server.push(Array(said[part..<part + 30]), token: scene.memberToken)
                #expect(reply.statuses.count == 30)
            }
            var sequences = [Int]()
            var more = true
            var pages = 0
            while more, pages < 9 {
                let digits = scene.member.id.hex.prefix(16)
                let page: Page = try await server.send(
                    .GET, scene.path + "/events?after=\(digits):\(sequences.last ?? 0)", token: scene.guideToken
                ).decoded()
                sequences += page.messages.map(\.sequence)
                more = page.more
                pages += 1
            }
            #expect(sequences == Array(1...90) && pages == 2)
        }
    }
}
