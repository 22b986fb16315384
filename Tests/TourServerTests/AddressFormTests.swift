import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: an address is one account's, however a keyboard or another app's list writes it.
/// Method: tables of what is typed; a whole server; a database of before with addresses in several forms. Strings that
/// differ in their form alone are equal in Swift, so bytes are compared.
struct AddressFormTests {
    @Test(arguments: [
        ("Guide@Example.org", "guide@example.org"),
        ("  guide@example.org\n", "guide@example.org"),
        ("zo\u{EB}@example.org", "zo\u{EB}@example.org"),
        ("zoe\u{308}@example.org", "zo\u{EB}@example.org"),
        ("ZOE\u{308}@EXAMPLE.ORG", "zo\u{EB}@example.org"),
        ("\u{212B}se@example.org", "\u{E5}se@example.org"),
        ("\u{1100}\u{1161}@example.org", "\u{AC00}@example.org"),
        ("\u{FF47}\u{FF55}\u{FF49}\u{FF44}\u{FF45}@example.org", "guide@example.org"),
        ("\u{FF27}uide\u{FF20}example\u{FF0E}org", "guide@example.org"),
        ("guide@example\u{3002}org", "guide@example.org"),
        ("guide\u{FF11}\u{FF12}@example.org", "guide12@example.org"),
        ("\u{202A}guide@example.org\u{202C}", "guide@example.org"),
        ("\u{2068}guide@example.org\u{2069} ", "guide@example.org"),
        ("\u{200F} guide@example.org", "guide@example.org"),
        ("gui\u{200B}de@exam\u{AD}ple.org", "guide@example.org"),
        ("\u{FEFF}guide@example.org", "guide@example.org"),
        ("e\u{200D}\u{301}@example.org", "\u{E9}@example.org"),
        ("\u{130}brahim@example.org", "i\u{307}brahim@example.org"),
    ])
    func addressesHaveOneForm(typed: String, form: String) throws {
        let address = try #require(EmailAddress(typed))
        #expect(Array(address.text.utf8) == Array(form.utf8))
        let again = try #require(EmailAddress(address.text))
        #expect(Array(again.text.utf8) == Array(form.utf8) && again.olderText == nil)
    }

