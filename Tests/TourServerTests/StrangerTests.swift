import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: what strangers try in somebody's name, and have sent to somebody's phone, shuts nobody out, and costs the
/// operator no more than it said. Method: a whole server behind a proxy that says where each request comes from.
struct StrangerTests {
    private static let home = "203.0.113.1"
    private static let phone = "+905551112233"

    private static func run(
        smsPerDay: Int = ServerLimits.smsPerDay, _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            change: {
                $0.isBehindProxy = true
                $0.rules.smsCaps.perDay = smsPerDay
            }, body)
    }

    private static func post(
        _ path: String, _ body: String, from address: String, on server: RunningServer
    ) async throws -> Reply {
        try await server.send(.POST, path, body, headers: [("X-Forwarded-For", address)])
    }

    private static func logIn(_ password: String, from address: String, on server: RunningServer) async throws -> Int {
        let body = #"{"email":"a@example.org","password":"\#(password)"}"#
        return try await post("/auth/login", body, from: address, on: server).status
    }

    private static func ask(
        _ phone: String = phone, from address: String, on server: RunningServer
    ) async throws -> (status: Int, code: String) {
        let reply = try await post("/auth/sms/request", #"{"phone":"\#(phone)"}"#, from: address, on: server)
        return (reply.status, reply.status == 202 ? server.messages.lastCode ?? "" : "")
    }

    private static func verify(
        _ code: String, _ phone: String = phone, from address: String, on server: RunningServer
    ) async throws -> Int {
        try await post(
            "/auth/sms/verify", #"{"phone":"\#(phone)","code":"\#(code)"}"#, from: address, on: server
        ).status
    }

    private static func other(than code: String) -> String { code == "000000" ? "111111" : "000000" }

    /// Before a group comes to its hotel somebody was there, or nobody.
    enum Before: CaseIterable, Sendable {
        case theirGuide, nobody, aMember, aGuideOfTheDayBefore, aGuideNoMore, aDisabledGuide
    }

    @Test(arguments: Before.allCases)
    func aGroupLogsInWhereItsGuideIs(before: Before) async throws {
        try await Self.run { server async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            let door = try OpenedServer(settings: .data(in: server.directory))
            if before != .nobody {
                _ = try await Self.post("/auth/signup", body, from: Self.home, on: server)
                #expect(try await Self.logIn("correct horse", from: Self.home, on: server) == 200)
                if before != .aMember { try await door.setRole(.guide, of: "a@example.org", vouches: true) }
            }
            switch before {
            case .aGuideOfTheDayBefore: server.clock.advance(seconds: ServerLimits.guideAddressLifetime + 1)
            case .aGuideNoMore: try await door.setRole(.user, of: "a@example.org")
            case .aDisabledGuide:
                try await server.asOperator { _ = try await $0.setDisabled(true, "a@example.org") }
            case .theirGuide, .nobody, .aMember: break
            }
            try await door.storage.close()
            var loggedIn = 0
            for number in 0..<46 {
                let phone = "+9055511\(10_000 + number)"
                let (status, code) = try await Self.ask(phone, from: Self.home, on: server)
                guard status == 202 else { continue }
                #expect(try await Self.verify(code, phone, from: Self.home, on: server) == 200)
                loggedIn += 1
            }
            #expect(loggedIn == (before == .theirGuide ? 46 : 20))
            // There is an end, and another address gets nothing of it.
            let (room, other) = (before == .theirGuide ? 120 : 20, "198.51.100.1")
            for number in loggedIn..<130 {
                let (status, _) = try await Self.ask("+9055522\(10_000 + number)", from: Self.home, on: server)
                #expect(status == (number < room ? 202 : 429))
            }
            for number in 0..<25 {
                let (status, _) = try await Self.ask("+9055533\(10_000 + number)", from: other, on: server)
                #expect(status == (number < 20 ? 202 : 429))
            }
        }
    }

    @Test func wrongPasswordsOfStrangersShutNobodyOut() async throws {
        try await Self.run { server async throws in
            let body = #"{"email":"a@example.org","password":"correct horse"}"#
            #expect(try await Self.post("/auth/signup", body, from: Self.home, on: server).status == 201)
            #expect(try await Self.logIn("correct horse", from: Self.home, on: server) == 200)
            for _ in 0..<12 { _ = try await Self.logIn("wrong horse", from: "198.51.100.1", on: server) }
            #expect(try await Self.logIn("wrong horse", from: "198.51.100.1", on: server) == 429, "who tries is held")
            #expect(
                try await Self.logIn("correct horse", from: "203.0.113.2", on: server) == 200, "also where it is new")
            // Very many of them, from everywhere: the account's own places stay open, new ones wait.
            var statuses = Set<Int>()
            for number in 0..<120 {
                let address = "198.51.100.\(10 + number / 8)"
                statuses.insert(try await Self.logIn("wrong horse", from: address, on: server))
            }
            #expect(statuses == [401, 429])
            #expect(try await Self.logIn("correct horse", from: "203.0.113.9", on: server) == 429)
            #expect(try await Self.logIn("correct horse", from: Self.home, on: server) == 200)
            server.clock.advance(seconds: 10)
            #expect(try await Self.logIn("correct horse", from: "203.0.113.9", on: server) == 200)
        }
    }

    @Test func triesOfStrangersUseUpNobodysCode() async throws {
        try await Self.run { server async throws in
            let code = try await Self.ask(from: Self.home, on: server).code
            for _ in 0..<8 {
                let status = try await Self.verify(Self.other(than: code), from: "198.51.100.1", on: server)
                #expect(status == 401)
            }
            #expect(try await Self.verify(code, from: "198.51.100.2", on: server) == 401, "five of all strangers")
            #expect(try await Self.verify(code, from: Self.home, on: server) == 200)
        }
    }

    @Test func aCodeThatSomebodyElseAskedForReplacesNone() async throws {
        try await Self.run { server async throws in
            let own = try await Self.ask(from: Self.home, on: server).code
            let other = try await Self.ask(from: "198.51.100.1", on: server).code
            #expect(try await Self.verify(own, from: Self.home, on: server) == 200)
            if own != other {
                #expect(try await Self.verify(other, from: "198.51.100.1", on: server) == 401, "all end with a login")
            }
            // Who changes the network between the message and the login.
            let next = try await Self.ask(from: Self.home, on: server).code
            #expect(try await Self.verify(next, from: "192.0.2.7", on: server) == 200)
        }
    }

    @Test func aPhoneGetsFewMessagesInADay() async throws {
        try await Self.run { server async throws in
            var sent = 0
            for _ in 0..<24 * 12 {
                sent += try await Self.ask(from: "198.51.100.1", on: server).status == 202 ? 1 : 0
                server.clock.advance(seconds: 300)
            }
            #expect(sent == 11, "6, and one in 4 hours")
        }
    }

    @Test func strangersKeepNoMessageFromWhoIsKnown() async throws {
        try await Self.run { server async throws in
            let code = try await Self.ask(from: Self.home, on: server).code
            #expect(try await Self.verify(code, from: Self.home, on: server) == 200)
            for number in 0..<10 { _ = try await Self.ask(from: "198.51.100.\(number)", on: server) }
            #expect(try await Self.ask(from: "198.51.100.99", on: server).status == 429)
            let next = try await Self.ask(from: Self.home, on: server)
            #expect(next.status == 202)
            #expect(try await Self.verify(next.code, from: Self.home, on: server) == 200)
        }
    }

    private static func forget(_ phone: String, from address: String, on server: RunningServer) async throws -> Reply {
        try await post("/auth/password/forgot", #"{"phone":"\#(phone)"}"#, from: address, on: server)
    }

    /// Requests in nobody's name cost nothing; and whether anything is left tells nobody who has an account.
    @Test func namesThatNobodyHasUseUpNoMessages() async throws {
        try await Self.run(smsPerDay: 8) { server async throws in
            let code = try await Self.ask(from: Self.home, on: server).code
            #expect(try await Self.verify(code, from: Self.home, on: server) == 200)
            let unknown = try await Self.forget("+905550000000", from: "198.51.100.1", on: server)
            for number in 1..<20 {
                let reply = try await Self.forget("+9055500000\(10 + number)", from: "198.51.100.\(number)", on: server)
                #expect(reply.status == 202)
            }
            let sent = server.messages.allTexts.count
            // The second of two that strangers have, and then none: both are answered as before.
            for number in 0..<2 {
                let reply = try await Self.forget(Self.phone, from: "192.0.2.\(number)", on: server)
                #expect(reply.status == unknown.status && reply.body == unknown.body)
                #expect(try await server.repeats { server.messages.allTexts.count == sent + 1 })
            }
            #expect(
                try await server.repeats {
                    server.messages.all.contains { $0.hasPrefix("a code for a new password could not be sent") }
                })
            #expect(server.messages.allTexts.count == sent + 1)
            let refused = server.messages.all.filter { $0.hasPrefix("a code for a new password could not be sent") }
            #expect(refused.allSatisfy { !$0.contains(Self.phone) })
        }
    }

    @Test func theServerSendsNoMoreThanItsOperatorSaid() async throws {
        try await Self.run(smsPerDay: 20) { server async throws in
            let code = try await Self.ask(from: Self.home, on: server).code
            #expect(try await Self.verify(code, from: Self.home, on: server) == 200)
            var sent = 0
            for number in 0..<20 {
                let phone = "+9055500000\(10 + number)"
                sent += try await Self.ask(phone, from: "198.51.100.\(number)", on: server).status == 202 ? 1 : 0
            }
            #expect(sent == 4, "a quarter of twenty, one of which is gone")
            #expect(
                try await Self.ask(from: Self.home, on: server).status == 202, "who is known has a share of their own")
            var day = sent + 2
            for minute in 0..<24 * 60 {
                server.clock.advance(seconds: 60)
                let phone = "+90556000\(1_000 + minute)"
                day += try await Self.ask(phone, from: "198.51.100.1", on: server).status == 202 ? 1 : 0
                guard minute % 10 == 0 else { continue }
                day += try await Self.ask(from: Self.home, on: server).status == 202 ? 1 : 0
            }
            #expect(day <= 20, "\(day) in 24 hours")
            server.clock.advance(seconds: 86_400 / 5)
            #expect(try await Self.ask("+905550000050", from: "198.51.100.1", on: server).status == 202)
        }
    }
}
