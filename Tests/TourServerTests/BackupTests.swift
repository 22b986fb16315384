import CoreFoundation
import Foundation
import Glibc
import NIOHTTP1
import ServerBase
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: a backup that is made while the server works becomes a server that has all of it, on either engine; a damaged
/// backup, and a place that is not empty, are refused before anything is written.
/// Method: a whole server, its backup, and a server of the restored data.
struct BackupTests {
    private struct Made {
        let home: String
        let backup: ServerBackup
        let token: String
        let blob: String
        let bytes: [UInt8]
        let tour: String
    }

    /// A server with an account, a tour and a blob, of which a backup is made while it runs.
    private static func withBackup(_ body: @escaping @Sendable (RunningServer, Made) async throws -> Void) async throws
    {
        try await RunningServer.run { server async throws in
            let home = RunningServer.temporaryDirectory()
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: home) }
            let tour = SampleTour()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let token = try await server.memberToken(tour.guide)
            var rng = SplitMix64(seed: 3)
            let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &rng) }
            var rest: [UInt8]? = bytes
            let blob = ContentHash.of {
                defer { rest = nil }
                return rest
            }.hex
            #expect(try await server.send(.PUT, "/blobs/" + blob, token: token, bytes: bytes).status == 201)
            let backup = try await ServerBackup.make(of: .data(in: server.directory), to: home)
            try await body(
                server,
                Made(home: home, backup: backup, token: token, blob: blob, bytes: bytes, tour: tour.id.hex))
        }
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { place in
            var status = stat()
            return lstat(folder + "/" + place, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    @Test func restoredServerHasAll() async throws {
        try await Self.withBackup { server, made in
            #expect(made.backup.manifest.rows["accounts"] == 1 && made.backup.manifest.rows["tours"] == 1)
            #expect(made.backup.manifest.files == 1 && made.backup.manifest.missing == [])
            #expect(try ServerBackup.check(made.backup.path).manifest == made.backup.manifest)
            for place in [""] + (try FileManager.default.subpathsOfDirectory(atPath: made.backup.path)) {
                let path = made.backup.path + "/" + place
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
                #expect(mode & 0o077 == 0, "\(place)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: made.home)
            #expect(names.count { !$0.hasPrefix(".") } == 1 && !names.contains { $0.hasSuffix(".partial") })
            let restored = made.home + "/restored"
            _ = try await ServerRestore.run(from: made.backup.path, to: .data(in: restored))
            try await RunningServer.run(change: { settings in
                settings.dataDirectory = restored
                settings.database = ServerSettings.data(in: restored).database
            }) { after in
                let read = try await after.send(.GET, "/blobs/" + made.blob, token: made.token)
                #expect(read.status == 200 && Array(read.body) == made.bytes, "also the keys of tokens are there")
                let again = try await after.newAccount("other@example.org")
                #expect(try await after.send(.GET, "/auth/me", token: again.access_token).status == 200)
            }
        }
    }

    /// A PostgreSQL database becomes a file, and a file a PostgreSQL database.
    @Test(.enabled(if: TestDatabase.isPostgres)) func theOtherEngineHasAll() async throws {
        try await Self.withBackup { _, made in
            #expect(made.backup.manifest.engine == "postgresql")
            let (file, back) = (made.home + "/file", made.home + "/back")
            let settings = ServerSettings(host: "127.0.0.1", port: 0, dataDirectory: file)
            _ = try await ServerRestore.run(from: made.backup.path, to: settings)
            let second = try await ServerBackup.make(of: settings, to: made.home + "/second")
            #expect(second.manifest.engine == "sqlite" && second.manifest.steps == made.backup.manifest.steps)
            // Numbers are rows of one engine and sequences of the other.
            let one = made.backup.manifest.rows.filter { $0.key != "counters" }
            #expect(second.manifest.rows.filter { $0.key != "counters" } == one)
            _ = try await ServerRestore.run(from: second.path, to: .data(in: back))
            let third = try await ServerBackup.make(of: .data(in: back), to: made.home + "/third")
            #expect(third.manifest.rows.filter { $0.key != "counters" } == one)
            let storage = try TestDatabase.storage(of: back)
            let next = try await storage.write { sql throws(Failure) in
                (try sql.nextNumber("tours"), try sql.row("SELECT MAX(number) FROM tours", [])?.integer(0) ?? .max)
            }
            #expect(next.0 > next.1, "numbers go on")
            try await storage.close()
        }
    }

    @Test func eachDamagedByteIsRefused() async throws {
        try await Self.withBackup { _, made in
            for place in try Self.files(made.backup.path) {
                let path = made.backup.path + "/" + place
                let whole = try Data(contentsOf: URL(fileURLWithPath: path))
                for offset in [0, whole.count / 2, whole.count - 1] {
                    var bytes = whole
                    bytes[offset] ^= 0x20
                    try bytes.write(to: URL(fileURLWithPath: path))
                    #expect(throws: Failure.self, "\(place) at \(offset)") { try ServerBackup.check(made.backup.path) }
                }
                let target = made.home + "/never"
                await #expect(throws: Failure.self) {
                    try await ServerRestore.run(from: made.backup.path, to: .data(in: target))
                }
                #expect(!FileManager.default.fileExists(atPath: target), "nothing is written")
                try FileManager.default.removeItem(atPath: path)
                #expect(throws: Failure.self, "without \(place)") { try ServerBackup.check(made.backup.path) }
                try whole.write(to: URL(fileURLWithPath: path))
            }
            try Data("x".utf8).write(to: URL(fileURLWithPath: made.backup.path + "/other"))
            #expect(throws: Failure.self, "a stray file") { try ServerBackup.check(made.backup.path) }
            try FileManager.default.removeItem(atPath: made.backup.path + "/other")
            _ = try ServerBackup.check(made.backup.path)
        }
    }

    @Test func whatIsNotEmptyIsRefused() async throws {
        try await Self.withBackup { server, made in
            let own = await #expect(throws: Failure.self) {
                try await ServerRestore.run(from: made.backup.path, to: .data(in: server.directory))
            }
            #expect(own.map { "\($0)".contains("not empty") } == true)
            if TestDatabase.isPostgres {
                var settings = ServerSettings.data(in: server.directory)
                settings.dataDirectory = made.home + "/fresh"
                let rows = await #expect(throws: Failure.self) {
                    try await ServerRestore.run(from: made.backup.path, to: settings)
                }
                #expect(rows.map { "\($0)".contains("PostgreSQL database is not empty") } == true)
                #expect(!FileManager.default.fileExists(atPath: made.home + "/fresh"))
            }
            await #expect(throws: Failure.self, "there is one") {
                try await ServerBackup.make(of: .data(in: server.directory), to: made.backup.path + "/B2SUMS")
            }
            await #expect(throws: Failure.self, "there is no server") {
                try await ServerBackup.make(of: .data(in: made.home + "/none"), to: made.home)
            }
            #expect(!FileManager.default.fileExists(atPath: made.home + "/none"))
        }
    }

    /// Half of it is there, and one file by half: no server starts, and the next attempt ends it.
    @Test func interruptedRestoreGoesOn() async throws {
        try await Self.withBackup { _, made in
            let target = made.home + "/target"
            let settings = ServerSettings.data(in: target)
            let blob = "/blobs/\(made.tour)/\(made.blob)"
            try FileManager.default.createDirectory(
                atPath: target + "/blobs/\(made.tour)", withIntermediateDirectories: true)
            var rest: [UInt8]? = Array(try Data(contentsOf: URL(fileURLWithPath: made.backup.path + "/B2SUMS")))
            let mark = ContentHash.of {
                defer { rest = nil }
                return rest
            }.hex
            try Data(mark.utf8).write(to: URL(fileURLWithPath: target + "/restoring"))
            try Data(made.bytes.prefix(70_000)).write(to: URL(fileURLWithPath: target + blob))
            let early = #expect(throws: Failure.self) { try OpenedServer(settings: settings) }
            #expect(early.map { "\($0)".contains("tour-server restore again") } == true)
            _ = try await ServerRestore.run(from: made.backup.path, to: settings)
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: target + blob))) == made.bytes)
            let storage = try TestDatabase.storage(of: target)
            let count = try await storage.read { sql throws(Failure) in
                try sql.row("SELECT COUNT(*) FROM tours", [])?.integer(0)
            }
            #expect(count == 1)
            try await storage.close()
            try Data("other".utf8).write(to: URL(fileURLWithPath: target + "/restoring"))
            let other = await #expect(throws: Failure.self) {
                try await ServerRestore.run(from: made.backup.path, to: settings)
            }
            #expect(other.map { "\($0)".contains("half of another backup") } == true)
        }
    }

    /// The backup that was just made stays, even where the clock was set back.
    /// - Parameter made: its day.
    /// - Parameter kept: the days of those that stay.
    @Test(arguments: [
        (1, "03", ["03"]), (2, "03", ["02", "03"]), (3, "03", ["01", "02", "03"]), (9, "03", ["01", "02", "03"]),
        (1, "01", ["01", "03"]), (2, "01", ["01", "02", "03"]), (1, "02", ["02", "03"]),
    ])
    func theNewestStay(count: Int, made: String, kept days: [String]) throws {
        let folder = RunningServer.temporaryDirectory(), files = FileManager.default
        defer { try? files.removeItem(atPath: folder) }
        func name(_ day: String) -> String { "tour-server-202705\(day)T040000Z" }
        let (backups, kept) = (["01", "02", "03"].map(name), days.map(name))
        // Something of somebody else's, a backup by another name, and a folder that is no backup.
        let others = [
            "notes", "tour-server-before-the-move", "tour-server-20200101T000000Z", "tour-server-20270101T000000",
        ]
        for name in backups + others {
            try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            let isBackup = name != "notes" && name != "tour-server-20200101T000000Z"
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/\(isBackup ? "B2SUMS" : "x")"))
        }
        // An interrupted removal has left one, and another backup is being written.
        let (leaving, partial) = (folder + "/.tour-server-backup.leaving", ".tour-server-backup.partial")
        for path in [leaving, folder + "/" + partial] {
            try files.createDirectory(atPath: path + "/blobs", withIntermediateDirectories: true)
        }
        let locked = ".tour-server-backup.lock"
        var lock = try FileLock.file(folder + "/" + locked)
        #expect(lock != nil)
        let refused = #expect(throws: Failure.self) {
            try ServerBackup.prune(folder, keeping: count, sparing: name(made))
        }
        #expect(refused?.code == .alreadyServed && files.fileExists(atPath: leaving))
        lock = nil
        let gone = try ServerBackup.prune(folder, keeping: count, sparing: name(made))
        #expect(gone == backups.filter { !kept.contains($0) })
        #expect(
            try files.contentsOfDirectory(atPath: folder).sorted() == (kept + others + [locked, partial]).sorted())
    }

    /// The remains of an interrupted backup are no backup, and the next one removes them.
    @Test func interruptedBackupIsNone() async throws {
        try await Self.withBackup { server, made in
            let half = made.home + "/.tour-server-backup.partial"
            try FileManager.default.copyItem(atPath: made.backup.path, toPath: half)
            try FileManager.default.removeItem(atPath: half + "/B2SUMS")
            #expect(throws: Failure.self) { try ServerBackup.check(half) }
            let next = try await ServerBackup.make(of: .data(in: server.directory), to: made.home + "/next")
            #expect(!FileManager.default.fileExists(atPath: half))
            _ = try ServerBackup.check(next.path)
        }
    }

    @Test func laterVersionsBackupIsRefused() async throws {
        try await Self.withBackup { _, made in
            let manifest = made.backup.path + "/manifest.json"
            let later = made.backup.manifest.json.replacingOccurrences(of: #""steps":["#, with: #""steps":["later-1","#)
            try Data(later.utf8).write(to: URL(fileURLWithPath: manifest))
            let sums = made.backup.path + "/B2SUMS"
            var rest: [UInt8]? = Array(later.utf8)
            let hash = ContentHash.of {
                defer { rest = nil }
                return rest
            }.hex
            let lines = try String(contentsOfFile: sums, encoding: .utf8).split(separator: "\n").map { line in
                line.hasSuffix("  manifest.json") ? hash + "  manifest.json" : String(line)
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: sums))
            let failure = #expect(throws: Failure.self) { try ServerBackup.check(made.backup.path) }
            #expect(failure?.code == .newerDatabase)
        }
    }

    /// The server has lost a file: the operator learns of it, and has a backup of the rest if that is wanted.
    @Test func lostFileIsSaid() async throws {
        try await Self.withBackup { server, made in
            let place = "blobs/\(made.tour)/\(made.blob)"
            try FileManager.default.removeItem(atPath: server.directory + "/" + place)
            let failure = await #expect(throws: Failure.self) {
                try await ServerBackup.make(of: .data(in: server.directory), to: made.home + "/less")
            }
            #expect(failure.map { "\($0)".contains(place) } == true)
            #expect(!FileManager.default.fileExists(atPath: made.home + "/less"))
            let less = try await ServerBackup.make(
                of: .data(in: server.directory), to: made.home + "/less", isLenient: true)
            #expect(less.manifest.missing == [place])
            _ = try ServerBackup.check(less.path)
        }
    }
}
