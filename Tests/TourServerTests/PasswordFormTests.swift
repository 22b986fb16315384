import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: passwords that earlier versions stored are good, and become what this version stores.
/// Method: a database as it was before passwords were PHC strings, served by today's server; the stored texts.
struct PasswordFormTests {
    private static let cost = PasswordHasher.Cost(operations: 1, memoryBytes: 8 * 1024)

    /// As earlier versions wrote it.
    private static func older(_ password: String, passes: UInt64 = 1) throws -> String {
        let salt = [UInt8](0..<16)
        let parameters = try Passphrase.Parameters(operations: passes, memoryBytes: 8 * 1024, salt: salt)
        let key = try Passphrase.key(Array(password.utf8), parameters)
        return "argon2id$\(passes)$8192$\(Hex.encode(salt))$\(Hex.encode(key.exposedCopy()))"
    }

    private static func stored(_ directory: String) async throws -> [String] {
        let storage = try TestDatabase.storage(of: directory)
        let texts = try await storage.read { sql throws(Failure) in
            var texts: [String] = []
            for row in try sql.rows("SELECT password FROM accounts WHERE password IS NOT NULL ORDER BY id", []) {
                texts.append(try row.text(0))
            }
            return texts
        }
        try await storage.close()
        return texts
    }

    private static func logIn(_ number: Int, _ password: String, on server: RunningServer) async throws -> Int {
        try await server.send(
            .POST, "/auth/login", #"{"email":"\#(number)@example.org","password":"\#(password)"}"#
        ).status
    }

    @Test func olderPasswordsAreGoodAndWrittenAnew() async throws {
        let directory = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let storage = try TestDatabase.storage(of: directory)
        _ = try await storage.migrate(Migration.all.filter { $0.name != "accounts-5" })
        // As today's; of more passes; as it was typed, a wide space in it.
        let passwords = [
            try Self.older("correct horse"), try Self.older("correct horse", passes: 2),
            try Self.older("g\u{FC}l\u{3000}bah\u{E7}esi"),
        ]
        try await storage.write { sql throws(Failure) in
            for (number, password) in passwords.enumerated() {
                try sql.run(
                    """
                    INSERT INTO accounts (id, email, phone, password, role, created_at, email_proven)
                    VALUES ($1, $2, NULL, $3, 'user', 0, 0)
                    """,
                    [.integer(Int64(number + 1)), .text("\(number + 1)@example.org"), .text(password)])
            }
        }
        try await storage.close()
        let database = TestDatabase.name(of: directory)
        try await RunningServer.run(change: { ($0.dataDirectory, $0.database) = (directory, database) }) {
            server async throws in
            let first = try await Self.stored(directory)
            #expect(first.map { PasswordHash($0) != nil } == [true, true, true], "in another form")
            #expect(try await Self.logIn(1, "wrong horse", on: server) == 401)
            #expect(try await Self.logIn(1, "correct horse", on: server) == 200)
            #expect(try await Self.logIn(2, "correct horse", on: server) == 200)
            #expect(try await Self.logIn(3, "g\u{FC}l\u{3000}bah\u{E7}esi", on: server) == 200)
            let after = try await Self.stored(directory)
            #expect(after[0] == first[0] && after[1] != first[1] && after[2] != first[2])
            for text in after { #expect(text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"), "of today's cost: \(text)") }
            #expect(try await Self.logIn(2, "correct horse", on: server) == 200)
            #expect(try await Self.logIn(3, "g\u{FC}l bah\u{E7}esi", on: server) == 200)
            #expect(try await Self.stored(directory) == after)
        }
    }

    /// A password that is changed while a login hashes the older one anew stays changed.
    @Test func aLoginUndoesNoChange() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("1@example.org").access_token
            let changed = try await server.send(
                .POST, "/auth/password", token: token,
                #"{"current_password":"correct horse","password":"battery staple"}"#)
            #expect(changed.status == 204)
            #expect(try await Self.logIn(1, "correct horse", on: server) == 401)
            #expect(try await Self.logIn(1, "battery staple", on: server) == 200)
        }
    }
}
