import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: what text messages cost in a day stays within what the operator said, of all countries together and of each;
/// the operator hears of it before it is used up. Method: a whole server behind a proxy that says where each request
/// comes from, and the operator's view beside it.
struct SMSBudgetTests {
    private static let home = "203.0.113.1"

    /// - Parameter directory: of an earlier server; nil: a new one.
    private static func run(
        _ prefixes: [String], perDay: Int = 100, in directory: String? = nil,
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let caps = try #require(SMSCaps(perDay: perDay, prefixes: prefixes))
        try await RunningServer.run(
            change: {
                if let directory { ($0.dataDirectory, $0.database) = (directory, TestDatabase.name(of: directory)) }
                $0.isBehindProxy = true
                $0.rules.smsCaps = caps
            }, body)
    }

    private static func ask(_ phone: String, from address: String, on server: RunningServer) async throws -> Reply {
        try await server.send(
            .POST, "/auth/sms/request", #"{"phone":"\#(phone)"}"#, headers: [("X-Forwarded-For", address)])
    }

    /// Asks for codes to other numbers of one country, each from another address.
    private static func sent(
        _ count: Int, to prefix: String, on server: RunningServer, from first: Int = 0
    ) async throws -> Int {
        var sent = 0
        for number in first..<first + count {
            let reply = try await ask("\(prefix)\(1_000_000 + number)", from: "198.51.100.\(number)", on: server)
            #expect(reply.status == 202 || (reply.status == 429 && reply.code == "too-many-requests"))
            sent += reply.status == 202 ? 1 : 0
        }
        return sent
    }

    private static func spent(_ server: RunningServer, days: Int = 1) async throws -> [String] {
        try await server.asOperator { try await $0.textMessages(ofDays: days, limit: 100) }.rows.map {
            "\($0.date) \($0.prefix ?? "all") \($0.known)+\($0.strangers) of \($0.cap)"
        }
    }

    @Test(
        arguments: [
            ("+905551112233", "90"), ("+12125551234", "1"), ("+18765551234", "1876"), ("+79161234567", "7"),
            ("+77011234567", "77"), ("+447911123456", "44"), ("+9607771234", "960"), ("+88213123456", "882"),
        ])
    func numbersAreOfACountry(number: String, prefix: String) throws {
        let phone = try #require(PhoneNumber(number))
        #expect(CountryPrefix(of: phone).digits == prefix)
        #expect(CountryPrefix("+" + prefix) == CountryPrefix(of: phone))
    }

    @Test func capsAreReadAsTheOperatorWritesThem() throws {
        let caps = try #require(SMSCaps(perDay: 500, prefixes: ["50", "90=400", "+979=0"]))
        #expect(caps.perDay == 500 && caps.perPrefix == 50 && caps.ofPrefixes.count == 2)
        for wrong in [["x"], ["-1"], ["1", "2"], ["9=5"], ["905=5"], ["90=5", "+90=6"], ["90="], ["90=1=2"], [""]] {
            #expect(SMSCaps(perDay: 500, prefixes: wrong) == nil, "\(wrong)")
        }
        for wrong in ["", "0", "09", "9", "900", "12345", "+", "٩٠"] {
            #expect(CountryPrefix(wrong) == nil, "\(wrong)")
        }
    }

    /// Many messages to one dear country cost no more than its cap, and neither other countries nor those who are
    /// known there wait for the next day.
    @Test func aCountryHasItsCap() async throws {
        try await Self.run(["6", "882=0"]) { server async throws in
            let phone = "+9607770000"
            #expect(try await Self.ask(phone, from: Self.home, on: server).status == 202)
            let code = #"{"phone":"\#(phone)","code":"\#(server.messages.lastCode ?? "")"}"#
            let login = try await server.send(
                .POST, "/auth/sms/verify", code, headers: [("X-Forwarded-For", Self.home)])
            #expect(login.status == 200)
            #expect(try await Self.sent(6, to: "+960", on: server) == 2, "half of six, one of which is gone")
            let refused = try await Self.ask("+9601234567", from: "192.0.2.1", on: server)
            #expect(refused.status == 429 && refused.headers.first(name: "Retry-After") == "86401")
            #expect(try await Self.sent(3, to: "+90555", on: server) == 3)
            #expect(try await Self.sent(1, to: "+8821", on: server) == 0, "none at all")
            #expect(try await Self.ask(phone, from: Self.home, on: server).status == 202, "a known address")
            #expect(
                try await Self.spent(server) == [
                    "2026-06-01 all 1+6 of 100", "2026-06-01 +960 1+3 of 6", "2026-06-01 +90 0+3 of 6",
                ])
            let metrics = try await server.send(.GET, "/metrics").text
            #expect(metrics.contains(#"tour_server_sms_used_ratio{share="prefix"} 1.0"#))
            #expect(metrics.contains(#"tour_server_refusals_total{limit="sms-prefix"} 6"#))
            server.clock.advance(seconds: 86_400)
            #expect(try await Self.sent(4, to: "+960", on: server, from: 100) == 3)
            #expect(try await Self.spent(server) == ["2026-06-02 all 0+3 of 100", "2026-06-02 +960 0+3 of 6"])
            #expect(try await Self.spent(server, days: 2).count == 5)
            // The database knows no number.
            #expect(try await server.tables(holding: "9607770000").isDisjoint(with: ["sms_spent"]))
        }
    }

