import Foundation
import NIOHTTP1
import ServerBase
import ServerStorage
import Testing
import TourCrypto
import TourCurl
import TourModel

/// Goal: a blob that was acknowledged stays as it is whoever sends it beside, and what comes while its tour or account
/// goes leaves nothing. Method: a whole server over HTTP.
struct BlobRaceTests {
    private static func blob(_ count: Int, _ number: Int = 0) -> (bytes: [UInt8], name: String) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251 + $0 + number) }
        var rest: [UInt8]? = bytes
        let name = ContentHash.of {
            defer { rest = nil }
            return rest
        }.hex
        return (bytes, name)
    }

    @Test func whatWasAcknowledgedStaysWhole() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let token = try await server.memberToken(tour.guide)
            for round in 0..<20 {
                let (bytes, name) = Self.blob(5_000, round)
                async let whole = server.send(.PUT, "/blobs/" + name, token: token, bytes: bytes)
                async let piece = server.send(
                    .PUT, "/blobs/" + name, token: token, bytes: Array(bytes[..<100]),
                    headers: [("Content-Range", "bytes 0-99/5000")])
                let (first, second) = try await (whole, piece)
                guard first.status < 300 else {
                    #expect(first.code == "in-progress", "round \(round)")
                    continue
                }
                let read = try await server.send(.GET, "/blobs/" + name, token: token)
                #expect(read.status == 200 && Array(read.body) == bytes, "round \(round): \(second.status)")
            }
        }
    }

    @Test func aBlobOfADeletedTourLeavesNothing() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let token = try await server.memberToken(tour.guide)
            let (bytes, name) = Self.blob(200_000)
            let folder = "\(server.directory)/blobs/\(tour.id.hex)"
            var request = RunningServer.request(
                .PUT, "http://127.0.0.1:\(server.port)/blobs/\(name)", token: token)
            let (more, source) = AsyncStream<Void>.makeStream()
            request.pieces = BodyPieces(bytes, first: 100_000, more: more)
            async let response = server.client.send(request)
            while !FileManager.default.fileExists(atPath: "\(folder)/\(name).part") { await Task.yield() }
            let storage = try TestDatabase.storage(of: server.directory)
            try await storage.write { sql throws(Failure) in _ = try sql.run("DELETE FROM blobs", []) }
            try await storage.close()
            source.yield()
            #expect(try await response.status == 404)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    private static func files(of server: RunningServer) -> [String] {
        let names = FileManager.default.enumerator(atPath: server.directory + "/files")
        return (names?.compactMap { $0 as? String } ?? []).filter { $0.contains("/") }
    }

    @Test func aFileOfADeletedAccountLeavesNothing() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            var form = SampleForm()
            form.add("payload", Data(#"{"bookmarks":[\#(DeltaDevice.place(1, "A", version: 1))]}"#.utf8))
            form.add("images[]", fileName: "a.jpg", type: "image/jpeg", SampleFile.jpeg(300_000, seed: 1))
            var request = RunningServer.request(
                .POST, "http://127.0.0.1:\(server.port)/api/v1/bookmarks/upsert", token: token)
            request.headers.add(name: SampleForm.type.0, value: SampleForm.type.1)
            let (more, source) = AsyncStream<Void>.makeStream()
            request.pieces = BodyPieces(Array(form.bytes), first: 200_000, more: more)
            async let response = server.client.send(request)
            while Self.files(of: server).isEmpty { await Task.yield() }
            #expect(try await server.send(.DELETE, "/auth/me", token: token).status == 204)
            // Until it has arrived its row says that it is to be removed.
            #expect(Self.files(of: server).count == 1)
            #expect(try await server.rowCounts(["notebook_files"]) == ["notebook_files": 1])
            source.yield()
            #expect(try await response.status == 401)
            #expect(Self.files(of: server) == [])
            #expect(try await server.rowCounts(["notebook_files"]) == ["notebook_files": 0])
        }
    }
}
