import Testing
import TourJSON
import TourWeb

/// Goal: nonsense about a network is refused before the machine is asked for anything. Method: a real node without a
/// network behind its socket; what NetworkManager makes of the rest is a matter of the tests over several hosts.
@Suite struct HotspotRouteTests {
    private static func refusal(_ answer: LocalRequest) -> [JSON?] {
        [.number(String(answer.status)), answer.body["error"]?["code"]]
    }

    @Test func nonsenseIsRefused() async throws {
        let node = try OfflineNode()
        try await node.run {
            for (body, code) in [
                (["name": ""], "hotspot-name"), (["name": "a\0b"], "hotspot-name"), (["name": 1], "bad-request"),
                (["password": "1234567"], "hotspot-password-length"),
                (["password": "grüßegrüße"], "hotspot-password-letters"), (["band": "3"], "bad-request"),
                (["security": "wep"], "bad-request"),
            ] as [(JSON, String)] {
                let answer = try await node.ask("PUT", "/hotspot", body)
                #expect(Self.refusal(answer) == [400, .text(code)], "\(body)")
            }
            #expect(Self.refusal(try await node.ask("PUT", "/hotspot", [1])) == [400, "bad-request"])
        }
    }

    @Test func nonsenseAboutACardIsRefused() async throws {
        let node = try OfflineNode()
        try await node.run {
            _ = try await node.ask("POST", "/tours", ["name": "Rome"])
            for body in [["size": "a0"], ["language": "xx"], ["size": 4]] as [JSON] {
                #expect(Self.refusal(try await node.ask("POST", "/tours/-/card", body)) == [400, "bad-request"])
            }
            let printed = try await node.ask("POST", "/tours/-/card", ["size": "card", "language": "de"])
            #expect(printed.status == 200 ? printed.text.hasPrefix("%PDF-") : printed.status == 500)
        }
    }
}
