import Testing
import TourJSON
import TourWeb

/// Goal: advice in an answer is in the terms of the surface where it appears: the page asks for its own, and every
/// other program gets the terminal's, which here are the names that the code has. Method: a real node without a
/// network behind its socket.
@Suite struct SurfaceRouteTests {
    private static func message(_ answer: LocalRequest) -> String? { answer.body["error"]?["message"]?.text }

    @Test func aRefusalNamesWhatTheSurfaceHas() async throws {
        let node = try OfflineNode()
        try await node.run {
            #expect(try await node.ask("POST", "/tours", ["name": "Walk"]).status == 200)
            func leave(_ headers: [String: String]) async throws -> String {
                let answer = try await node.ask("POST", "/tours/-/leave", headers: headers)
                #expect(answer.status == 409 && answer.body["error"]?["code"] == "creator-stays")
                return Self.message(answer) ?? ""
            }
            let page = ["Tour-Chat-Surface": "page"]
            #expect(try await leave(page).contains("“End the tour”"))
            let german = try await leave(page.merging(["Accept-Language": "de"]) { $1 })
            #expect(german.contains("„Tour beenden“"))
            for other in [[:], ["Tour-Chat-Surface": "terminal"], ["Tour-Chat-Surface": ""]] {
                #expect(try await leave(other).contains("'closeTour'"))
            }
        }
    }

    @Test func aRefusalHasTheAdviceOfTheSurface() async throws {
        let node = try OfflineNode()
        try await node.run {
            func advice(_ headers: [String: String]) async throws -> String? {
                let answer = try await node.ask("POST", "/tours/-/leave", headers: headers)
                #expect(answer.status == 404 && answer.body["error"]?["code"] == "no-tour")
                return answer.body["error"]?["advice"]?.text
            }
            #expect(try await advice([:]) == "Create a tour with 'createTour', or join one with 'joinTour'.")
            #expect(try await advice(["Tour-Chat-Surface": "page"])?.contains("“Create a tour”") == true)
            #expect(try await node.ask("POST", "/tours", ["name": "Walk"]).status == 200)
            let stays = try await node.ask("POST", "/tours/-/leave", headers: [:])
            #expect(stays.status == 409 && stays.body["error"]?["advice"] == nil)
        }
    }

    @Test func aStreamKeepsTheSurfaceThatItBeganWith() async throws {
        let node = try OfflineNode()
        try await node.run {
            #expect(try await node.ask("POST", "/tours", ["name": "Walk"]).status == 200)
            #expect(try await node.ask("POST", "/tours/-/close").status == 200)
            func send(_ headers: [String: String]) async throws -> String {
                let line = Array("{\"content\":\"Hello\"}\n".utf8)
                let fields = headers.merging(["Content-Type": "application/x-ndjson"]) { $1 }
                let answer = try await LocalRequest.made(
                    "POST", "/v1/tours/-/messages", bytes: line, headers: fields,
                    socket: node.path("data") + "/node.sock")
                return answer.lines.last?["error"]?["message"]?.text ?? ""
            }
            let onPage = try await send(["Tour-Chat-Surface": "page"])
            #expect(onPage.contains("“Your tours” shows"))
            let elsewhere = try await send([:])
            #expect(elsewhere.contains("'listTours' shows"))
        }
    }
}

extension OfflineNode {
    fileprivate func ask(_ method: String, _ path: String, headers: [String: String]) async throws -> LocalRequest {
        try await LocalRequest.made(method, "/v1" + path, headers: headers, socket: self.path("data") + "/node.sock")
    }
}
