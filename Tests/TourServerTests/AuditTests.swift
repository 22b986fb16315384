import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: the audit log says who changed what, holds nothing secret, and forgets after its time.
/// Method: a whole server over HTTP, and the operator's commands beside it on the same database.
struct AuditTests {
    private static let email = "a@example.org"

    @Test func itSaysWhoDidWhatAndNoSecret() async throws {
        try await RunningServer.run { server async throws in
            let tokens = try await server.newAccount(Self.email)
            try await server.prove(Self.email, token: tokens.access_token)
            let change = #"{"current_password":"correct horse","password":"battery staple"}"#
            #expect(try await server.send(.POST, "/auth/password", token: tokens.access_token, change).status == 204)
            let code = try await server.asOperator { server in
                _ = try await server.setDisabled(true, Self.email)
                _ = try await server.setDisabled(true, Self.email)
                _ = try await server.setDisabled(false, Self.email)
                return try await server.resetAccount(Self.email).code
            }
            let reset = #"{"email":"\#(Self.email)","code":"\#(code)","password":"correct staple"}"#
            #expect(try await server.send(.POST, "/auth/password/reset", reset).status == 204)
            let last: Tokens = try await server.logIn(Self.email, password: "correct staple").decoded()
            #expect(try await server.send(.DELETE, "/auth/me", token: last.access_token).status == 204)
            let entries = try await server.asOperator { try await $0.audit(limit: 100) }.rows.reversed()
            #expect(
                entries.map { "\($0.actor) \($0.action)" } == [
                    "account:1 password-changed", "operator:dispatcher account-disabled",
                    "operator:dispatcher account-enabled", "operator:dispatcher account-reset",
                    "account:1 password-reset", "account:1 account-deleted",
                ])
            #expect(entries.allSatisfy { $0.account == 1 && $0.tour == nil && $0.at == server.clock.now })
            let text = try ServerOperator.json(Array(entries))
            for secret in [
                code, Self.email, "horse", "staple", tokens.refresh_token, last.refresh_token, last.access_token,
            ] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }

    /// A change that is undone leaves no entry, and an entry is never without its change.
    @Test func aRefusedChangeIsNotThere() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.send(.POST, "/auth/anonymous")
            await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.resetAccount("1") }
            }
            await #expect(throws: Failure.self) {
                _ = try await server.asOperator { try await $0.setDisabled(true, "2") }
            }
            #expect(try await server.asOperator { try await $0.audit(limit: 10) }.rows.isEmpty)
        }
    }

    @Test func theNewestComeFirstAndTheOldGo() async throws {
        try await RunningServer.run { server async throws in
            _ = try await server.newAccount(Self.email)
            for isDisabled in [true, false, true] {
                _ = try await server.asOperator { try await $0.setDisabled(isDisabled, Self.email) }
                server.clock.advance(seconds: 3_600)
            }
            let page = try await server.asOperator { try await $0.audit(limit: 2) }
            #expect(page.hasMore && page.rows.map(\.action) == ["account-disabled", "account-enabled"])
            let first = server.clock.now - 3 * 3_600_000_000
            let later = try await server.asOperator { try await $0.audit(since: first + 1, limit: 10) }
            #expect(!later.hasMore && later.rows.count == 2)
            let storage = try TestDatabase.storage(of: server.directory)
            let horizon = first + 7 * 86_400 * 1_000_000
            try await storage.write { sql throws(Failure) in try AuditLog(sql: sql).sweep(keeping: 7, now: horizon) }
            #expect(try await server.rowCounts(["audit"]) == ["audit": 3])
            try await storage.write { sql throws(Failure) in
                try AuditLog(sql: sql).sweep(keeping: 7, now: horizon + 1)
            }
            #expect(try await server.rowCounts(["audit"]) == ["audit": 2])
            try await storage.close()
        }
    }

    @Test func aNameInTheLogObeysNothing() {
        let long = String(repeating: "x", count: 200)
        #expect(AuditActor.server(operator: "a\u{1B}[2Jb\n").text == "operator:a[2Jb")
        #expect(AuditActor.server(operator: long).text.count == "operator:".count + ServerLimits.auditNameCharactersMax)
        #expect(AuditActor.account(17).text == "account:17")
    }
}
