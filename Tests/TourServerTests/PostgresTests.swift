import Foundation
import Glibc
import NIOHTTP1
import ServerBase
import ServerStorage
import Testing
import TourServer

/// Goal: on PostgreSQL what was committed stays, what collides is done once each, whoever waits is woken in every
/// process, and what is wrong is said in a sentence.
/// Method: storages in a schema of their own, two of them as two processes; restarts and kills of the database are in
/// Tests/Hosts (`killed-while-postgresql-is-pushed-to`).
@Suite(.enabled(if: TestDatabase.isPostgres, "no PostgreSQL is named"))
struct PostgresTests {
    /// Two storages of one database, with the server's schema.
    private static func withTwo(
        _ body: (any Storage, any Storage, _ directory: String) async throws -> Void
    ) async throws {
        await TestDatabase.turns.enter()
        defer { TestDatabase.turns.leave() }
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let one = try TestDatabase.storage(of: directory)
        let two = try TestDatabase.storage(of: directory)
        _ = try await one.migrate()
        try await body(one, two, directory)
        try await one.close()
        try await two.close()
    }

    @Test func valuesComeBackAsTheyWere() async throws {
        try await Self.withTwo { one, two, _ in
            let values: [SQLValue] = [
                .null, .integer(.min), .integer(.max), .text("Ağ 😀 ' \""), .text("123"), .bytes([]), .bytes([0, 255]),
            ]
            try await one.write { sql throws(Failure) in
                try sql.run("CREATE TABLE v (a BIGINT, b BIGINT, c BIGINT, d TEXT, e TEXT, f BYTEA, g BYTEA)", [])
                try sql.run("INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7)", values)
                // Enough to become one statement.
                try sql.run(
                    "INSERT INTO v (a, b, d, f) VALUES ($1, $2, $3, $4)",
                    each: (0..<100).map { number in
                        [
                            .integer(number), number % 3 == 0 ? .null : .integer(-number), .text("\(number)"),
                            .bytes([UInt8(number)]),
                        ]
                    })
            }
            let (row, sums) = try await two.read { sql throws(Failure) in
                (
                    try sql.row("SELECT a, b, c, d, e, f, g FROM v WHERE a IS NULL", []),
                    try sql.row(
                        """
                        SELECT COUNT(*), COUNT(b), MAX(d), MAX(CASE WHEN f = $1 THEN 1 ELSE 0 END) FROM v
                        WHERE a >= 0
                        """, [.bytes([0])])
                )
            }
            let found = try #require(row)
            #expect(try found.optionalInteger(0) == nil && found.integer(1) == .min && found.integer(2) == .max)
            #expect(try found.text(3) == "Ağ 😀 ' \"" && found.text(4) == "123")
            #expect(try found.bytes(5) == [] && found.bytes(6) == [0, 255])
            #expect(throws: Failure.self) { try found.integer(3) }
            let counted = try #require(sums)
            #expect(try counted.integer(0) == 100 && counted.integer(1) == 66 && counted.text(2) == "99")
            #expect(try counted.integer(3) == 1)
        }
    }