    @Test func theOperatorIsWarnedOnceADay() async throws {
        @Sendable func warnings(_ server: RunningServer) -> [String] {
            server.messages.all.filter { $0.hasPrefix("80 % of the text messages") }
                .compactMap { $0.split(separator: "share=").last.map(String.init) }
        }
        try await Self.run(["90=20"], perDay: 40) { server async throws in
            #expect(try await Self.sent(7, to: "+90555", on: server) == 7)
            #expect(warnings(server) == [])
            // The eighth of the ten that strangers may have sent at once, and of ten to this country.
            #expect(try await Self.sent(3, to: "+90555", on: server, from: 50) == 3)
            #expect(warnings(server) == ["+90 strangers", "strangers"])
            server.clock.advance(seconds: 3 * 86_400)
            #expect(try await Self.sent(10, to: "+90555", on: server, from: 100) == 10)
            #expect(warnings(server) == ["+90 strangers", "strangers", "+90 strangers", "strangers"])
        }
    }

    /// A message that the server's own limit refuses is not counted to its country.
    @Test func aRefusedMessageCountsNowhere() async throws {
        try await Self.run(["90=20"], perDay: 8) { server async throws in
            #expect(try await Self.sent(20, to: "+90555", on: server) == 2)
            #expect(try await Self.spent(server) == ["2026-06-01 all 0+2 of 8", "2026-06-01 +90 0+2 of 20"])
        }
    }

    /// What a country's cap refuses leaves the phone its own allowance, for when there is room again.
    @Test func aRefusalUsesUpNothingOfThePhones() async throws {
        try await Self.run(["6"]) { server async throws in
            // A minute before midnight: the phone's own limits regain nothing until then.
            server.clock.advance(seconds: 86_340)
            #expect(try await Self.sent(3, to: "+960", on: server) == 3)
            for _ in 1...4 {
                let refused = try await Self.ask("+9607770000", from: Self.home, on: server)
                #expect(refused.status == 429 && refused.headers.first(name: "Retry-After") == "61")
            }
            server.clock.advance(seconds: 60)
            for _ in 1...3 { #expect(try await Self.ask("+9607770000", from: Self.home, on: server).status == 202) }
            #expect(try await Self.spent(server) == ["2026-06-02 all 0+3 of 100", "2026-06-02 +960 0+3 of 6"])
        }
    }

    @Test func aRestartForgivesNothing() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for expected in [3, 0] {
            try await Self.run(["6"], in: directory) { server async throws in
                #expect(try await Self.sent(5, to: "+960", on: server, from: expected * 10) == expected)
            }
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres, "no PostgreSQL is named"))
    func processesShareTheCaps() async throws {
        try await Self.run(["20"]) { first async throws in
            try await Self.run(["20"], in: first.directory) { second async throws in
                let sent = try await withThrowingTaskGroup(of: Int.self) { tasks in
                    for (number, server) in [first, second, first, second].enumerated() {
                        tasks.addTask { try await Self.sent(10, to: "+960", on: server, from: number * 20) }
                    }
                    return try await tasks.reduce(0, +)
                }
                #expect(sent == 10)
            }
        }
    }

    @Test func oldDaysGo() async throws {
        try await Self.run([]) { server async throws in
            #expect(try await Self.sent(1, to: "+90555", on: server) == 1)
            let storage = try TestDatabase.storage(of: server.directory)
            for (days, left) in [(ServerLimits.smsSpendingDays - 1, Int64(2)), (ServerLimits.smsSpendingDays, 0)] {
                let now = server.clock.now + days * 86_400 * 1_000_000
                try await storage.write { sql throws(Failure) in try SMSSpending(sql: sql).sweep(now: now) }
                #expect(try await server.rowCounts(["sms_spent"]) == ["sms_spent": left])
            }
            try await storage.close()
        }
    }
}
