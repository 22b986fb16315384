import Foundation
import Glibc
import ServerBase
import ServerStorage
import Synchronization
import Testing
import TourServer

/// Goal: what was committed stays, what failed leaves nothing, and who waits is woken after the commit.
/// Method: a database in a temporary directory.
@Suite(.enabled(if: !TestDatabase.isPostgres)) struct StorageTests {
    private static func withStorage(_ body: (SQLiteStorage, String) async throws -> Void) async throws {
        let path = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try ServerDirectory(path: path)
        try await body(try SQLiteStorage(path: path + "/server.sqlite"), path)
    }

    @Test func migrationsAreTakenOnce() async throws {
        try await Self.withStorage { storage, _ in
            let names = Migration.all.map(\.name)
            #expect(Set(names).count == names.count)
            let first = try await storage.migrate()
            let second = try await storage.migrate()
            #expect(first == names && second.isEmpty)
        }
    }

    @Test func laterVersionsDatabaseIsRefused() async throws {
        try await Self.withStorage { storage, _ in
            _ = try await storage.migrate()
            await #expect(throws: Failure.self) { try await storage.migrate(Array(Migration.all.dropLast())) }
        }
    }

    @Test func whatThrowsLeavesNothing() async throws {
        try await Self.withStorage { storage, _ in
            _ = try await storage.migrate()
            await #expect(throws: Failure.self) {
                try await storage.write { sql throws(Failure) -> Int64 in
                    _ = try sql.nextNumber("x")
                    throw Failure(.forbidden)
                }
            }
            let next = try await storage.write { sql throws(Failure) in try sql.nextNumber("x") }
            #expect(next == 1)
            let relaxed = try await storage.write(.relaxed) { sql throws(Failure) in try sql.nextNumber("x") }
            #expect(relaxed == 2)
        }
    }

    /// Holds the thread that comes to it until it is opened.
    private final class Gate: Sendable {
        private let state = Mutex((isReached: false, isOpen: false))
        var isReached: Bool { state.withLock { $0.isReached } }
        func open() { state.withLock { $0.isOpen = true } }
        func pass() {
            state.withLock { $0.isReached = true }
            while state.withLock({ !$0.isOpen }) { sched_yield() }
        }
    }

    /// The disk is waited for once for all who wait, and each stands for itself.
    @Test func transactionsThatWaitShareACommit() async throws {
        try await Self.withStorage { storage, _ in
            _ = try await storage.migrate()
            let before = storage.writeCounts
            let gate = Gate()
            async let first: Void = storage.write { _ throws(Failure) in gate.pass() }
            while !gate.isReached { await Task.yield() }
            let outcomes = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for number in 1...20 {
                    tasks.addTask {
                        do throws(Failure) {
                            try await storage.write { sql throws(Failure) in
                                _ = try sql.nextNumber("n")
                                _ = try sql.nextNumber("of-\(number)")
                                if number % 4 == 0 { throw Failure(.forbidden) }
                            }
                            return true
                        } catch {
                            return error.code != .forbidden
                        }
                    }
                }
                while storage.writeCounts.waiting < 20 { await Task.yield() }
                gate.open()
                return try await tasks.reduce(into: [Bool]()) { $0.append($1) }
            }
            try await first
            #expect(outcomes.count { !$0 } == 5)
            let after = storage.writeCounts
            #expect(after.transactions - before.transactions == 21 && after.waiting == 0)
            // One and all the others, unless these took longer than such wait for each other.
            #expect(after.commits - before.commits < 21)
            let next = try await storage.write { sql throws(Failure) in
                (try sql.nextNumber("n"), try sql.nextNumber("of-4"), try sql.nextNumber("of-5"))
            }
            #expect(next == (16, 1, 2))
        }
    }

    /// One transaction that ends the whole, as a full disk does, fails by itself; those beside it are committed.
    @Test func oneThatEndsTheTransactionFailsAlone() async throws {
        try await Self.withStorage { storage, _ in
            _ = try await storage.migrate()
            let gate = Gate()
            async let first: Void = storage.write { _ throws(Failure) in gate.pass() }
            while !gate.isReached { await Task.yield() }
            let failed = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for number in 1...8 {
                    tasks.addTask {
                        do throws(Failure) {
                            try await storage.write { sql throws(Failure) in
                                _ = try sql.nextNumber("n")
                                if number == 4 { try sql.run("ROLLBACK", []) }
                            }
                            return false
                        } catch {
                            return error.code == .unavailable
                        }
                    }
                }
                while storage.writeCounts.waiting < 8 { await Task.yield() }
                gate.open()
                return try await tasks.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try await first
            #expect(failed == 1)
            let next = try await storage.write { sql throws(Failure) in try sql.nextNumber("n") }
            #expect(next == 8)
        }
    }

    /// What a version before this wrote is found by what this one looks for.
    @Test func stopsOfOlderItinerariesAreFound() async throws {
        try await Self.withStorage { storage, path in
            let older = Array(Migration.all.prefix { $0.name != "notebooks-3" })
            _ = try await storage.migrate(older)
            let stop = DeltaDevice.id(1)
            let body = #"{"samples":[{"added_at":"2026-06-01T00:00:00Z","id":"\#(stop)"}],"title":"Day"}"#
            try await storage.write { sql throws(Failure) in
                for number in 1...130 {
                    let id = [UInt8](repeating: 0, count: 14) + [UInt8(number / 256), UInt8(number % 256)]
                    try sql.run(
                        """
                        INSERT INTO notebook (account, id, kind, body, version, stamp, created, updated, deleted)
                        VALUES ($1, $2, 'collections', $3, 1, $4, 0, 0, 0)
                        """,
                        [.integer(Int64(number % 3)), .bytes(id), .text(body), .integer(Int64(number))])
                }
            }
            _ = try await storage.migrate()
            let rows = try await storage.read { sql throws(Failure) in
                try sql.rows("SELECT account, COUNT(*) FROM notebook_stops GROUP BY account ORDER BY account", [])
            }
            #expect(try rows.map { try $0.integer(1) } == [43, 44, 43])
        }
    }

    /// A database is a file like others.
    @Test func numbersThatNobodyWritesAreTold() async throws {
        try await Self.withStorage { storage, _ in
            for (number, isCount) in [(0, true), (1 << 60, true), (-1, false), (.max, false), (.min, false)]
                as [(Int64, Bool)]
            {
                let row = try await storage.read { sql throws(Failure) in
                    try sql.row("SELECT CAST($1 AS BIGINT)", [.integer(number)])
                }
                #expect(((try? row?.count(0)) == number) == isCount)
            }
        }
    }

    @Test func valuesComeBackAsTheyWere() async throws {
        try await Self.withStorage { storage, _ in
            let values: [SQLValue] = [
                .null, .integer(.min), .integer(.max), .text("Ağ 😀 ' \""), .text("123"), .bytes([]),
                .bytes([0, 255]),
            ]
            try await storage.write { sql throws(Failure) in
                try sql.run("CREATE TABLE v (a BIGINT, b BIGINT, c BIGINT, d TEXT, e TEXT, f BYTEA, g BYTEA)", [])
                try sql.run("INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7)", values)
            }
            let row = try await storage.read { sql throws(Failure) in
                try sql.row("SELECT a, b, c, d, e, f, g FROM v", [])
            }
            let found = try #require(row)
            #expect(try found.optionalInteger(0) == nil && found.integer(1) == .min && found.integer(2) == .max)
            #expect(try found.text(3) == "Ağ 😀 ' \"" && found.text(4) == "123")
            #expect(try found.bytes(5) == [] && found.bytes(6) == [0, 255])
            #expect(throws: Failure.self) { try found.integer(3) }
        }
    }

    @Test func whoWaitsIsWokenAfterTheCommitOnly() async throws {
        try await Self.withStorage { storage, _ in
            var wakes = storage.wakes("tour:1").makeAsyncIterator()
            let isOther = storage.wakes("tour:2")
            _ = isOther
            await #expect(throws: Failure.self) {
                try await storage.write { sql throws(Failure) -> Int in
                    sql.wake("tour:1")
                    throw Failure(.forbidden)
                }
            }
            try await storage.write { sql throws(Failure) in
                try sql.run("CREATE TABLE w (a BIGINT)", [])
                sql.wake("tour:1")
                sql.wake("tour:1")
            }
            #expect(await wakes.next() != nil)
            let tables = try await storage.read { sql throws(Failure) in
                try sql.rows("SELECT name FROM sqlite_master WHERE name = 'w'", []).count
            }
            #expect(tables == 1)
        }
    }

    /// Many readers rest after a wake: what comes meanwhile is not lost, and wakes all of them.
    @Test func manyWhoWaitMissNothing() async throws {
        try await Self.withStorage { storage, _ in
            var readers = (0..<500).map { _ in storage.wakes("tour:1").makeAsyncIterator() }
            for round in 1...3 {
                let before = storage.version(of: "tour:1")
                try await storage.write { sql throws(Failure) in sql.wake("tour:1") }
                for index in readers.indices { #expect(await readers[index].next() != nil) }
                #expect(storage.version(of: "tour:1") > before, "round \(round)")
            }
        }
    }

    @Test func whatIsLookedUpIsWhatIsStored() async throws {
        try await Self.withStorage { storage, _ in
            try await storage.write { sql throws(Failure) in try sql.run("CREATE TABLE l (a BIGINT)", []) }
            // More at once than there are connections.
            try await withThrowingTaskGroup { group in
                for number in 1...20 {
                    group.addTask {
                        try await storage.write { sql throws(Failure) in
                            try sql.run("INSERT INTO l (a) VALUES ($1)", [.integer(Int64(number))])
                        }
                        let count = try await storage.lookUp { sql throws(Failure) in
                            try sql.rows("SELECT a FROM l WHERE a = $1", [.integer(Int64(number))]).count
                        }
                        #expect(count == 1)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func filesAreForTheirOwnerAlone() async throws {
        try await Self.withStorage { storage, path in
            _ = try await storage.migrate()
            for name in ["", "/server.sqlite", "/server.sqlite-wal"] {
                let mode = try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
                #expect(mode == (name.isEmpty ? 0o700 : 0o600), "\(name)")
            }
            try FileManager.default.createSymbolicLink(atPath: path + "-link", withDestinationPath: path)
            defer { try? FileManager.default.removeItem(atPath: path + "-link") }
            #expect(throws: Failure.self) { try ServerDirectory(path: path + "-link") }
        }
    }
}