    @Test func whatThrowsLeavesNothing() async throws {
        try await Self.withTwo { one, two, _ in
            for wrong in ["SELECT nonsense", "INSERT INTO migrations (name) VALUES ('storage-1')"] {
                let failure = await #expect(throws: Failure.self) {
                    try await one.write { sql throws(Failure) in
                        try sql.run("INSERT INTO counters (name, value) VALUES ('x', 1)", [])
                        _ = try? sql.rows(wrong, [])
                    }
                }
                #expect(failure?.code == .internalError, "\(wrong)")
            }
            await #expect(throws: Failure(.forbidden)) {
                try await one.write { sql throws(Failure) -> Int in
                    try sql.run("INSERT INTO counters (name, value) VALUES ('x', 1)", [])
                    throw Failure(.forbidden)
                }
            }
            let left = try await two.read { sql throws(Failure) in try sql.rows("SELECT name FROM counters", []).count }
            #expect(left == 0)
        }
    }

    /// Both look whether the other is there, which a snapshot alone would hide from both.
    @Test func transactionsAreAsOneAfterTheOther() async throws {
        try await Self.withTwo { one, two, _ in
            let claim = { @Sendable (sql: any SQL, name: String) throws(Failure) -> Bool in
                guard try sql.row("SELECT 1 FROM counters WHERE name LIKE 'claim%'", []) == nil else { return false }
                try sql.run("INSERT INTO counters (name, value) VALUES ($1, 1)", [.text("claim" + name)])
                return true
            }
            for round in 0..<10 {
                let won = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                    for (number, storage) in [one, two, one, two].enumerated() {
                        tasks.addTask {
                            try await storage.write { sql throws(Failure) in try claim(sql, "\(round) \(number)") }
                        }
                    }
                    return try await tasks.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(won == 1)
                try await one.write { sql throws(Failure) in try sql.run("DELETE FROM counters", []) }
            }
        }
    }

    @Test(arguments: [Isolation.whole, .statements])
    func whatEverybodyWritesIsCountedOnceEach(_ isolation: Isolation) async throws {
        try await Self.withTwo { one, two, _ in
            let numbers = try await withThrowingTaskGroup(of: Int64.self) { tasks in
                for number in 0..<100 {
                    let storage = number % 2 == 0 ? one : two
                    tasks.addTask {
                        try await storage.write(.relaxed, isolation) { sql throws(Failure) in
                            try sql.run(
                                """
                                INSERT INTO counters (name, value) VALUES ('x', 1)
                                ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
                                """, [])
                            return try sql.nextNumber("own")
                        }
                    }
                }
                return try await tasks.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(numbers.count == 100)
            let sum = try await one.read { sql throws(Failure) in
                try sql.row("SELECT value FROM counters WHERE name = 'x'", [])?.integer(0)
            }
            #expect(sum == 100)
            if isolation == .statements { #expect(one.writeCounts.retries + two.writeCounts.retries < 100) }
        }
    }

    @Test func whoWaitsInAnotherProcessIsWoken() async throws {
        try await Self.withTwo { one, two, _ in
            let (first, second) = (try await one.beginServing(), try await two.beginServing())
            #expect(first && !second, "who comes second is not alone")
            let there = two.wakes("tour:1"), here = one.wakes("tour:1")
            try await one.write { sql throws(Failure) in sql.wake("tour:1") }
            for await _ in here { break }
            for await _ in there { break }
            let back = one.wakes("tour:2")
            try await two.write { sql throws(Failure) in
                sql.wake(String(repeating: "long", count: 3_000))
                sql.wake("tour:2")
            }
            for await _ in back { break }
        }
    }

    /// A schema may have a name as long as any; that of the channel then has no room for it.
    @Test func whoWaitsInASchemaOfALongNameIsWoken() async throws {
        await TestDatabase.turns.enter()
        defer { TestDatabase.turns.leave() }
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let own = String("s" + directory.lowercased().filter { $0.isLetter || $0.isNumber }.suffix(32))
        let schema = own + String(repeating: "x", count: PostgresChannel.bytesMax - own.count)
        var settings = ServerSettings.data(in: directory)
        settings.database = TestDatabase.name(ofSchema: schema)
        let one = try OpenedServer(settings: settings).storage, two = try OpenedServer(settings: settings).storage
        _ = try await one.migrate()
        let (first, second) = (try await one.beginServing(), try await two.beginServing())
        #expect(first && !second)
        let (there, before) = (two.wakes("tour:1"), two.writeCounts.notifications)
        try await one.write { sql throws(Failure) in sql.wake("tour:1") }
        // Listeners are woken without a notification too, at long intervals.
        var wakes = 0
        for await _ in there {
            wakes += 1
            if wakes == 4 || two.writeCounts.notifications != before { break }
        }
        #expect(two.writeCounts.notifications != before)
        try await one.close()
        try await two.close()
    }

    @Test func aNewerDatabaseIsRefused() async throws {
        try await Self.withTwo { one, two, _ in
            try await one.write { sql throws(Failure) in
                try sql.run("INSERT INTO migrations (name) VALUES ('later-1')", [])
            }
            let refused = await #expect(throws: Failure.self) { try await two.migrate() }
            #expect(refused?.code == .newerDatabase)
        }
    }

    @Test func manyMigrateAtOnce() async throws {
        await TestDatabase.turns.enter()
        defer { TestDatabase.turns.leave() }
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let storages = try (0..<4).map { _ in try TestDatabase.storage(of: directory) }
        let steps = try await withThrowingTaskGroup(of: [String].self) { tasks in
            for storage in storages { tasks.addTask { try await storage.migrate() } }
            return try await tasks.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(steps == Migration.all.map(\.name))
        for storage in storages { try await storage.close() }
    }

    /// Limits that guard a secret hold exactly over all processes.
    @Test func processesCountTogether() async throws {
        try await RunningServer.run { first async throws in
            let (directory, database) = (first.directory, TestDatabase.name(of: first.directory))
            try await RunningServer.run(change: { ($0.dataDirectory, $0.database) = (directory, database) }) {
                second async throws in
                var refused = 0
                for number in 0..<24 {
                    let server = number % 2 == 0 ? first : second
                    let login = #"{"email":"x@example.org","password":"wrong horse"}"#
                    let reply = try await server.send(.POST, "/auth/login", login)
                    refused += reply.status == 429 ? 1 : 0
                }
                #expect(refused == 14, "ten for one address and account")
            }
        }
    }

    @Test func anSQLiteDatabaseIsCopied() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        _ = try ServerDirectory(path: directory)
        let file = try SQLiteStorage(path: directory + "/server.sqlite")
        _ = try await file.migrate()
        let body = String(repeating: "ğ", count: 100)
        try await file.write { sql throws(Failure) in
            for number in 1...500 {
                try sql.run(
                    """
                    INSERT INTO notebook (account, id, kind, body, version, stamp, created, updated, deleted, number)
                    VALUES (1, $1, 'notes', $2, 1, $3, 0, 0, 0, $4)
                    """,
                    [
                        .bytes([UInt8](repeating: UInt8(number / 256), count: 15) + [UInt8(number % 256)]),
                        .text(body), .integer(Int64(number)), .integer(try sql.nextNumber("notes")),
                    ])
            }
        }
        try file.close()
        let settings = ServerSettings.data(in: directory)
        let count = try await DatabaseCopy.run(from: directory + "/server.sqlite", to: settings)
        #expect(count == 501)
        let storage = try TestDatabase.storage(of: directory)
        let (rows, next) = try await storage.write { sql throws(Failure) in
            (
                try sql.row("SELECT COUNT(*) FROM notebook WHERE body = $1", [.text(body)])?.integer(0),
                try sql.nextNumber("notes")
            )
        }
        #expect(rows == 500 && next == 501)
        try await storage.close()
        let again = await #expect(throws: Failure.self) {
            try await DatabaseCopy.run(from: directory + "/server.sqlite", to: settings)
        }
        #expect(again.map { "\($0)".contains("name an empty one") } == true)
    }

    @Test func whatCannotBeReachedIsSaid() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for (database, words) in [
            ("host=/nowhere dbname=x", "start it, or correct --database"),
            ("postgres://u:p@h/x", "--database-password-file"),
            ("postgres://h/x?sense=none", "--database cannot be read"),
            ((TestDatabase.address ?? "") + " dbname=none", "make the database"),
            ((TestDatabase.address ?? "") + " options='-c search_path=none'", "CREATE SCHEMA"),
        ] {
            var settings = ServerSettings.data(in: directory)
            settings.database = database
            let failure = await #expect(throws: Failure.self) {
                let door = try OpenedServer(settings: settings)
                do {
                    _ = try await door.storage.migrate()
                } catch {
                    try await door.storage.close()
                    throw error
                }
            }
            #expect(failure?.code == .unavailable)
            #expect(failure.map { "\($0)".contains(words) && !"\($0)".contains(":p@") } == true, "\(database)")
        }
    }

    /// Whether a disk that was full has room again is seen by a temporary table.
    @Test func whoMayMakeNoTableIsReadyAgain() async throws {
        await TestDatabase.turns.enter()
        defer { TestDatabase.turns.leave() }
        let address = try #require(TestDatabase.address)
        let owner = try PostgresStorage(try #require(PostgresAddress(address)), logger: SentMessages().logger)
        let change = { @Sendable (role: String, right: String) async throws in
            try await owner.write { sql throws(Failure) in
                try sql.run(role, [])
                try sql.run(
                    "DO $$ BEGIN EXECUTE format('\(right)', current_database()); END $$", [])
            }
        }
        try await change("CREATE ROLE without_tables", "REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC")
        let messages = SentMessages()
        let restricted = try #require(PostgresAddress(address + " options='-c role=without_tables'"))
        let storage = try PostgresStorage(restricted, logger: messages.logger)
        for _ in 0..<2 {
            await #expect(throws: Failure.self) {
                try await storage.write { sql throws(Failure) in
                    _ = try sql.run("DO $$ BEGIN RAISE disk_full; END $$", [])
                }
            }
            try await storage.checkRoom()
        }
        #expect(messages.all.count { $0.contains("GRANT TEMPORARY") } == 1)
        try await storage.close()
        try await change("DROP ROLE without_tables", "GRANT TEMPORARY ON DATABASE %I TO PUBLIC")
        try await owner.close()
    }

    @Test func aPasswordIsReadFromAFileOfItsOwner() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var settings = ServerSettings.data(in: directory)
        _ = try ServerDirectory(path: directory)
        let file = directory + "/password"
        try Data("secret\n".utf8).write(to: URL(fileURLWithPath: file))
        settings.databasePasswordFile = file
        chmod(file, 0o644)
        let open = try OpenedServer(settings: settings)
        let failure = await #expect(throws: Failure.self) { try await open.storage.migrate() }
        #expect(failure.map { "\($0)".contains("chmod 600") } == true)
        chmod(file, 0o600)
        // The cluster asks for no password, and takes any.
        let closed = try OpenedServer(settings: settings)
        #expect(try await closed.storage.migrate().count == Migration.all.count)
        try await open.storage.close()
        try await closed.storage.close()
    }
}

/// Goal: processes of one schema meet on one channel, those of others on none of theirs. Method: names of schemas.
struct PostgresChannelTests {
    @Test func everyNameFits() {
        #expect(PostgresChannel.name(ofSchema: "public") == "tour_server_public")
        let long = String(repeating: "x", count: 51)
        #expect(PostgresChannel.name(ofSchema: long) == "tour_server_" + long, "as processes of older versions have it")
        let names = ["xx", "xy", "ğ"].map { PostgresChannel.name(ofSchema: long + $0) }
        #expect(Set(names).count == 3 && names.allSatisfy { $0.utf8.count == 44 && $0.hasPrefix("tour_server_") })
    }
}
