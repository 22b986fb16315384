import Foundation
import HTTPTypes
import NIOHTTP1
import Testing
import TourModel

/// Goal: a list that is read by pages is the list, each row once. Method: a whole server over HTTP, and its `Link`.
struct PageTests {
    private struct Row: Decodable { var id: String }

    /// All rows of a list, by pages.
    private static func walk(
        _ path: String, limit: Int, token: String, _ server: RunningServer
    ) async throws -> [[String]] {
        var pages = [[String]]()
        var query = "?limit=\(limit)"
        while pages.count < 20 {
            let reply = try await server.send(.GET, path + query, token: token)
            pages.append(try reply.decoded([Row].self).map(\.id))
            guard let link = reply.headers.first(name: "Link") else { break }
            let match = try #require(link.wholeMatch(of: /<(\?limit=\d+&cursor=[0-9a-f]+)>; rel="next"/))
            query = String(match.1)
        }
        return pages
    }

    @Test func toursAndMembersComeByPages() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newGuide().access_token
            var tours = [SampleTour]()
            for _ in 0..<3 {
                tours.append(SampleTour())
                _ = try await server.found(tours[tours.count - 1], token: token)
                server.clock.advance(seconds: 1)
            }
            let ids = tours.map(\.id.hex)
            #expect(try await Self.walk("/groups", limit: 2, token: token, server) == [Array(ids[..<2]), [ids[2]]])
            #expect(try await Self.walk("/groups", limit: 3, token: token, server) == [ids])
            #expect(try await Self.walk("/groups", limit: 1_000, token: token, server) == [ids])
            var tour = tours[0]
            let people = [tour.join(), tour.join(), tour.join()]
            let member = try await server.memberToken(people[2], controls: Array(tour.guide.log.dropFirst()))
            let path = "/groups/\(tour.id.hex)/members"
            let pages = try await Self.walk(path, limit: 1, token: member, server)
            let whole: [Row] = try await server.send(.GET, path, token: member).decoded()
            #expect(pages.allSatisfy { $0.count == 1 } && pages.flatMap { $0 } == whole.map(\.id))
            #expect(Set(whole.map(\.id)) == Set(people.map(\.id.hex) + [tour.guide.id.hex]))
        }
    }

    @Test func wrongPagesAreNamed() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newGuide().access_token
            for (query, field) in [
                ("limit=0", "limit"), ("limit=1001", "limit"), ("limit=x", "limit"), ("limit=", "limit"),
                ("cursor=x", "cursor"), ("cursor=abc", "cursor"),
                ("cursor=" + String(repeating: "ab", count: 65), "cursor"),
            ] {
                let reply = try await server.send(.GET, "/groups?" + query, token: token)
                #expect(reply.status == 422 && reply.field == field, "\(query)")
            }
            #expect(try await server.send(.GET, "/groups?cursor=ffff&limit=5", token: token).text == "[]")
        }
    }
}