    @Test(arguments: [
        "", "@", "guide", "guide@", "@example.org", "a@b@example.org", "a\u{FF20}b@example.org", "\u{200B}@example.org",
        "gu ide@example.org", "gu\u{3000}ide@example.org", "gu\u{85}ide@example.org", "gu\u{7}ide@example.org",
        "gu\u{600}ide@example.org", "a@" + String(repeating: "e", count: 253),
    ])
    func otherTextsAreNoAddresses(text: String) { #expect(EmailAddress(text) == nil) }

    @Test(arguments: [
        "\u{202A}+90 555 111 22 33\u{202C}", "\u{FF0B}\u{FF19}\u{FF10} 555 1112233",
        "+90\u{A0}555\u{2011}111\u{2013}2233",
        "+\u{669}\u{660} \u{665}\u{665}\u{665} 1112233", "+90\u{3000}(555)\u{200E}111.22.33",
    ])
    func phonesHaveOneForm(typed: String) { #expect(PhoneNumber(typed)?.text == "+905551112233") }

    @Test(arguments: ["\u{FF10}12345", "\u{660}\u{661}\u{662}\u{663}\u{664}\u{665}", "\u{200E}012345 "])
    func codesHaveOneForm(typed: String) { #expect(SMSCode(typed)?.digits == "012345") }

    private static func logIn(_ email: String, on server: RunningServer) async throws -> Reply {
        try await server.send(.POST, "/auth/login", #"{"email":"\#(email)","password":"correct horse"}"#)
    }

    @Test func anotherFormIsTheSameAccount() async throws {
        try await RunningServer.run { server async throws in
            let first = "zo\u{EB}@example.org"
            let body = #"{"email":"\#(first)","password":"correct horse"}"#
            #expect(try await server.send(.POST, "/auth/signup", body).status == 201)
            for email in [
                "zoe\u{308}@example.org", "ZO\u{CB}\u{FF20}example.org", "\u{202A}zo\u{EB}@example.org\u{202C}",
            ] {
                let again = try await server.send(
                    .POST, "/auth/signup", #"{"email":"\#(email)","password":"battery staple"}"#)
                #expect(again.status == 409 && again.code == "email-taken", "\(email)")
                #expect(try await Self.logIn(email, on: server).status == 200, "\(email)")
            }
        }
    }

    @Test func addressesOfBeforeAreFound() async throws {
        let directory = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let older = Set(["accounts-7", "invitations-2", "organisations-2", "bans-2"])
        let storage = try TestDatabase.storage(of: directory)
        _ = try await storage.migrate(Migration.all.filter { !older.contains($0.name) })
        let (composed, decomposed, wide) = ("zo\u{EB}@example.org", "zoe\u{308}@example.org", "\u{FF41}@example.org")
        let accounts: [(id: Int, email: String, phone: String?, isProven: Int)] = [
            (1, decomposed, nil, 0), (2, composed, nil, 1), (3, wide, nil, 0),
            (4, "gui\u{200B}de@example.org", nil, 0), (5, "\u{FF42}@example.org", nil, 1),
            (6, "b@example.org", "+905551112233", 0), (7, "\u{FF43}@example.org", nil, 1), (8, "c@example.org", nil, 0),
        ]
        try await storage.write { sql throws(Failure) in
            for (id, email, phone, isProven) in accounts {
                try sql.run(
                    """
                    INSERT INTO accounts (id, email, phone, password, role, created_at, email_proven)
                    VALUES ($1, $2, $3, NULL, 'user', 0, $4)
                    """, [.integer(Int64(id)), .text(email), SQLValue(phone), .integer(Int64(isProven))])
            }
            for (number, email) in [(1, composed), (2, decomposed), (3, wide)] {
                try sql.run(
                    "INSERT INTO invitations (number, tour, email, created_at) VALUES ($1, 1, $2, 0)",
                    [.integer(Int64(number)), .text(email)])
            }
            try sql.run(
                "INSERT INTO invitations (number, tour, email, created_at) VALUES (4, 2, $1, 0)", [.text(decomposed)])
            try sql.run(
                "INSERT INTO bans (number, kind, target, created_at) VALUES (1, 'contact', $1, 0)", [.text(wide)])
        }
        _ = try await storage.migrate()
        let (found, invited, banned) = try await storage.read { sql throws(Failure) in
            var found: [String: Int64] = [:]
            for email in [
                decomposed, composed, "ZO\u{CB}@example.org", wide, "a@example.org", "guide@example.org",
                "\u{FF42}@example.org", "b@example.org", "\u{FF43}@example.org", "c@example.org",
            ] {
                guard let address = EmailAddress(email) else { continue }
                found[Data(email.utf8).base64EncodedString()] = try AccountRows(sql: sql).account(email: address)?.id
            }
            var invited: [[UInt8]] = []
            for row in try sql.rows("SELECT email FROM invitations ORDER BY number", []) {
                invited.append(Array(try row.text(0).utf8))
            }
            return (found, invited, try sql.row("SELECT target FROM bans", [])?.text(0))
        }
        func account(_ email: String) -> Int64? { found[Data(email.utf8).base64EncodedString()] }
        // Two had one address: the proven account has it, and the other is found by what its owner types.
        #expect(account(composed) == 2 && account("ZO\u{CB}@example.org") == 2 && account(decomposed) == 1)
        #expect(account(wide) == 3 && account("a@example.org") == 3 && account("guide@example.org") == 4)
        // One that nobody proved leaves its address to the owner, unless it has no other name.
        #expect(account("b@example.org") == 5 && account("\u{FF42}@example.org") == 5)
        #expect(account("c@example.org") == 8 && account("\u{FF43}@example.org") == 7)
        #expect(invited == [composed, decomposed, "a@example.org", composed].map { Array($0.utf8) })
        #expect(banned == "a@example.org")
        try await storage.close()
    }
}
