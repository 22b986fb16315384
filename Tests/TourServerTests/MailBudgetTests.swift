import Foundation
import NIOHTTP1
import ServerRequests
import Testing
import TourServer

/// Goal: strangers who have mail sent to addresses that they make up keep no code and no notice from the server's
/// users, and one network of theirs gets as much as a few clients. Method: a whole server behind a proxy that says
/// where each request comes from, and the attack as it was played once.
struct MailBudgetTests {
    private static let home = "203.0.113.1"

    private static func run(_ body: @escaping @Sendable (RunningServer) async throws -> Void) async throws {
        try await RunningServer.run(change: { $0.isBehindProxy = true }, body)
    }

    private static func post(
        _ path: String, _ body: String? = nil, token: String? = nil, from address: String, on server: RunningServer
    ) async throws -> Reply {
        try await server.send(.POST, path, token: token, body, headers: [("X-Forwarded-For", address)])
    }

    private static func logIn(_ email: String, on server: RunningServer) async throws -> String {
        let body = #"{"email":"\#(email)","password":"correct horse"}"#
        _ = try await post("/auth/signup", body, from: home, on: server)
        let tokens: Tokens = try await post("/auth/login", body, from: home, on: server).decoded()
        return tokens.access_token
    }

    private static func codes(_ email: String, after count: Int, on server: RunningServer) async throws -> Bool {
        try await server.repeats { server.messages.mailedCodes(email).count > count }
    }

    /// Strangers use up all that they may request, each from a network of its own. Each signup has a code mailed.
    private static func useUpTheShareOfStrangers(on server: RunningServer) async throws {
        @Sendable func isUsedUp() -> Bool {
            server.messages.all.contains { $0.hasPrefix("a new account's address could not be written to") }
        }
        for number in 0..<2_100 where !isUsedUp() {
            let body = #"{"email":"made-up-\#(number)@example.org","password":"correct horse"}"#
            let address = "2001:db8:\(String(number, radix: 16))::1"
            #expect(try await post("/auth/signup", body, from: address, on: server).status == 201)
        }
        #expect(try await server.repeats { isUsedUp() })
        #expect(try await server.repeats { server.messages.allMails.count >= 2_000 })
    }

    @Test func strangersKeepNoMailFromOwners() async throws {
        try await Self.run { server async throws in
            let (proven, unproven) = ("proven@example.org", "unproven@example.org")
            let token = try await Self.logIn(proven, on: server)
            try await server.prove(proven, token: token)
            _ = try await Self.logIn(unproven, on: server)
            server.clock.advance(seconds: 2 * 86_400)
            let late = try await Self.logIn(unproven, on: server)
            try await Self.useUpTheShareOfStrangers(on: server)
            let stranger: Tokens = try await Self.post("/auth/anonymous", from: "192.0.2.1", on: server).decoded()
            let refused = try await Self.post(
                "/auth/me/email", #"{"email":"x@example.org"}"#, token: stranger.access_token, from: "192.0.2.1",
                on: server)
            #expect(refused.status == 429)

            var count = server.messages.mailedCodes(unproven).count
            #expect(
                try await Self.post("/auth/email/request", token: late, from: Self.home, on: server).status == 202)
            #expect(try await Self.codes(unproven, after: count, on: server))
            // A new password, where the account is known and where it is not.
            for address in [Self.home, "192.0.2.7"] {
                count = server.messages.mailedCodes(proven).count
                let named = #"{"email":"\#(proven)"}"#
                #expect(try await Self.post("/auth/password/forgot", named, from: address, on: server).status == 202)
                #expect(try await Self.codes(proven, after: count, on: server), "from \(address)")
            }
            let code = server.messages.mailedCodes(proven).last ?? ""
            let body = #"{"email":"\#(proven)","code":"\#(code)","password":"battery staple"}"#
            #expect(
                try await Self.post("/auth/password/reset", body, from: "192.0.2.7", on: server).status == 204)
            #expect(try await server.repeats { server.messages.allMails.contains { $0.contains("was set anew") } })
        }
    }

    /// Accounts that somebody has just made, with addresses of its own making, count among strangers everywhere.
    @Test func freshAccountsAreStrangers() async throws {
        try await Self.run { server async throws in
            let fresh = try await Self.logIn("fresh@example.org", on: server)
            try await Self.useUpTheShareOfStrangers(on: server)
            #expect(
                try await Self.post("/auth/email/request", token: fresh, from: Self.home, on: server).status == 429)
        }
    }

    @Test func oneAccountRequestsFewAnHour() async throws {
        try await Self.run { server async throws in
            let token = try await Self.logIn("a@example.org", on: server)
            var statuses = [Int]()
            for number in 0..<7 {
                let reply = try await Self.post(
                    "/auth/me/email", #"{"email":"x\#(number)@example.org"}"#, token: token,
                    from: "198.51.100.\(number)", on: server)
                statuses.append(reply.status)
            }
            #expect(statuses == [202, 202, 202, 202, 202, 429, 429])
        }
    }

    /// Each client of a household has an address with other first 64 bits, whatever it asks for.
    @Test(arguments: [
        ("/auth/login", 20), ("/auth/password/forgot", 20), ("/auth/sms/request", 20), ("/auth/anonymous", 60),
        ("/auth/sms/verify", 60), ("/auth/password/reset", 20),
    ])
    func aHouseholdIsAFewClients(path: String, burst: Int) async throws {
        try await Self.run { server async throws in
            func taken(_ count: Int, _ address: (Int) -> String) async throws -> Int {
                var taken = 0
                for number in 0..<count {
                    let body = path == "/auth/anonymous" ? nil : "{}"
                    let reply = try await Self.post(path, body, from: address(number), on: server)
                    taken += reply.status == 429 ? 0 : 1
                }
                return taken
            }
            let digits = { (number: Int) in String(number, radix: 16) }
            let household = try await taken(4 * burst + 10) { "2001:db8:1:\(digits(0x400 + $0))::1" }
            #expect(household == 4 * burst)
            #expect(try await taken(1) { _ in "2001:db8:1:4fff::1" } == 1, "another household at the same provider")
            guard path == "/auth/login" else { return }
            #expect(
                try await taken(16 * burst) { "2001:db8:1:\(digits(0x1000 + 256 * ($0 % 200)))::\(digits($0))" }
                    == 16 * burst - 4 * burst - 1, "one company")
            #expect(try await taken(1) { _ in "2001:db8:2::1" } == 1)
        }
    }
}
