import Foundation
import Testing
import TourCrypto
import TourModel
import TourWire

/// Goal: what the protocol gives out is what this code and the schema use, number by number, and what is free for
/// experiments is used for nothing.
/// Method: reads the tables of `Protocol/registries.md`.
struct RegistryTests {
    /// `Protocol/changes.md`: a revision is the date of its newest entry, and README and the vectors name it.
    @Test func everyPlaceNamesTheNewestRevision() throws {
        let newest = try #require(Self.text("changes.md").firstMatch(of: /\n### (\d{4}-\d\d-\d\d)\n/)).1
        for place in ["README.md", "Vectors/README.md"] {
            let named = try Self.text(place).matches(of: /[Rr]evision (\d{4}-\d\d-\d\d)/).map(\.1)
            #expect(named == [newest], "\(place)")
        }
    }

    @Test func labelsAreThoseOfTheCode() throws {
        let rows = try Self.rows(of: "Labels")
        func labels(_ function: String) -> Set<String> {
            Set(rows.filter { $0[0] == function }.flatMap { Self.quoted($0[1]) }.map { "tour-chat/1/" + $0 })
        }
        #expect(labels("H") == Set(HashLabel.all.map(\.text)))
        #expect(labels("K") == Set(KeyLabel.all.map(\.text)))
    }

    @Test(arguments: [
        ("Control kinds", "ControlBody"), ("Content kinds", "Content"), ("Message kinds", "LinkMessage"),
    ])
    func kindsAreThoseOfTheSchema(section: String, message: String) throws {
        let rows = try Self.rows(of: section)
        let given = try rows.dropLast().map { row in
            "\(try #require(Self.quoted(row[1]).first)) = \(row[0])"
        }
        let schema = try Self.text("Schema/mesh.proto")
        let start = try #require(schema.range(of: "message \(message) {"))
        let body = schema[start.upperBound...].prefix { $0 != "}" }
        let used = body.matches(of: /\w+ (\w+ = \d+);/).map { String($0.1) }
        #expect(Set(given) == Set(used) && given.count == used.count)
        #expect(rows.last == ["1,000…1,999", "private"])
    }

    @Test func classesAreThoseOfTheCode() throws {
        let known: [String: EventClass] = [
            "control": .control, "announcement": .announcement, "chat": .chat, "profile": .profile, "file": .file,
        ]
        let rows = try Self.rows(of: "Event classes")
        #expect(rows.count == known.count + 2)
        for row in rows.prefix(known.count) {
            #expect(known[row[1]].map { "\($0.rawValue)" } == row[0])
        }
    }

    @Test func codesAreThoseOfTheCode() throws {
        let byes = try Self.rows(of: "Bye codes").flatMap { Self.quoted($0[0]) }
        let refusals = try Self.rows(of: "Join refusal codes").flatMap { Self.quoted($0[0]) }
        #expect(
            byes.allSatisfy { ByeReason(rawValue: $0) != nil }
                && refusals.allSatisfy { JoinRefusal(rawValue: $0) != nil })
        // The schema names all of them, and no others.
        let schema = try Self.text("Schema/mesh.proto")
        let named = schema.matches(of: /\/\/ ("[a-z-]+"(?:, "[a-z-]+")+)\n *string code/)
            .map { Set($0.1.matches(of: /[a-z-]{2,}/).map { String($0.0) }) }
        #expect(named == [Set(refusals), Set(byes)])
    }

    @Test func abilitiesAreThoseOfTheCode() throws {
        let rows = try Self.rows(of: "Abilities")
        let bits = rows.compactMap { UInt64($0[0]) }
        #expect(bits == Array(0..<UInt64(bits.count)))
        #expect(Abilities(rawValue: bits.reduce(0) { $0 | 1 << $1 }) == .own)
        #expect(rows.last?.prefix(2) == ["48…63", "private"])
    }

    /// What is private here is unknown to this code, and does to it what is said of the unknown.
    @Test func privateNumbersArePassedOver() throws {
        // Field 1,000, a message without anything in it.
        let field: [UInt8] = [0xc2, 0x3e, 0x00]
        #expect(try LinkMessage.decode(field) == nil)
        #expect(try Content(decoding: field) == .unsupported)
        #expect(try ControlBody(decoding: field) == .unknown)
        #expect(ByeReason(rawValue: "x-lunch") == nil && JoinRefusal(rawValue: "x-lunch") == nil)
    }

    private static func text(_ path: String) throws -> String {
        let file = VectorFile.folder.deletingLastPathComponent().appendingPathComponent(path)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The cells of a section's table, its head left out.
    private static func rows(of section: String) throws -> [[String]] {
        let text = try text("registries.md")
        let start = try #require(text.range(of: "\n## \(section)\n"))
        let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.hasPrefix("## ") }
        return lines.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func quoted(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
}
