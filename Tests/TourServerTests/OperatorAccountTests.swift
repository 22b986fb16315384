import Foundation
import NIOHTTP1
import ServerAccounts
import ServerBase
import ServerStorage
import Testing
import TourServer

/// Goal: the operator disables, resets and deletes accounts while the server runs, which follows at once.
/// Method: a whole server over HTTP, and the operator's commands beside it on the same database.
struct OperatorAccountTests {
    private static let email = "a@example.org"

    private static func refresh(_ tokens: Tokens, on server: RunningServer) async throws -> Reply {
        try await server.send(.POST, "/auth/refresh", #"{"refresh_token":"\#(tokens.refresh_token)"}"#)
    }

    @Test func aDisabledAccountIsRefusedUntilItIsEnabled() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount(Self.email)
            let other = try await server.newAccount("b@example.org")
            let (disabled, isChange) = try await server.asOperator { try await $0.setDisabled(true, Self.email) }
            #expect(isChange && disabled.disabledAt != nil && disabled.sessions == 0)
            for path in ["/auth/me", "/notes", "/groups", "/auth/sessions"] {
                let refused = try await server.send(.GET, path, token: tokens.access_token)
                #expect(refused.status == 403 && refused.code == "account-disabled", "\(path)")
            }
            #expect(try await Self.refresh(tokens, on: server).code == "bad-refresh-token")
            let login = try await server.logIn(Self.email)
            #expect(login.status == 403 && login.code == "account-disabled")
            // Only whoever has the password learns it.
            #expect(try await server.logIn(Self.email, password: "wrong horse").code == "bad-credentials")
            #expect(try await server.send(.GET, "/auth/me", token: other.access_token).status == 200)
            // Whoever lends the device to another account still has the old token in it.
            #expect(try await server.send(.POST, "/auth/anonymous", token: tokens.access_token).status == 201)
            let again = try await server.asOperator { try await $0.setDisabled(true, String(disabled.id)) }
            #expect(!again.isChange)
            let (enabled, _) = try await server.asOperator { try await $0.setDisabled(false, Self.email) }
            #expect(enabled.disabledAt == nil)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 401, "it ended")
            let new: Tokens = try await server.logIn(Self.email).decoded()
            #expect(try await server.send(.GET, "/auth/me", token: new.access_token).status == 200)
        }
    }

    @Test func aCodeByTextMessageLogsADisabledAccountInOnlyOnceItIsEnabled() async throws {
        try await RunningServer.run { server async throws in
            let phone = "+905551112233"
            func verify(_ code: String) async throws -> Reply {
                try await server.send(.POST, "/auth/sms/verify", #"{"phone":"\#(phone)","code":"\#(code)"}"#)
            }
            let tokens: Tokens = try await verify(try await server.code(for: phone)).decoded()
            _ = try await server.asOperator { try await $0.setDisabled(true, phone) }
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).code == "account-disabled")
            server.clock.advance(seconds: 600)
            let code = try await server.code(for: phone)
            #expect(try await verify(code).code == "account-disabled")
            _ = try await server.asOperator { try await $0.setDisabled(false, phone) }
            #expect(try await verify(code).status == 200)
        }
    }

    @Test func anOutsideIssuersTokenOpensNoDisabledAccount() async throws {
        let file = RunningServer.temporaryDirectory() + ".json"
        try OutsideSample.keySet.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await RunningServer.run(
            change: { $0.issuer = OutsideSample.settings(file, issuer: OutsideSample.issuer) }
        ) { server async throws in
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 200)
            _ = try await server.asOperator { try await $0.setDisabled(true, "1") }
            let refused = try await server.send(.GET, "/auth/me", token: OutsideSample.token)
            #expect(refused.status == 403 && refused.code == "account-disabled")
            _ = try await server.asOperator { try await $0.setDisabled(false, "1") }
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 200)
        }
    }

    /// An older version that serves from the same database knows nothing of disabled accounts.
    @Test func aSessionThatAnOlderVersionBeganIsRefusedToo() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount(Self.email)
            let storage = try TestDatabase.storage(of: server.directory)
            try await storage.write { sql throws(Failure) in try sql.run("UPDATE accounts SET disabled = 1", []) }
            try await storage.close()
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).code == "account-disabled")
            #expect(try await Self.refresh(tokens, on: server).code == "account-disabled")
            // Disabling it once more ends such a session.
            let (account, isChange) = try await server.asOperator { try await $0.setDisabled(true, Self.email) }
            #expect(!isChange && account.sessions == 0)
        }
    }

    @Test func aDeletedAccountLeavesNoRow() async throws {
        try await RunningServer.run { server async throws in
            let tour = SampleTour()
            let email = "guide@example.org"
            let tokens = try await server.newGuide(email)
            _ = try await server.found(tour, token: tokens.access_token)
            for (path, body) in [
                ("/groups", #"{"name":"Müze"}"#), ("/notes", #"{"title":"A","content":"b"}"#),
                ("/auth/password/forgot", #"{"email":"\#(email)"}"#),
            ] {
                #expect(try await server.send(.POST, path, token: tokens.access_token, body).status < 300, "\(path)")
            }
            let id = try await server.asOperator { try await $0.account(email).account.id }
            #expect(try await !server.tables(where: "account", is: id).isEmpty)
            #expect(try await server.tables(holding: email).contains("accounts"))
            let deleted = try await server.asOperator { try await $0.deleteAccount(email) }
            #expect(deleted.id == id && deleted.email == email)
            // The audit log keeps the number, which leads to nobody.
            #expect(try await server.tables(where: "account", is: id) == ["audit"])
            // A limit's counter goes with its time: else deletion would undo limits of what costs money.
            #expect(try await server.tables(holding: email).subtracting(["rates"]) == [])
            let accounts = try await server.asOperator { try await $0.accounts(matching: email, limit: 10) }
            #expect(accounts.rows.isEmpty)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 401)
            #expect(try await server.logIn(email).status == 401)
            let missing = await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.deleteAccount(email) }
            }
            #expect(missing?.code == .notFound)
        }
    }

    @Test func aResetTakesAwayAllButTheContactAndGivesACode() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount(Self.email)
            try await server.prove(Self.email, token: tokens.access_token)
            let reset = try await server.asOperator { try await $0.resetAccount(Self.email) }
            #expect(reset.sessionsEnded == 1 && reset.contact == Self.email && !reset.hadSecondFactor)
            #expect(try await server.send(.GET, "/auth/me", token: tokens.access_token).status == 401)
            #expect(try await server.logIn(Self.email).code == "bad-credentials", "the password is void")
            func use(_ code: String) async throws -> Reply {
                try await server.send(
                    .POST, "/auth/password/reset",
                    #"{"email":"\#(Self.email)","code":"\#(code)","password":"battery staple"}"#)
            }
            #expect(try await use(reset.code == "000000" ? "111111" : "000000").code == "bad-code")
            #expect(try await use(reset.code).status == 204)
            #expect(try await use(reset.code).code == "bad-code", "once")
            #expect(try await server.logIn(Self.email, password: "battery staple").status == 200)
        }
    }

    @Test func aGuestHasNothingToResetTo() async throws {
        try await RunningServer.run { server async throws in
            let guest: Tokens = try await server.send(.POST, "/auth/anonymous").decoded()
            let refused = await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.resetAccount("1") }
            }
            #expect(refused?.code == .forbidden)
            #expect(try await server.send(.GET, "/auth/me", token: guest.access_token).status == 200)
        }
    }

    @Test func sessionsEndOneByOneOrAllTogether() async throws {
        try await RunningServer.run { server async throws in
            let first = try await server.newAccount(Self.email)
            server.clock.advance(seconds: 60)
            let second: Tokens = try await server.logIn(Self.email).decoded()
            let listed = try await server.asOperator { try await $0.sessions(of: Self.email) }
            #expect(listed.count == 2)
            let last = try #require(listed.first?.id)
            #expect(try await server.asOperator { try await $0.endSessions(of: Self.email, only: last) } == 1)
            #expect(try await server.send(.GET, "/auth/me", token: second.access_token).status == 401)
            #expect(try await server.send(.GET, "/auth/me", token: first.access_token).status == 200)
            let gone = await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.endSessions(of: Self.email, only: last) }
            }
            #expect(gone?.code == .notFound)
            #expect(try await server.asOperator { try await $0.endSessions(of: Self.email) } == 1)
            #expect(try await server.send(.GET, "/auth/me", token: first.access_token).status == 401)
        }
    }

    @Test func accountsAreFound() async throws {
        try await RunningServer.run { server async throws in
            for name in ["anna", "ben", "b_n"] { _ = try await server.newAccount("\(name)@example.org") }
            func found(_ text: String?, behind number: Int64 = 0, limit: Int = 10) async throws -> String {
                let page = try await server.asOperator {
                    try await $0.accounts(matching: text, behind: number, limit: limit)
                }
                return page.rows.map { String($0.id) }.joined(separator: " ") + (page.hasMore ? " and more" : "")
            }
            #expect(try await found(nil) == "1 2 3")
            #expect(try await found(nil, limit: 2) == "1 2 and more")
            #expect(try await found(nil, behind: 2) == "3")
            #expect(try await found("BEN@") == "2")
            #expect(try await found("b_n") == "3", "no pattern")
            #expect(try await found("%") == "")
            #expect(try await found("2") == "2")
            let details = try await server.asOperator { try await $0.account("ben@example.org") }
            #expect(details.account.id == 2 && details.sessions.count == 1 && details.tours.isEmpty)
        }
    }

    @Test func aDatabaseOfAnEarlierFormIsRefused() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let door = try OpenedServer(settings: .data(in: directory))
        let server = ServerOperator(door, user: "dispatcher")
        let empty = await #expect(throws: Failure.self) { _ = try await server.accounts(matching: nil, limit: 1) }
        #expect(empty?.code == .unavailable)
        _ = try await door.storage.migrate(Migration.all.filter { !$0.name.hasPrefix("audit-") })
        let older = await #expect(throws: Failure.self) { _ = try await server.accounts(matching: nil, limit: 1) }
        #expect(older?.code == .unavailable && older.map { "\($0)".contains("migrate") } == true)
        _ = try await door.storage.migrate()
        #expect(try await server.accounts(matching: nil, limit: 1).rows.isEmpty)
        try await door.storage.close()
    }
}
