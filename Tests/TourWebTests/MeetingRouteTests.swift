import Foundation
import Testing
import TourJSON
import TourModel
import TourNode
import TourWeb

/// Goal: a meeting point in words and a time in words are taken, and what is half said is refused with its code.
/// Method: a real node's page door; tables of bodies.
@Suite struct MeetingRouteTests {
    private static func meeting(_ door: PageAccess) async throws -> JSON {
        try await door.ask("GET", "/tours/-/meeting").json["meeting"] ?? .null
    }

    @Test func wordsAndATimeAreEnough() async throws {
        let node = try PageNode()
        try await node.run { door in
            let bare = try await door.ask("POST", "/tours/-/meeting", ["text": "Reception"])
            #expect(bare.status == 200)
            let first = try await Self.meeting(door)
            #expect(first["text"] == "Reception" && first["latitude"] == .null && first["longitude"] == .null)
            #expect(first["meetAt"] == .null && first["label"] == .null)

            let timed = try await door.ask(
                "POST", "/tours/-/meeting",
                ["text": "Bring your bags", "label": "Reception", "time": "in 15 min", "latitude": .null])
            #expect(timed.status == 200)
            let second = try await Self.meeting(door)
            #expect(second["label"] == "Reception" && second["latitude"] == .null)
            #expect((1...900).contains(second["secondsLeft"]?.integer ?? 0))

            let later = try await door.ask("POST", "/tours/-/meeting", ["text": "Here", "inSeconds": 86_400])
            #expect(later.status == 200)
            let third = try await Self.meeting(door)
            #expect((3_600...86_400).contains(third["secondsLeft"]?.integer ?? 0))
            #expect(try await door.ask("DELETE", "/tours/-/meeting").status == 200)
            #expect(try await Self.meeting(door) == .null)
        }
    }

    @Test func whatIsHalfSaidIsRefused() async throws {
        let bad: [(JSON, String)] = [
            (["text": ""], "bad-meeting"), (["label": "Reception"], "bad-meeting"), (["time": "+5"], "bad-meeting"),
            (["text": "x", "time": "later"], "bad-meeting"), (["text": "x", "time": "15"], "bad-meeting"),
            (["text": "x", "time": 15], "bad-meeting"), (["text": "x", "at": "14:00"], "bad-meeting"),
            (["text": "x", "at": "2100-01-01T00:00:00Z", "time": "+5"], "bad-meeting"),
            (["text": "x", "inSeconds": -1], "bad-meeting"), (["text": "x", "inSeconds": 315_360_001], "bad-meeting"),
            (["text": "x", "latitude": 1], "bad-location"), (["text": "x", "longitude": 1], "bad-location"),
            (["text": "x", "latitude": 91, "longitude": 0], "bad-location"),
            (["text": "x", "latitude": "1", "longitude": "2"], "bad-location"),
        ]
        let node = try PageNode()
        try await node.run { door in
            for (body, code) in bad {
                let answer = try await door.ask("POST", "/tours/-/meeting", body)
                #expect(answer.json["error"]?["code"] == .text(code), "\(body)")
            }
            let stop = try await door.ask("POST", "/tours/-/meeting/stop", ["time": "+5"])
            #expect(stop.json["error"]?["code"] == "bad-request")
            let unknown = try await door.ask("POST", "/tours/-/meeting/stop", ["stop": "Louvre", "time": "+5"])
            #expect(unknown.json["error"]?["code"] == "unknown-stop")
            #expect(try await Self.meeting(door) == .null)
        }
    }
}
