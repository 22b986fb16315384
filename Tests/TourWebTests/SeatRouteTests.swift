import Testing
import TourJSON
import TourWeb

/// Goal: the owner's switch for guests does what it says, and nonsense about it is refused.
/// Method: a real node without a network behind its socket.
@Suite struct SeatRouteTests {
    private static func refusal(_ answer: LocalRequest) -> [JSON?] {
        [.number(String(answer.status)), answer.body["error"]?["code"]]
    }

    @Test func aGuideSwitchesThemOnAndOff() async throws {
        let node = try OfflineNode()
        try await node.run {
            _ = try await node.ask("POST", "/tours", ["name": "Rome"])
            let before = try await node.ask("GET", "/tours/-/seats")
            #expect(before.status == 200 && before.body["on"] == false && before.body["mayGive"] == true)
            #expect(before.body["link"] == .null && before.body["guests"] == [] && before.body["max"] == 30)
            let given = try await node.ask("PUT", "/tours/-/seats", ["on": true, "max": 12])
            #expect(given.body["on"] == true && given.body["max"] == 12 && given.body["usesLeft"] == 30)
            #expect(given.body["hosts"]?.list?.count == 1)
            let renewed = try await node.ask("POST", "/tours/-/seats/pass", ["uses": 3, "seconds": 600])
            #expect(renewed.status == 200 && renewed.body["usesLeft"] == 3)
            #expect(renewed.body["secondsLeft"]?.integer.map { (590...600).contains($0) } == true)
            let again = try await node.ask("PUT", "/tours/-/seats", ["on": true])
            #expect(again.body["max"] == 12 && again.body["usesLeft"] == 3)
            let ended = try await node.ask("PUT", "/tours/-/seats", ["on": false])
            #expect(ended.status == 200 && ended.body["on"] == false && ended.body["usesLeft"] == 0)
        }
    }

    @Test func nonsenseIsRefused() async throws {
        let node = try OfflineNode()
        try await node.run {
            #expect(Self.refusal(try await node.ask("GET", "/tours/-/seats")) == [404, "no-tour"])
            _ = try await node.ask("POST", "/tours", ["name": "Rome"])
            #expect(Self.refusal(try await node.ask("POST", "/tours/-/seats/pass", [:])) == [409, "seats-off"])
            for body in [["on": true, "max": 0], ["on": true, "max": 201]] as [JSON] {
                #expect(Self.refusal(try await node.ask("PUT", "/tours/-/seats", body)) == [400, "bad-terms"])
            }
            for body in [[:], ["on": 1], ["max": 3], ["on": true, "max": "x"]] as [JSON] {
                #expect(Self.refusal(try await node.ask("PUT", "/tours/-/seats", body)) == [400, "bad-request"])
            }
            _ = try await node.ask("PUT", "/tours/-/seats", ["on": true])
            for body in [["uses": 0], ["uses": 1_001], ["seconds": 0], ["seconds": 2_592_001]] as [JSON] {
                #expect(Self.refusal(try await node.ask("POST", "/tours/-/seats/pass", body)) == [400, "bad-terms"])
            }
            let nobody = try await node.ask("POST", "/tours/-/seats/hosts", ["member": "Nobody", "allowed": true])
            #expect(Self.refusal(nobody) == [404, "unknown-member"])
            let half = try await node.ask("POST", "/tours/-/seats/hosts", ["member": "Anna"])
            #expect(Self.refusal(half) == [400, "bad-request"])
        }
    }
}
