import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import Testing
import TourModel
import TourServer

/// Goal: the operator's bans refuse whom they are of and nobody else, in every process, and end.
/// Method: a whole server behind a proxy that says where each request comes from, and the operator's commands beside
/// it; its clock, by which it reads bans again, is the test's.
struct BanTests {
    private static let email = "a@example.org"
    private static let phone = "+905551112233"

    private static func run(
        change: (inout ServerSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            change: {
                $0.isBehindProxy = true
                change(&$0)
            }, body)
    }

    /// - Parameter seconds: until it ends.
    private static func ban(_ name: String, on server: RunningServer, seconds: Int64? = nil) async throws {
        let end = seconds.map { server.clock.now + $0 * 1_000_000 }
        _ = try await server.asOperator { try await $0.ban(name, endsAt: end) }
        letItRead(server)
    }

    private static func unban(_ name: String, on server: RunningServer) async throws {
        _ = try await server.asOperator { try await $0.unban(name) }
        letItRead(server)
    }

    private static func letItRead(_ server: RunningServer) {
        server.clock.advance(seconds: ServerLimits.bansInterval / 1_000_000)
    }

    /// - Parameter client: as the proxy writes it.
    private static func ask(
        _ method: HTTPMethod = .GET, _ path: String = "/openapi.yaml", from client: String, on server: RunningServer
    ) async throws -> Reply {
        try await server.send(method, path, headers: [("X-Forwarded-For", client)])
    }

    private static let clients: [(ban: String, client: String, isRefused: Bool)] = [
        ("198.51.100.7", "198.51.100.7", true), ("198.51.100.7", "198.51.100.8", false),
        ("198.51.100.7", "198.51.100.7:4711", true), ("198.51.100.7", "198.51.100.7, 203.0.113.1", false),
        ("198.51.100.0/24", "198.51.100.255", true), ("198.51.100.0/24", "198.51.101.0", false),
        ("198.51.100.0/23", "198.51.101.0", true), ("198.51.100.7", "::ffff:198.51.100.7", true),
        ("::ffff:198.51.100.7", "198.51.100.7", true), ("::ffff:198.51.100.0/120", "198.51.100.9", true),
        ("::ffff:198.51.100.0/120", "198.51.101.9", false), ("2001:db8::/32", "2001:db8:1::5", true),
        ("2001:db8::/32", "2001:db9::5", false), ("2001:db8:0:1::/64", "2001:db8:0:2::1", false),
        ("2001:db8::1", "2001:db8::2", false), ("2001:db8::1", "\"[2001:db8::1]:99\"", true),
        ("198.51.100.0/24", "2001:db8::1", false), ("198.51.100.0/24", "nobody", false),
    ]

    @Test func addressesAndNetworksAreRefused() async throws {
        try await Self.run { server async throws in
            for (ban, client, isRefused) in Self.clients {
                try await Self.ban(ban, on: server)
                let reply = try await Self.ask(from: client, on: server)
                #expect(reply.status == (isRefused ? 403 : 200), "\(client) by a ban of \(ban)")
                #expect(reply.code == (isRefused ? "banned" : nil))
                try await Self.unban(ban, on: server)
                #expect(try await Self.ask(from: client, on: server).status == 200, "\(client), unbanned")
            }
        }
    }

    @Test func aBannedAddressReachesNothingButProbes() async throws {
        try await Self.run { server async throws in
            let client = "198.51.100.7"
            try await Self.ban(client, on: server)
            for (method, path) in [(HTTPMethod.POST, "/auth/anonymous"), (.GET, "/notes"), (.GET, "/auth/me")] {
                #expect(try await Self.ask(method, path, from: client, on: server).code == "banned", "\(path)")
            }
            for path in ["/healthz", "/readyz"] {
                #expect(try await Self.ask(.GET, path, from: client, on: server).status == 200, "\(path)")
            }
            #expect(try await server.send(.GET, "/metrics").text.contains(#"limit="bans"} 3"#))
        }
    }

    @Test(
        arguments: [
            ("203.0.113.7/24", "203.0.113.0/24"), ("203.0.113.7/32", "203.0.113.7"), ("10.1.2.3/8", "10.0.0.0/8"),
            ("2001:DB8:0::1", "2001:db8::1"), ("2001:db8::1/16", "2001::/16"),
            ("::ffff:203.0.113.7", "203.0.113.7"), ("::FFFF:203.0.113.0/120", "203.0.113.0/24"),
            (" A@Example.org", "a@example.org"), ("+90 555 111 22 33", "+905551112233"), ("17", "17"),
        ])
    func targetsHaveOneForm(written: String, text: String) throws {
        #expect(try BanTarget(written).text == text)
        #expect(try BanTarget(text) == BanTarget(written))
    }

