import Testing
import TourJSON
import TourWeb

/// Goal: the node says to each what it has to say in the language that the request asks for, and to programs, which ask
/// for none, in English. Method: a real node without a network behind its socket.
@Suite struct LanguageRouteTests {
    private static func message(_ answer: LocalRequest) -> JSON? { answer.body["error"]?["message"] }

    @Test func aRefusalIsInTheLanguageAskedFor() async throws {
        let node = try OfflineNode()
        try await node.run {
            let turkish = try await node.ask("GET", "/tours/-", language: "nl, tr;q=0.8, en;q=0.5")
            #expect(turkish.status == 404 && turkish.body["error"]?["code"] == "no-tour")
            #expect(Self.message(turkish) == "Henüz bir tur yok.")
            let english = try await node.ask("GET", "/tours/-")
            #expect(english.status == 404 && english.body["error"]?["code"] == "no-tour")
            #expect(Self.message(english) == "There is no tour yet.")
            for other in ["", "nl", "en", "tr;q=0", ";;q=,"] {
                let answer = try await node.ask("GET", "/tours/-", language: other)
                #expect(Self.message(answer) == "There is no tour yet.")
            }
            let made = try await node.ask("POST", "/tours", ["name": "Walk"])
            #expect(made.status == 200)
            let unknown = try await node.ask("GET", "/tours/K%C4%B1z%20Kulesi", language: "tr")
            #expect(
                Self.message(unknown)
                    == "Burada “Kız Kulesi” adında ya da kimliği bununla başlayan (en az altı hane) bir tur yok.")
        }
    }

    @Test func phrasesInsideAnAnswerAre() async throws {
        let node = try OfflineNode()
        try await node.run {
            let checks = try await node.ask("GET", "/doctor", language: "tr").body["checks"]?.list
            let first = try #require(checks?.first { $0["name"] == "node" })
            #expect(first["state"] == "failed" && first["message"] == "Burada çalışan bir düğüm yok.")
            let same = try await node.ask("GET", "/doctor").body["checks"]?.list
            #expect(same?.first { $0["name"] == "node" }?["message"] == "No node is running here.")
        }
    }

    @Test func aStreamKeepsTheLanguageThatItBeganWith() async throws {
        let node = try OfflineNode()
        try await node.run {
            #expect(try await node.ask("POST", "/tours", ["name": "Walk"]).status == 200)
            let lines = "{\"content\":\"Hello\"}\n{\"type\":\"song\"}\n"
            let headers = ["Content-Type": "application/x-ndjson", "Accept-Language": "tr-TR"]
            let answer = try await LocalRequest.made(
                "POST", "/v1/tours/-/messages", bytes: Array(lines.utf8), headers: headers,
                socket: node.path("data") + "/node.sock")
            #expect(answer.lines.count == 2 && answer.lines.first?["id"]?.text?.isEmpty == false)
            #expect(
                answer.lines.last?["error"]?["message"]
                    == "Gönderilecek mesajın türü “text”, “announcement” ya da “location” olabilir.")
        }
    }
}

extension OfflineNode {
    fileprivate func ask(
        _ method: String, _ path: String, language: String
    ) async throws -> LocalRequest {
        try await LocalRequest.made(
            method, "/v1" + path, headers: ["Accept-Language": language], socket: self.path("data") + "/node.sock")
    }
}
