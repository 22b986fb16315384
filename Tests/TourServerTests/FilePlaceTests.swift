import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: readers that are slow, or never end, hold few files each, and keep nobody else from theirs.
/// Method: a whole server, and clients that ask for a blob and read only the head of the answer; the bounds of an
/// address and of all without a server.
struct FilePlaceTests {
    /// More than the system takes for a client that does not read.
    private static let blob = (0..<16 * 1024 * 1024).map { UInt8(ascii: "a") + UInt8($0 % 26) }

    private static func name(_ bytes: [UInt8]) -> String {
        var rest: [UInt8]? = bytes
        return ContentHash.of {
            defer { rest = nil }
            return rest
        }.hex
    }

    @Test func whoReadsSlowlyHasFewAtOnce() async throws {
        try await RunningServer.run(change: { $0.patience.idle = .seconds(600) }) { server async throws in
            var tour = SampleTour()
            let person = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let guide = try await server.memberToken(tour.guide)
            let member = try await server.memberToken(person, controls: Array(tour.guide.log.dropFirst()))
            let path = "/blobs/" + Self.name(Self.blob)
            #expect(try await server.send(.PUT, path, token: guide, bytes: Self.blob).status == 201)
            func ask(_ token: String) async throws -> Reply {
                try await server.send(.GET, path, token: token, headers: [("Range", "bytes=0-9")])
            }
            var clients = [RawClient]()
            for _ in 0..<ServerLimits.filesPerCaller {
                let client = try await RawClient(server.port, window: 16 * 1024)
                try client.write(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(member)\r\n\r\n")
                clients.append(client)
                #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
            let refused = try await ask(member)
            #expect(refused.status == 429 && refused.code == "too-many-requests", "\(refused.status)")
            #expect(refused.headers.first(name: "Retry-After") == "\(ServerLimits.filesRetry)")
            #expect(try await ask(guide).status == 206, "others have theirs")
            for client in clients { client.reset() }
            #expect(
                try await server.repeats {
                    // So that no rate is in the way.
                    server.clock.advance(microseconds: 100_000)
                    return try await ask(member).status == 206
                })
        }
    }

    /// Nobody else writes while room is added up for a new blob, of as many small ones as a tour has room for.
    @Test(.enabled(if: !TestDatabase.isPostgres, "PostgreSQL plans by what is there"))
    func roomIsAddedUpWithoutTheRows() async throws {
        try await RunningServer.run { server async throws in
            let storage = try TestDatabase.storage(of: server.directory)
            for condition in ["", " AND member = $2", " AND member = $2 AND is_whole = 0"] {
                let statement = "EXPLAIN QUERY PLAN SELECT SUM(bytes) FROM blobs WHERE tour = $1" + condition
                let values: [SQLValue] = condition.isEmpty ? [.integer(1)] : [.integer(1), .bytes([1])]
                let plan = try await storage.read { sql throws(Failure) in try sql.row(statement, values)?.text(3) }
                #expect(plan?.contains("USING COVERING INDEX blobs_by_member") == true, "\(plan ?? "none")")
            }
            try await storage.close()
        }
    }

    @Test func whoAsksForTheHeadAloneHoldsNothing() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let token = try await server.memberToken(tour.guide)
            let bytes = Array(Self.blob[..<1_000])
            let path = "/blobs/" + Self.name(bytes)
            #expect(try await server.send(.PUT, path, token: token, bytes: bytes).status == 201)
            let mark = try await server.send(.HEAD, path, token: token).headers.first(name: "ETag") ?? ""
            for _ in 0..<ServerLimits.filesPerCaller * 2 {
                #expect(try await server.send(.HEAD, path, token: token).status == 200)
                let known = try await server.send(.GET, path, token: token, headers: [("If-None-Match", mark)])
                #expect(known.status == 304)
            }
        }
    }

    @Test func oneAddressHasItsShare() {
        let places = FilePlaces(inAll: 4, perCaller: 2, perAddress: 3)
        var held = [FilePlaces.Place]()
        func refusal(_ caller: String, _ address: String) -> FailureCode? {
            do throws(Failure) {
                held.append(try places.place(for: caller, at: address))
                return nil
            } catch {
                #expect(error.retryAfter == ServerLimits.filesRetry)
                return error.code
            }
        }
        #expect(refusal("a", "1") == nil && refusal("a", "1") == nil)
        // What is refused to a caller takes no place of its address.
        #expect(refusal("a", "1") == .tooManyRequests && refusal("a", "2") == .tooManyRequests)
        #expect(refusal("b", "1") == nil)
        #expect(refusal("b", "1") == .tooManyRequests, "the address has its three")
        #expect(refusal("b", "2") == nil)
        #expect(refusal("c", "3") == .unavailable, "all have their four")
        held.removeFirst()
        #expect(refusal("c", "3") == nil)
    }
}
