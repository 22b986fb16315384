import HTTPTypes
import Hummingbird
import NIOHTTP1
import ServerRequests
import Testing
import TourGzip

/// Goal: lists and deltas go out packed to clients that can read them, and nothing else does.
/// Method: answers as the pipeline sends them; a whole server for one of them.
@Suite struct PackedAnswerTests {
    private static let words = Array(String(repeating: "{\"title\":\"Museum\"},", count: 200).utf8)

    private static func answer(_ count: Int, type: String = "application/json", mark: String? = nil) -> Answer {
        var answer = Answer(.ok, content: .bytes(Array(words.prefix(count)), type: type))
        answer.headers[.eTag] = mark
        return answer
    }

    @Test(
        arguments: [
            (answer(3_800), true), (answer(1_024), true), (answer(1_023), false), (answer(0), false),
            (answer(3_800, mark: "\"1\""), false), (answer(3_800, type: "application/pdf"), false),
            (answer(3_800, type: "image/jpeg"), false), (answer(3_800, type: "application/yaml"), true),
        ] as [(Answer, Bool)])
    func anAnswerIsPackedOrNot(answer: Answer, isPacked: Bool) {
        let packed = answer.response(takesGzip: true), plain = answer.response(takesGzip: false)
        #expect((packed.headers[.contentEncoding] == "gzip") == isPacked)
        #expect(plain.headers[.contentEncoding] == nil)
        // A cache must not give packed bytes to whoever cannot read them, nor plain ones for packed.
        #expect(
            (packed.headers[.vary] == "Accept-Encoding") == isPacked && packed.headers[.vary] == plain.headers[.vary])
        #expect(!isPacked || packed.body.contentLength.map { $0 * 10 < 3_800 + 1_024 } == true)
    }

    @Test(
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("gzip;q=0", false), ("gzip; q=0.0", false),
            ("br", false), ("identity", false), ("", false), (nil, false), ("x-gzip", false),
        ] as [(String?, Bool)])
    func theClientSaysWhetherItReadsGzip(header: String?, takes: Bool) { #expect(Gzip.isTaken(by: header) == takes) }

    @Test func theServerPacksItsContractAndNoTokens() async throws {
        try await RunningServer.run { server async throws in
            let taken = [("Accept-Encoding", "gzip")]
            let packed = try await server.send(.GET, "/openapi.yaml", headers: taken)
            let plain = try await server.send(.GET, "/openapi.yaml")
            #expect(packed.headers.first(name: "Content-Encoding") == "gzip")
            #expect(packed.body.count * 3 < plain.body.count && Array(packed.body.prefix(2)) == [0x1F, 0x8B])
            let login = try await server.send(.POST, "/auth/anonymous", "{}", headers: taken)
            #expect(login.status < 300 && login.headers.first(name: "Content-Encoding") == nil)
        }
    }
}
