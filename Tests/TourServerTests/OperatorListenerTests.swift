import Foundation
import HTTPTypes
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: the operator's programs learn how the server is, at an address where nobody else comes and nothing else is.
/// Method: a whole server with such a listener, whose folders are taken away and whose limits are reached.
struct OperatorListenerTests {
    private static func run(
        change: (inout ServerSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            change: { settings in
                settings.operatorListener = ServerSettings.Listener(host: "127.0.0.1", port: 0)
                change(&settings)
            }, body)
    }

    @Test func theListenerHasItsRoutesAndNoOther() async throws {
        try await Self.run { server async throws in
            for path in ["/healthz", "/readyz", "/metrics"] {
                #expect(try await server.ask(path).status == 200, "\(path)")
                #expect(try await server.ask(path, .HEAD).body.isEmpty, "\(path)")
                #expect(try await server.ask(path, .POST).status == 405, "\(path)")
            }
            let own = ["/healthz", "/readyz", "/metrics"]
            for route in try ContractTests.parts().routes where !own.contains(route.path) {
                let method = HTTPMethod(rawValue: route.method.rawValue)
                #expect(try await server.ask(route.path, method).status == 404, "\(route.method) \(route.path)")
            }
            // The metrics are there alone.
            #expect(try await server.send(.GET, "/metrics").status == 404)
            #expect(try await server.send(.GET, "/readyz").status == 200)
        }
        try await RunningServer.run { server async throws in #expect(server.operatorPort == nil) }
    }

    /// Nobody's word is taken at the listener either.
    @Test func whatAProxySaysMakesNoDifference() async throws {
        try await Self.run(change: { $0.isBehindProxy = true }) { server async throws in
            let stranger = [("X-Forwarded-For", "203.0.113.7")]
            let port = try #require(server.operatorPort)
            let reply = try await server.send(.GET, "/metrics", headers: stranger, port: port)
            #expect(reply.status == 200)
        }
    }

    private struct Readiness: Decodable {
        struct Line: Decodable {
            var name: String
            var status: String
            var cause: String?
        }
        var status: String
        var checks: [Line]
    }

    @Test func aFolderThatIsGoneIsNamed() async throws {
        try await Self.run { server async throws in
            let whole: Readiness = try await server.ask("/readyz").decoded()
            #expect(whole.status == "ready" && whole.checks.allSatisfy { $0.status == "ok" && $0.cause == nil })
            #expect(whole.checks.map(\.name) == ["serving", "database", "schema", "disk", "blobs", "files", "tokens"])
            for name in ["blobs", "files"] {
                let (path, aside) = (server.directory + "/" + name, server.directory + "/aside")
                try FileManager.default.moveItem(atPath: path, toPath: aside)
                try await Self.expect(server, lacks: name)
                // An empty one in its place, as a disk leaves it that is not mounted any more.
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                try await Self.expect(server, lacks: name)
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: aside, toPath: path)
                #expect(try await server.repeats { try await server.ask("/readyz").status == 200 })
                #expect(try await server.ask("/metrics").text.contains("tour_server_ready{check=\"\(name)\"} 1\n"))
            }
        }
    }

    private static func expect(_ server: RunningServer, lacks name: String) async throws {
        // What was asked within the second before is answered as it was then.
        #expect(try await server.repeats { try await server.ask("/readyz").status == 503 }, "\(name)")
        let reply = try await server.ask("/readyz")
        let found: Readiness = try reply.decoded()
        let failed = found.checks.filter { $0.status != "ok" }
        #expect(reply.status == 503 && found.status == "not-ready")
        #expect(failed.map(\.name) == [name] && failed.first?.cause?.contains("/" + name) == true)
        // Everybody learns the check's name, and nothing of the machine.
        let told = try await server.send(.GET, "/readyz")
        #expect(told.status == 503 && told.code == "unavailable" && told.field == name)
        #expect(!told.text.contains(server.directory))
        #expect(try await server.ask("/metrics").text.contains("tour_server_ready{check=\"\(name)\"} 0\n"))
        #expect(try await server.ask("/healthz").status == 200)
    }

    @Test func aDatabaseOfAnEarlierFormIsNotReady() async throws {
        try await Self.run { server async throws in
            let storage = try TestDatabase.storage(of: server.directory)
            let last = try #require(Migration.all.last?.name)
            try await storage.write { sql throws(Failure) in
                try sql.run("DELETE FROM migrations WHERE name = $1", [.text(last)])
            }
            #expect(try await server.repeats { try await server.ask("/readyz").status == 503 })
            let found: Readiness = try await server.ask("/readyz").decoded()
            let failed = found.checks.filter { $0.status != "ok" }
            #expect(failed.map(\.name) == ["schema"] && failed.first?.cause?.contains(last) == true)
            // A later version's steps do no harm to a process that runs already.
            try await storage.write { sql throws(Failure) in
                try sql.run("INSERT INTO migrations (name) VALUES ($1)", [.text(last)])
                try sql.run("INSERT INTO migrations (name) VALUES ('later-1')", [])
            }
            #expect(try await server.repeats { try await server.ask("/readyz").status == 200 })
            try await storage.close()
        }
    }
}

