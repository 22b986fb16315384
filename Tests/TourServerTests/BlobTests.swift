import Foundation
import NIOHTTP1
import ServerBase
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer
import TourWire

/// Goal: a blob counts when all of it is here and is what its name says; it comes and goes in pieces, for members only.
/// Method: a whole server over HTTP.
struct BlobTests {
    private static func blob(_ count: Int) -> [UInt8] {
        var rng = SplitMix64(seed: 7)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &rng) }
    }

    private static func name(_ bytes: [UInt8]) -> String {
        var rest: [UInt8]? = bytes
        return ContentHash.of {
            defer { rest = nil }
            return rest
        }.hex
    }

    private struct Scene {
        let token: String
        let path: String
        let bytes: [UInt8]
        let server: RunningServer

        init(_ count: Int, _ server: RunningServer) async throws {
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            token = try await server.memberToken(tour.guide)
            bytes = BlobTests.blob(count)
            path = "/blobs/" + BlobTests.name(bytes)
            self.server = server
        }

        func put(_ range: Range<Int>, of total: Int? = nil) async throws -> Reply {
            let header = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total ?? bytes.count)"
            return try await server.send(
                .PUT, path, token: token, bytes: Array(bytes[range]), headers: [("Content-Range", header)])
        }

        func ask() async throws -> Reply {
            try await server.send(
                .PUT, path, token: token, bytes: [], headers: [("Content-Range", "bytes */\(bytes.count)")])
        }

        func get(_ range: String? = nil, _ more: [(String, String)] = []) async throws -> Reply {
            try await server.send(.GET, path, token: token, headers: (range.map { [("Range", $0)] } ?? []) + more)
        }
    }

    /// The name that `b2sum -l 256` gives.
    @Test func nameIsTheHashThatOtherProgramsMake() {
        #expect(Self.name(Array("abc".utf8)) == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }

    @Test func wholeBlobComesBackWholeAndInRanges() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(200_000, server)
            #expect(try await scene.get().code == "not-found")
            let sent = try await server.send(.PUT, scene.path, token: scene.token, bytes: scene.bytes)
            #expect(sent.status == 201 && sent.headers.first(name: "Upload-Offset") == "200000")
            let again = try await server.send(.PUT, scene.path, token: scene.token, bytes: scene.bytes)
            #expect(again.status == 200)
            let whole = try await scene.get()
            #expect(whole.status == 200 && Array(whole.body) == scene.bytes)
            #expect(whole.headers.first(name: "Accept-Ranges") == "bytes")
            let mark = try #require(whole.headers.first(name: "ETag"))
            let part = try await scene.get("bytes=100-70000")
            #expect(part.status == 206 && Array(part.body) == Array(scene.bytes[100...70_000]))
            #expect(part.headers.first(name: "Content-Range") == "bytes 100-70000/200000")
            #expect(try await Array(scene.get("bytes=199990-").body) == Array(scene.bytes[199_990...]))
            #expect(try await Array(scene.get("bytes=-5").body) == Array(scene.bytes.suffix(5)))
            #expect(try await scene.get("bytes=0-1,4-5").status == 200, "several at once count as none")
            let beyond = try await scene.get("bytes=200000-")
            #expect(beyond.status == 416 && beyond.code == "range-not-satisfiable")
            #expect(beyond.headers.first(name: "Content-Range") == "bytes */200000")
            #expect(try await scene.get("bytes=0-1", [("If-Range", mark)]).status == 206)
            #expect(try await scene.get("bytes=0-1", [("If-Range", "\"other\"")]).status == 200)
            for header in [mark, "W/" + mark, "\"x\", " + mark, "*"] {
                #expect(try await scene.get(nil, [("If-None-Match", header)]).status == 304, "\(header)")
            }
            #expect(try await scene.get(nil, [("If-None-Match", "\"x\"")]).status == 200)
            let head = try await server.send(.HEAD, scene.path, token: scene.token)
            #expect(head.status == 200 && head.body.isEmpty && head.headers.first(name: "Content-Length") == "200000")
        }
    }

    @Test func piecesGoOnFromWhereTheLastOneEnded() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(3_000_000, server)
            let first = try await scene.put(0..<1_500_000)
            #expect(first.status == 202 && first.headers.first(name: "Upload-Offset") == "1500000")
            let missing = try await scene.get()
            #expect(missing.status == 404 && missing.headers.first(name: "Upload-Offset") == "1500000")
            let asked = try await scene.ask()
            #expect(asked.status == 202 && asked.headers.first(name: "Upload-Offset") == "1500000")
            let gap = try await scene.put(1_600_000..<3_000_000)
            #expect(gap.status == 409 && gap.code == "wrong-offset")
            #expect(gap.headers.first(name: "Upload-Offset") == "1500000")
            #expect(try await scene.put(1_500_000..<3_000_000, of: 3_000_001).field == "Content-Range")
            #expect(try await scene.put(1_500_000..<3_000_000).status == 201)
            #expect(try await Array(scene.get().body) == scene.bytes)
            // From the beginning it begins anew.
            let other = try await Scene(5_000, server)
            #expect(try await other.put(0..<4_000).status == 202)
            #expect(try await other.put(0..<1_000).headers.first(name: "Upload-Offset") == "1000")
            #expect(try await other.put(1_000..<5_000).status == 201)
        }
    }

    @Test func whatIsNotWhatItsNameSaysDoesNotCount() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(5_000, server)
            var wrong = scene.bytes
            wrong[4_000] ^= 1
            let reply = try await server.send(.PUT, scene.path, token: scene.token, bytes: wrong)
            #expect(reply.status == 422 && reply.code == "wrong-hash")
            #expect(reply.headers.first(name: "Upload-Offset") == "0")
            #expect(try await scene.get().status == 404)
            #expect(try await server.send(.PUT, scene.path, token: scene.token, bytes: scene.bytes).status == 201)
        }
    }

    @Test func everyTourHasItsOwnAndItsMembersAlone() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(1_000, server)
            #expect(try await server.send(.PUT, scene.path, token: scene.token, bytes: scene.bytes).status == 201)
            let other = SampleTour()
            let account = try await server.newGuide("other@example.org").access_token
            _ = try await server.found(other, token: account)
            let token = try await server.memberToken(other.guide)
            #expect(try await server.send(.GET, scene.path, token: token).status == 404, "of another tour")
            #expect(try await server.send(.GET, scene.path, token: account).field == "group")
            let query = "?group=\(other.id.hex)"
            #expect(try await server.send(.GET, scene.path + query, token: account).status == 404)
            #expect(try await server.send(.GET, scene.path + query, token: scene.token).status == 403)
            #expect(try await server.send(.GET, "/blobs/x", token: token).code == "not-found")
        }
    }

    /// A caller whose bytes come, and loses the right to send them.
    enum Ending: CaseIterable {
        case member, account, session
    }

    @Test(arguments: Ending.allCases) func whatASenderWithoutARightSendsDoesNotCount(_ ending: Ending) async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let person = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let member = try await server.memberToken(person, controls: Array(tour.guide.log.dropFirst()))
            let account = try await server.newAccount("a@example.org").access_token
            let path = "/groups/\(tour.id.hex)"
            let proof = person.proof(.bind, host: server.host, nonce: try await server.nonce())
            #expect(try await server.send(.POST, path + "/bind", token: account, "{\(proof)}").status == 204)
            let bytes = String(repeating: "x", count: 200_000)
            let blob = "/blobs/\(Self.name(Array(bytes.utf8)))"
            let client = try await RawClient(server.port)
            try client.write(
                """
                PUT \(blob)?group=\(tour.id.hex) HTTP/1.1\r\nHost: localhost\r
                Authorization: Bearer \(ending == .member ? member : account)\r\nContent-Length: 200000\r\n\r\n
                """ + bytes.prefix(100_000))
            let folder = server.directory + "/" + BlobStore.folderName + "/" + tour.id.hex
            let hasBegun = try await server.repeats {
                (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count == 1
            }
            #expect(hasBegun)
            let guide = try await server.memberToken(tour.guide)
            if ending == .session {
                #expect(try await server.send(.POST, "/auth/logout", token: account).status == 204)
            } else {
                let removal = ControlBody.Remove(
                    member: person.id, sequence: 0, last: .none, revoked: [], accepted: [])
                let pushed = try await server.push(tour.guide.log + [tour.act(.remove(removal))], token: guide)
                #expect(pushed.codes == [])
            }
            try client.write(String(bytes.dropFirst(100_000)))
            let status = ending == .account ? "403" : "401"
            let answer = await client.read(until: "\"code\"")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            client.reset()
            #expect(try await server.send(.GET, blob, token: guide).status == 404)
        }
    }

    @Test func sizesAreBounded() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(1_000, server)
            for header in ["bytes 0-9/0", "bytes 5-4/10", "bytes 0-10/10", "bits 0-9/10", "bytes 0-9/*"] {
                let reply = try await server.send(
                    .PUT, scene.path, token: scene.token, bytes: Array(scene.bytes[..<10]),
                    headers: [("Content-Range", header)])
                #expect(reply.status == 422 && reply.field != nil, "\(header): \(reply.status)")
            }
            // 32 blobs of 64 MiB that have begun leave no room for one byte.
            for number in 0..<33 {
                let reply = try await server.begin(number, of: number < 32 ? Self.mostBytes : 1, scene.token)
                #expect(reply.status == (number < 32 ? 202 : 507), "\(number)")
            }
            #expect(try await server.ask(40, of: 1, scene.token).status == 507, "as soon as it asks")
        }
    }

    private static let mostBytes = Int(ServerLimits.blobBytesMax)

    /// What is asked takes no room; what is begun takes a share, and not all of everybody's.
    @Test func oneMemberTakesItsShareOfTheRoom() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let people = (0..<2).map { _ in tour.join() }
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let guide = try await server.memberToken(tour.guide, controls: tour.guide.log)
            let tokens = [
                try await server.memberToken(people[0], controls: tour.guide.log),
                try await server.memberToken(people[1]),
            ]
            for number in 0..<45 {
                #expect(try await server.ask(number, of: Self.mostBytes, tokens[0]).status == 202)
            }
            #expect(try await server.begin(50, of: Self.mostBytes, guide).status == 202, "nothing was kept for those")
            let files = FileManager.default
            #expect(try files.contentsOfDirectory(atPath: "\(server.directory)/blobs/\(tour.id.hex)").count == 1)
            // Of what is begun 256 MiB.
            for number in 0..<5 {
                let reply = try await server.begin(number, of: Self.mostBytes, tokens[0])
                #expect(reply.status == (number < 4 ? 202 : 507) && (number < 4 || reply.code == "quota"))
            }
            for number in 10..<14 {
                #expect(try await server.begin(number, of: Self.mostBytes, tokens[1]).status == 202, "has its own")
            }
            // Somebody else's that goes on takes nobody's share.
            #expect(try await server.begin(0, of: Self.mostBytes, tokens[1], from: 1).status == 202)
            for number in 20..<40 { #expect(try await server.begin(number, of: Self.mostBytes, guide).status == 202) }
        }
    }

    /// Of what is whole 512 MiB: rows stand for the bytes.
    @Test func wholeBlobsTakeAShareToo() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let person = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let token = try await server.memberToken(person, controls: tour.guide.log)
            let storage = try TestDatabase.storage(of: server.directory)
            for number in 0..<8 {
                let hash = [UInt8](repeating: UInt8(number), count: 32)
                try await storage.write { sql throws(Failure) in
                    _ = try sql.run(
                        "INSERT INTO blobs (tour, hash, bytes, is_whole, touched, member) VALUES (1, $1, $2, 1, 0, $3)",
                        [.bytes(hash), .integer(ServerLimits.blobBytesMax), .bytes(person.id.bytes)])
                }
            }
            try await storage.close()
            #expect(try await server.begin(20, of: 1, token).code == "quota")
            #expect(try await server.begin(20, of: 1, try await server.memberToken(tour.guide)).status == 422)
        }
    }

    /// Who asks again and again keeps nothing that does not go on.
    @Test func askingKeepsNothing() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let begun = try await server.begin(1, of: 5_000, try await server.memberToken(tour.guide))
            #expect(begun.headers.first(name: "Upload-Offset") == "1")
            server.clock.advance(seconds: 6 * 86_400)
            let asked = try await server.ask(1, of: 5_000, try await server.memberToken(tour.guide))
            #expect(asked.headers.first(name: "Upload-Offset") == "1")
            server.clock.advance(seconds: 2 * 86_400)
            let door = try OpenedServer(settings: .data(in: server.directory))
            try await BlobStore(storage: door.storage, directory: door.directory).sweep(now: server.clock.now)
            try await door.storage.close()
            let later = try await server.ask(1, of: 5_000, try await server.memberToken(tour.guide))
            #expect(later.headers.first(name: "Upload-Offset") == "0")
        }
    }

    /// A blob above the bound, and more than the piece says: the connection ends then, so each has a server of its own.
    @Test(arguments: ["bytes 0-9/67108865", "bytes 0-9/1000"])
    func tooMuchIsRefusedAndTheConnectionEnds(header: String) async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(1_000, server)
            let reply = try await server.send(
                .PUT, scene.path, token: scene.token, bytes: scene.bytes, headers: [("Content-Range", header)])
            #expect(reply.status == 413 && reply.code == "too-large")
            #expect(reply.headers.first(name: "Connection") == "close")
        }
    }

    @Test func whatDoesNotGoOnIsDropped() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(5_000, server)
            #expect(try await scene.put(0..<1_000).status == 202)
            let door = try OpenedServer(settings: .data(in: server.directory))
            let blobs = BlobStore(storage: door.storage, directory: door.directory)
            try await blobs.sweep(now: server.clock.now + 6 * 86_400_000_000)
            #expect(try await scene.ask().headers.first(name: "Upload-Offset") == "1000")
            try await blobs.sweep(now: server.clock.now + 8 * 86_400_000_000)
            try await door.storage.close()
            #expect(try await scene.get().headers.first(name: "Upload-Offset") == nil)
            #expect(try await scene.ask().headers.first(name: "Upload-Offset") == "0")
        }
    }

    /// A sealed file under the id that members make from their message.
    @Test func membersNameAFileByItsBlobID() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(2 * 65_552 + 100, server)
            let shape = try #require(BlobShape(sealedSize: UInt64(scene.bytes.count)))
            #expect(shape.size == 2 * 65_536 + 84)
            let hashes = (0..<shape.chunkCount).flatMap { chunk in
                let start = Int(shape.sealedOffset(chunk))
                return BlobHash.chunk(scene.bytes[start..<start + shape.sealedBytes(chunk)]).bytes
            }
            let id = BlobID(size: shape.size, pageHashes: [BlobHash.page(hashes)])
            let path = "/blobs/\(id.hex)"
            func get(_ path: String) async throws -> Reply {
                try await server.send(.GET, path, token: scene.token)
            }
            #expect(try await get(path + "/chunks").status == 404)
            let sent = try await server.send(.PUT, path, token: scene.token, bytes: scene.bytes)
            #expect(sent.status == 201)
            #expect(try await Array(get(path).body) == scene.bytes)
            let chunks = try await get(path + "/chunks")
            #expect(chunks.status == 200 && Array(chunks.body) == hashes)
            // By its content's hash it is another one, of which nobody asks for chunks.
            #expect(try await server.send(.PUT, scene.path, token: scene.token, bytes: scene.bytes).status == 201)
            #expect(try await get(scene.path + "/chunks").status == 404)
            var other = scene.bytes
            other[0] ^= 1
            let wrong = BlobID(size: shape.size + 1, pageHashes: [BlobHash.page(hashes)])
            let refused = try await server.send(.PUT, "/blobs/\(wrong.hex)", token: scene.token, bytes: other)
            #expect(refused.status == 422 && refused.code == "wrong-hash")
        }
    }
}

extension RunningServer {
    private static func path(_ number: Int) -> String {
        "/blobs/" + String(repeating: "0", count: 62) + String(number + 16, radix: 16)
    }

    /// How far a blob of that number is.
    fileprivate func ask(_ number: Int, of total: Int, _ token: String) async throws -> Reply {
        try await send(
            .PUT, Self.path(number), token: token, bytes: [], headers: [("Content-Range", "bytes */\(total)")])
    }

    /// Sends one byte of it.
    fileprivate func begin(_ number: Int, of total: Int, _ token: String, from offset: Int = 0) async throws -> Reply {
        try await send(
            .PUT, Self.path(number), token: token, bytes: [7],
            headers: [("Content-Range", "bytes \(offset)-\(offset)/\(total)")])
    }
}
