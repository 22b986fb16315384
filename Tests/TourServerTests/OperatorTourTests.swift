import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: the operator sees how large tours are, and deletes one while the server runs, so that nothing of it is left.
/// Method: a whole server over HTTP, and the operator's commands beside it on the same database.
struct OperatorTourTests {
    private static func put(_ bytes: [UInt8], token: String, on server: RunningServer) async throws -> Int {
        var rest: [UInt8]? = bytes
        let name = ContentHash.of {
            defer { rest = nil }
            return rest
        }.hex
        return try await server.send(
            .PUT, "/blobs/\(name)", token: token, bytes: bytes,
            headers: [("Content-Range", "bytes 0-\(bytes.count - 1)/\(bytes.count)")]
        ).status
    }

    @Test func aTourShowsItsSizeItsMembersAndItsLastActivity() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let member = tour.join()
            let guide = try await server.newGuide().access_token
            _ = try await server.found(tour, token: guide)
            _ = try await server.send(.POST, "/groups", token: guide, #"{"name":"Müze"}"#)
            server.clock.advance(seconds: 30)
            let token = try await server.memberToken(member, controls: Array(tour.guide.log.dropFirst()))
            #expect(try await Self.put([1, 2, 3], token: token, on: server) < 300)
            let page = try await server.asOperator { try await $0.tours(limit: 10) }
            #expect(page.rows.map(\.id).first == tour.id.hex && page.rows.count == 2 && !page.hasMore)
            let found = try await server.asOperator { try await $0.tour(tour.id.hex) }
            #expect(found.members == 2 && found.seats == 1 && found.blobBytes == 3 && found.account == 1)
            #expect(found.eventBytes > 0 && found.bytes == found.eventBytes + 3 && !found.isPlanned)
            #expect(found.lastActivityAt.timeIntervalSince(found.createdAt) == 30)
            let plan = try #require(page.rows.last)
            #expect(plan.isPlanned && plan.name == "Müze" && plan.members == nil)
            for id in ["", "x", String(repeating: "0", count: 64)] {
                let missing = await #expect(throws: Failure.self) {
                    _ = try await server.asOperator { try await $0.tour(id) }
                }
                #expect(missing?.code == .notFound)
            }
        }
    }

    @Test func aDeletedTourIsGoneAndCanBeMadeKnownAgain() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let member = tour.join()
            let account = try await server.newGuide().access_token
            let path = "/groups/\(tour.id.hex)"
            _ = try await server.found(tour, token: account)
            let controls = Array(tour.guide.log.dropFirst())
            let token = try await server.memberToken(member, controls: controls)
            let guide = try await server.memberToken(tour.guide)
            #expect(try await server.push(Array(tour.guide.log), token: guide).codes == [])
            #expect(try await Self.put([1, 2, 3], token: token, on: server) < 300)
            let invitation = #"{"email":"x@example.org"}"#
            #expect(try await server.send(.POST, path + "/invitations", token: account, invitation).status == 201)
            #expect(try await server.tables(where: "tour", is: 1).count > 3)
            _ = try await server.asOperator { try await $0.deleteTour(tour.id.hex) }
            #expect(try await server.tables(where: "tour", is: 1) == [])
            #expect(try await server.rowCounts(["tours", "deleted_tours"]) == ["tours": 0, "deleted_tours": 0])
            let folder = "\(server.directory)/blobs/\(tour.id.hex)"
            #expect(!FileManager.default.fileExists(atPath: folder))
            #expect(try await server.send(.GET, path, token: account).status == 404)
            #expect(try await server.send(.GET, path + "/frontier", token: token).status == 404)
            #expect(try await server.logIn(member).code == "unknown-group")
            // Two clocks have written the log: the test's, and the system's where the guide got the role.
            let entry = try await server.asOperator { try await $0.audit(limit: 10) }.rows
                .first { $0.action == "tour-deleted" }
            #expect(entry != nil && entry?.tour == tour.id && entry?.account == nil)
            // The server remembers nothing of the tour before.
            #expect(try await server.found(tour, token: account).status == 201)
            let again = try await server.memberToken(member, controls: controls)
            #expect(try await server.push(Array(tour.guide.log), token: again).codes == [])
            #expect(try await server.asOperator { try await $0.tour(tour.id.hex) }.members == 2)
        }
    }

    /// A command that is killed behind its first transaction leaves the rest to the server.
    @Test func whatIsLeftOfATourGoesWithTheNextSweep() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let guide = try await server.memberToken(tour.guide)
            #expect(try await server.push(Array(tour.guide.log), token: guide).codes == [])
            #expect(try await Self.put([1, 2, 3], token: guide, on: server) < 300)
            let door = try OpenedServer(settings: .data(in: server.directory))
            try await door.storage.write { sql throws(Failure) in
                try sql.run("INSERT INTO deleted_tours (number, id) VALUES (1, $1)", [.bytes(tour.id.bytes)])
                try sql.run("DELETE FROM tours", [])
            }
            let blobs = BlobStore(storage: door.storage, directory: door.directory)
            try await TourRemoval(storage: door.storage, blobs: blobs).finish()
            try await door.storage.close()
            #expect(try await server.tables(where: "tour", is: 1) == [])
            #expect(try await server.rowCounts(["deleted_tours"]) == ["deleted_tours": 0])
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(server.directory)/blobs").isEmpty)
        }
    }
}