    /// A network of everybody is mistyped, whichever way it is written.
    @Test(
        arguments: [
            "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "::ffff:0.0.0.0/103", "0.0.0.0/7", "2001::/15", "::/1",
            "203.0.113.1/33", "203.0.113.1/", "203.0.113.1/-8", "203.0.113.1/8/8", "203.0.113", "2001:db8::/129",
            "2001:db8::%1", "", "0", "-1", "+17", "x", "a@b@c", "٣", "203.0.113.1\u{0}",
        ])
    func otherTargetsAreRefused(written: String) {
        let failure = #expect(throws: Failure.self) { _ = try BanTarget(written) }
        #expect(failure?.code == .invalidField && failure?.field == "target")
    }

    /// Requests by which a contact signs up, logs in, gets a code, or comes to an account.
    private static let byContacts: [(method: HTTPMethod, path: String, body: String)] = [
        (.POST, "/auth/signup", #"{EMAIL,"password":"correct horse"}"#),
        (.POST, "/auth/login", #"{EMAIL,"password":"correct horse"}"#),
        (.POST, "/auth/password/forgot", "{EMAIL}"), (.POST, "/auth/password/forgot", "{PHONE}"),
        (.POST, "/auth/password/reset", #"{EMAIL,"code":"123456","password":"correct horse"}"#),
        (.POST, "/auth/password/reset", #"{PHONE,"code":"123456","password":"correct horse"}"#),
        (.POST, "/auth/sms/request", "{PHONE}"), (.POST, "/auth/sms/verify", #"{PHONE,"code":"123456"}"#),
        (.PUT, "/auth/me/phone", #"{PHONE,"code":"123456"}"#), (.POST, "/auth/me/email", "{EMAIL}"),
        (.PUT, "/auth/me/email", #"{EMAIL,"code":"123456"}"#),
    ]

    private static func body(_ pattern: String, email: String, phone: String) -> String {
        pattern.replacing("EMAIL", with: #""email":"\#(email)""#).replacing("PHONE", with: #""phone":"\#(phone)""#)
    }

    @Test func contactsAreRefused() async throws {
        try await Self.run { server async throws in
            let token = try await server.newAccount("c@example.org").access_token
            try await Self.ban(Self.email, on: server)
            try await Self.ban(Self.phone, on: server)
            for (method, path, pattern) in Self.byContacts {
                let own = path.contains("/me/") ? token : nil
                let banned = Self.body(pattern, email: Self.email.uppercased(), phone: Self.phone)
                let refused = try await server.send(method, path, token: own, banned)
                #expect(refused.status == 403 && refused.code == "banned", "\(path) \(pattern)")
            }
            #expect(server.messages.allTexts.isEmpty && server.messages.mailedCodes(Self.email).isEmpty)
            for (method, path, pattern) in Self.byContacts {
                let own = path.contains("/me/") ? token : nil
                let other = Self.body(pattern, email: "b@example.org", phone: "+905551112244")
                #expect(try await server.send(method, path, token: own, other).code != "banned", "\(path) \(pattern)")
            }
            #expect(try await server.tables(holding: Self.email) == ["bans"], "the audit log has no contact")
            try await Self.unban(Self.email, on: server)
            #expect(try await server.newAccount(Self.email).token_type == "bearer")
        }
    }

    @Test func anAccountIsRefusedUntilItIsUnbanned() async throws {
        try await Self.run { server async throws in
            let tokens = try await server.newAccount(Self.email)
            let other = try await server.newAccount("b@example.org")
            func refresh() async throws -> Reply {
                try await server.send(.POST, "/auth/refresh", #"{"refresh_token":"\#(tokens.refresh_token)"}"#)
            }
            try await Self.ban("1", on: server)
            for path in ["/auth/me", "/notes", "/groups"] {
                let refused = try await server.send(.GET, path, token: tokens.access_token)
                #expect(refused.status == 403 && refused.code == "banned", "\(path)")
            }
            #expect(try await server.logIn(Self.email).code == "banned")
            #expect(try await server.logIn(Self.email, password: "wrong horse").code == "bad-credentials")
            #expect(try await refresh().code == "banned")
            #expect(try await server.send(.GET, "/auth/me", token: other.access_token).status == 200)
            // Whoever lends the device to another account still has the old token in it.
            #expect(try await server.send(.POST, "/auth/anonymous", token: tokens.access_token).status == 201)
            try await Self.unban("1", on: server)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 200)
            #expect(try await refresh().status == 200, "the ban did not use the token up")
        }
    }

    @Test func aCodeByTextMessageLogsABannedAccountInOnlyOnceItIsUnbanned() async throws {
        try await Self.run { server async throws in
            func verify(_ code: String) async throws -> Reply {
                try await server.send(.POST, "/auth/sms/verify", #"{"phone":"\#(Self.phone)","code":"\#(code)"}"#)
            }
            #expect(try await verify(try await server.code(for: Self.phone)).status == 200)
            try await Self.ban("1", on: server)
            server.clock.advance(seconds: 600)
            let code = try await server.code(for: Self.phone)
            #expect(try await verify(code).code == "banned")
            try await Self.unban("1", on: server)
            #expect(try await verify(code).status == 200)
        }
    }

    @Test func aBanEnds() async throws {
        try await Self.run { server async throws in
            let client = "198.51.100.7"
            try await Self.ban(client, on: server, seconds: 60)
            #expect(try await Self.ask(from: client, on: server).code == "banned")
            server.clock.advance(seconds: 39)
            #expect(try await Self.ask(from: client, on: server).code == "banned")
            server.clock.advance(seconds: 1)
            #expect(try await Self.ask(from: client, on: server).status == 200)
            #expect(try await server.asOperator { try await $0.bans(limit: 10) }.rows.isEmpty)
            let past = server.clock.now
            let failure = await #expect(throws: Failure.self) {
                try await server.asOperator { _ = try await $0.ban(client, endsAt: past) }
            }
            #expect(failure?.field == "until")
        }
    }

    @Test func theOperatorSeesBansAndTheAuditLogNamesNobody() async throws {
        try await Self.run { server async throws in
            _ = try await server.newAccount("c@example.org")
            let end = server.clock.now + 60_000_000
            let bans = try await server.asOperator { server in
                let first = try await server.ban(Self.email, reason: "spam")
                _ = try await server.ban("198.51.100.0/24", endsAt: end)
                _ = try await server.ban("1")
                let again = try await server.ban(Self.email.uppercased(), endsAt: end)
                #expect(first.isNew && !again.isNew && first.ban.number == again.ban.number)
                return try await server.bans(limit: 3)
            }
            #expect(!bans.hasMore && bans.rows.map(\.target.text) == ["1", "198.51.100.0/24", Self.email])
            #expect(bans.rows.map(\.reason) == [nil, nil, nil] && bans.rows.map(\.endsAt) == [nil, end, end])
            let audit = try await server.asOperator { server in
                _ = try await server.unban(Self.email)
                return try await server.audit(limit: 5)
            }.rows
            #expect(audit.map(\.action) == ["ban-lifted", "ban-set", "ban-set", "ban-set", "ban-set"])
            #expect(
                audit.map(\.detail) == [
                    "1 contact", "1 contact until 2026-06-01T00:01:00Z", "3 account",
                    "2 network until 2026-06-01T00:01:00Z", "1 contact",
                ])
            #expect(audit.map(\.account) == [nil, nil, 1, nil, nil])
            // With the account its own ban goes.
            _ = try await server.asOperator { try await $0.deleteAccount("1") }
            let left = try await server.asOperator { try await $0.bans(limit: 3) }.rows
            #expect(left.map(\.target.text) == ["198.51.100.0/24"])
            for missing in ["1", Self.email] {
                let failure = await #expect(throws: Failure.self) {
                    try await server.asOperator { _ = try await $0.unban(missing) }
                }
                #expect(failure?.code == .notFound)
            }
            let nobody = await #expect(throws: Failure.self) {
                try await server.asOperator { _ = try await $0.ban("1") }
            }
            #expect(nobody?.code == .notFound)
            for reason in ["", "two\nlines", String(repeating: "x", count: ServerLimits.banReasonCharactersMax + 1)] {
                let failure = await #expect(throws: Failure.self) {
                    try await server.asOperator { _ = try await $0.ban("198.51.100.1", reason: reason) }
                }
                #expect(failure?.field == "reason")
            }
        }
    }

    @Test func anOpenStreamEnds() async throws {
        try await Self.run(change: { $0.patience.live = .milliseconds(100) }) { server async throws in
            let tour = SampleTour()
            let account = try await server.newGuide().access_token
            _ = try await server.found(tour, token: account)
            let client = try await RawClient(server.port)
            let request = "GET /groups/\(tour.id.hex)/live HTTP/1.1\r\nHost: localhost\r\n"
            try client.write(request + "X-Forwarded-For: 198.51.100.7\r\nAuthorization: Bearer \(account)\r\n\r\n")
            #expect(await client.read(until: ": listening").hasPrefix("HTTP/1.1 200"))
            try await Self.ban("198.51.100.0/24", on: server)
            let end = "0\r\n\r\n"
            #expect(await client.read(until: end).hasSuffix(end))
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres, "no PostgreSQL is named"))
    func everyProcessFollows() async throws {
        try await Self.run { first async throws in
            let directory = first.directory
            try await Self.run(
                change: { ($0.dataDirectory, $0.database) = (directory, TestDatabase.name(of: directory)) }
            ) { second async throws in
                let client = "198.51.100.7"
                for server in [first, second] { #expect(try await Self.ask(from: client, on: server).status == 200) }
                try await Self.ban(client, on: first)
                Self.letItRead(second)
                for server in [first, second] { #expect(try await Self.ask(from: client, on: server).code == "banned") }
                try await Self.unban(client, on: first)
                Self.letItRead(second)
                for server in [first, second] { #expect(try await Self.ask(from: client, on: server).status == 200) }
            }
        }
    }
}
