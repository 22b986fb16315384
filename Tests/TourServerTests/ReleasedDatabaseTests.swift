import Foundation
import Glibc
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: a server that is upgraded has everything that the older version kept, and goes on.
/// Method: data directories that the real servers of each released version left behind, served by today's, and held
/// against what that version answered; an older database on a disk without room; one of a later version.
@Suite(.enabled(if: !TestDatabase.isPostgres)) struct ReleasedDatabaseTests {
    /// A folder of `Tests/Releases`.
    struct Release: Sendable, CustomTestStringConvertible {
        let folder: URL
        var testDescription: String { folder.lastPathComponent }

        static let all: [Release] = {
            let place = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
                .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Releases")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
            return names.sorted().map { Release(folder: place.appendingPathComponent($0)) }
                .filter { FileManager.default.fileExists(atPath: $0.folder.path + "/expected.json") }
        }()

        /// What that version's server answered.
        func expected() throws -> [String: Any] {
            let data = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
            let all = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            return try #require(all["server"] as? [String: Any])
        }
    }

    /// The same bytes for the same values.
    private static func text(_ value: Any?) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: value ?? NSNull(), options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }

    private static func get(_ path: String, _ token: String, _ server: RunningServer) async throws -> Any {
        let reply = try await server.send(.GET, path, token: token)
        #expect(reply.status == 200, "\(path): \(reply.text)")
        return try JSONSerialization.jsonObject(with: reply.body)
    }

    @Test(arguments: Release.all)
    func allIsThereAndTheServerGoesOn(_ release: Release) async throws {
        let directory = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let packed = release.folder.appendingPathComponent("server.tar.gz").path
        let tar = try ChildProcess("/usr/bin/tar", ["--extract", "--gzip", "--file", packed, "--directory", directory])
        #expect(try await tar.wait() == 0)
        for _ in 1...2 {
            try await RunningServer.run(change: { $0.dataDirectory = directory }) { server in
                try await Self.check(release.expected(), server)
            }
        }
    }

    private static func check(_ expected: [String: Any], _ server: RunningServer) async throws {
        let groups = try #require(expected["groups"] as? [[String: Any]])
        // A day after the last sync: nothing of that server lies in the future.
        let synced = groups.compactMap { $0["lastSyncTime"] as? String }
            .compactMap { ISO8601DateFormatter().date(from: $0)?.timeIntervalSince1970 }
        server.clock.advance(seconds: Int64(synced.max() ?? 0) + 86_400 - server.clock.now / 1_000_000)
        let (email, password) = (expected["email"] as? String ?? "", expected["password"] as? String ?? "")
        let login = try await server.send(.POST, "/auth/login", #"{"email":"\#(email)","password":"\#(password)"}"#)
        let token = try login.decoded(Tokens.self).access_token
        for (name, path) in [("notes", "/notes"), ("collections", "/collections"), ("groups", "/groups")] {
            #expect(try await text(get(path, token, server)) == text(expected[name]), "\(name)")
        }
        let tour = try #require(groups.first?["id"] as? String)
        let frontier = try await get("/groups/\(tour)/frontier", token, server) as? [String: Any]
        let heads = try #require(frontier?["heads"] as? [String: Int])
        #expect(heads.values.reduce(0, +) == (expected["events"] as? [String])?.count)
        let after = heads.keys.map { "\($0.prefix(16)):0" }.joined(separator: ",")
        let page = try await get("/groups/\(tour)/events?after=\(after)", token, server) as? [String: Any]
        let events = try #require(page?["messages"] as? [[String: Any]]).compactMap { $0["localId"] as? String }
        #expect(!events.isEmpty && Set(events).isSubset(of: expected["events"] as? [String] ?? []))
        let note = try await server.send(.POST, "/notes", token: token, #"{"title":"New","content":"a"}"#)
        #expect(note.status == 201)
        let id = try #require(JSONSerialization.jsonObject(with: note.body) as? [String: Any])["id"] as? Int
        #expect(try await server.send(.DELETE, "/notes/\(id ?? 0)", token: token).status == 204)
    }

    @Test func thereIsAReleaseToOpen() {
        #expect(!Release.all.isEmpty)
    }

    /// A step that finds no room leaves the older database, which the next start brings forward.
    @Test(.enabled(if: geteuid() == 0, "mounting a small file system takes root"))
    func aFullDiskLeavesTheOlderDatabase() async throws {
        let directory = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        #expect(mount("tmpfs", directory, "tmpfs", 0, "size=12m,mode=700") == 0)
        defer {
            umount2(directory, 2)
            try? FileManager.default.removeItem(atPath: directory)
        }
        let storage = try SQLiteStorage(path: directory + "/server.sqlite")
        let older = Array(Migration.all.prefix { $0.name != "notebooks-3" })
        _ = try await storage.migrate(older)
        let stops = (1...40).map { #"{"added_at":"2026-06-01T00:00:00Z","id":"\#(DeltaDevice.id($0))"}"# }
        let body = #"{"samples":[\#(stops.joined(separator: ","))],"title":"Day"}"#
        try await storage.write { sql throws(Failure) in
            for number in 1...600 {
                let id = [UInt8](repeating: 0, count: 14) + [UInt8(number / 256), UInt8(number % 256)]
                try sql.run(
                    """
                    INSERT INTO notebook (account, id, kind, body, version, stamp, created, updated, deleted)
                    VALUES (1, $1, 'collections', $2, 1, $3, 0, 0, 0)
                    """, [.bytes(id), .text(body), .integer(Int64(number))])
            }
        }
        let ballast = directory + "/ballast"
        _ = FileManager.default.createFile(atPath: ballast, contents: nil)
        let file = try #require(FileHandle(forWritingAtPath: ballast))
        // Until nothing more fits.
        while (try? file.write(contentsOf: Data(repeating: 1, count: 65_536))) != nil {}
        try file.close()
        let refused = await #expect(throws: Failure.self) { try await storage.migrate() }
        #expect(refused?.code == .unavailable)
        let taken = try await storage.read { sql throws(Failure) in
            try sql.rows("SELECT name FROM migrations", []).count
        }
        #expect(taken == older.count)
        unlink(ballast)
        let steps = try await storage.migrate()
        #expect(steps == Migration.all.dropFirst(older.count).map(\.name))
        let count = try await storage.read { sql throws(Failure) in
            try sql.row("SELECT COUNT(*) FROM notebook_stops", [])?.integer(0)
        }
        #expect(count == 24_000)
    }

    /// Also by commands that migrate nothing, and by a second copy of the server.
    @Test func aLaterDatabaseIsRefusedAndStays() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let settings = ServerSettings(host: "127.0.0.1", port: 0, dataDirectory: directory)
        let door = try OpenedServer(settings: settings)
        _ = try await door.storage.migrate()
        try await door.storage.write { sql throws(Failure) in
            try sql.run("INSERT INTO migrations (name) VALUES ('later-1')", [])
        }
        let role = await #expect(throws: Failure.self) { try await door.setRole(.guide, of: "a@example.org") }
        let start = await #expect(throws: Failure.self) { try await door.storage.migrate() }
        for refused in [role, start] {
            #expect(refused?.code == .newerDatabase)
            #expect(refused.map { "\($0)".contains("install that version again") } == true)
        }
    }
}