/// Goal: what the metrics say is so, and no client has a hand in their names and labels.
/// Method: a whole server that is used, and its metrics, read back line by line.
struct MetricsTests {
    @Test func everyMetricIsShownOnceWithItsHelpAndType() async throws {
        try await RunningServer.run { server async throws in
            _ = try await Self.use(server)
            let text = try await server.send(.GET, "/metrics").text
            for metric in Metric.allCases {
                let isShown = text.contains("# TYPE \(metric.rawValue) \(metric.kind.rawValue)\n")
                switch metric {
                // Nothing was refused, and no backup made.
                case .refusals, .lastBackup: continue
                case _ where metric.isOfPostgres: #expect(isShown == TestDatabase.isPostgres, "\(metric.rawValue)")
                case _ where metric.isOfSQLite: #expect(isShown != TestDatabase.isPostgres, "\(metric.rawValue)")
                default: #expect(isShown, "\(metric.rawValue)")
                }
                #expect(text.matches(of: try Regex("# HELP \(metric.rawValue) ")).count <= 1)
            }
            let known = Set(Metric.allCases.flatMap(\.series))
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let name = String(line.prefix { $0 != "{" && $0 != " " })
                #expect(known.contains(name), "\(line)")
                #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
            }
        }
    }

    /// A dashboard or an alert by a wrong name shows nothing, for ever.
    @Test func dashboardsAndRulesNameWhatIsShown() throws {
        let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/operations")
        let known = Set(Metric.allCases.flatMap(\.series))
        for name in ["grafana.json", "prometheus-rules.yml", "prometheus-rules-test.yml"] {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let found = Set(text.matches(of: /\b(?:tour_server|process)_[a-z_]+\b/).map { String($0.0) })
            #expect(found.subtracting(known).sorted() == [], "\(name)")
            #expect(found.count > 5, "\(name)")
        }
    }

    @Test func figuresAreRight() async throws {
        try await RunningServer.run { server async throws in
            let token = try await Self.use(server)
            let text = try await server.send(.GET, "/metrics").text
            func value(_ series: String) -> Double? {
                text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
                    .flatMap { Double($0.dropFirst(series.count + 1)) }
            }
            #expect(value("tour_server_accounts") == 1 && value("tour_server_tours") == 0)
            #expect(value(#"tour_server_requests_total{method="POST",route="/notes",status="201"}"#) == 1)
            let route = #"method="POST",route="/notes""#
            #expect(value("tour_server_request_seconds_count{\(route)}") == 1)
            #expect(try #require(value("tour_server_request_seconds_sum{\(route)}")) > 0)
            // Each bound counts those below it too.
            let buckets = text.split(separator: "\n")
                .filter { $0.hasPrefix("tour_server_request_seconds_bucket{\(route)") }
                .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            #expect(buckets.count == 12 && buckets == buckets.sorted() && buckets.last == 1)
            #expect(try #require(value("tour_server_database_bytes")) > 4_096)
            #expect(try #require(value("tour_server_received_bytes_total")) > 200)
            #expect(try #require(value("tour_server_sent_bytes_total")) > 200)
            #expect(try #require(value("tour_server_connections")) >= 1)
            let (free, all) = (value("tour_server_disk_free_bytes"), value("tour_server_disk_bytes"))
            #expect(try #require(free) < (try #require(all)))
            #expect(try #require(value("process_start_time_seconds")) <= Date().timeIntervalSince1970 + 1)
            #expect(text.contains("tour_server_build_info{version=\""))
            #expect(!text.contains(token) && !text.contains("example.org"))
        }
    }

    @Test func refusalsAreCountedByTheirLimit() async throws {
        try await RunningServer.run { server async throws in
            var refused = 0
            for _ in 0..<30 {
                let reply = try await server.send(.POST, "/auth/login", #"{"email":"x@example.org","password":"y"}"#)
                refused += reply.status == 429 ? 1 : 0
            }
            #expect(refused > 0)
            let text = try await server.send(.GET, "/metrics").text
            let counted = text.matches(of: /tour_server_refusals_total\{limit="login-[a-z]+"\} (\d+)/)
                .reduce(0) { $0 + (Int($1.1) ?? 0) }
            #expect(counted == refused)
        }
    }

    @Test func theLastBackupIsKnown() async throws {
        // In a folder of its own: two backups into one at once are refused.
        let place = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try await RunningServer.run { server async throws in
            #expect(!(try await server.send(.GET, "/metrics").text.contains("last_backup")))
            let made = server.clock.now
            _ = try await ServerBackup.make(of: .data(in: server.directory), to: place, now: made)
            let text = try await server.send(.GET, "/metrics").text
            #expect(text.contains("tour_server_last_backup_timestamp_seconds \(made / 1_000_000)\n"))
        }
    }

    /// - Returns: the token of an account that has written a note.
    private static func use(_ server: RunningServer) async throws -> String {
        let token = try await server.newAccount("a@example.org").access_token
        _ = try await server.send(.POST, "/notes", token: token, #"{"title":"Ürgüp","content":""}"#)
        return token
    }
}
