import Foundation
import Testing

/// Goal: the specification, its vectors and the code name each other rightly.
/// Method: follows every mention of a chapter in a comment; opens every vector file.
struct ProtocolTests {
    static let vectors = [
        "alarm-state", "bind", "blob", "cast", "clock", "crowd", "discovery-tag", "event", "event-bad", "frontier-row",
        "hash", "hello", "identity", "invite-code", "join", "mailbox", "message", "padding", "path-datagram", "place",
        "position-row", "receipts", "rekey", "roll-state", "roster", "run", "seat", "seat-channel", "seat-roster",
        "shared", "trace",
    ]

    @Test func everyChapterNamedInACommentExists() {
        let wrong = Self.mentions.filter { !Repository.exists("Protocol/" + $0.chapter) }
            .map { "\($0.place): no file Protocol/\($0.chapter)" }
        #expect(wrong.isEmpty, report(wrong))
    }

    @Test func everySectionNamedInACommentExists() throws {
        let wrong = try Self.mentions.filter { Repository.exists("Protocol/" + $0.chapter) }.filter { mention in
            guard let section = mention.section else { return false }
            return try !Self.headings(of: mention.chapter).contains(section)
        }
        let places = wrong.map { "\($0.place): Protocol/\($0.chapter) has no section \"\($0.section ?? "")\"" }
        #expect(places.isEmpty, report(places))
    }

    @Test(arguments: vectors) func vectorFileHasCases(name: String) throws {
        let data = try Data(contentsOf: Repository.url("Protocol/Vectors/\(name).json"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let cases = try #require(object["cases"] as? [[String: Any]])
        #expect(object["source"] as? String == "Scripts/make-vectors")
        #expect(!cases.isEmpty)
        #expect(data.count < 200_000)
        for testCase in cases {
            let label = testCase["name"] as? String ?? "a case without a name"
            let valid = testCase["valid"] as? Bool
            #expect(valid != nil, "\(name): \(label)")
            #expect((valid == false) == (testCase["error"] is String), "\(name): \(label)")
        }
    }

    @Test func thereAreNoiseVectors() throws {
        let folder = Repository.url("Protocol/Vectors")
        let noise = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("noise-") && $0.pathExtension == "json" }
        #expect(!noise.isEmpty)
        for file in noise {
            let data = try Data(contentsOf: file)
            #expect(data.count > 100, "\(file.lastPathComponent) is empty")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
        }
    }

    private struct Mention {
        var place: String
        var chapter: String
        var section: String?
    }

    /// `Protocol/05-events.md`, "Header", in a comment of Sources or Tests, also when the section is on the next line.
    private static let mentions: [Mention] = (Repository.sources + Repository.tests).flatMap { file in
        file.lines(with: ["Protocol/"], in: \.text).flatMap { line -> [Mention] in
            guard line.text.contains("//") else { return [] }
            let next = file.line(after: line, in: \.text)?.text.trimmingPrefix(/\s*\/+ ?/) ?? ""
            let text = line.text + " " + next
            return text.matches(of: /Protocol\/(\d\d-[a-z0-9-]+\.md)(?:`, +"([^"]+?)[.,]?")?/)
                .filter { text.distance(from: text.startIndex, to: $0.range.lowerBound) < line.text.count }
                .map {
                    Mention(
                        place: "\(file.path):\(line.number)", chapter: String($0.1),
                        section: $0.2.map(String.init))
                }
        }
    }

    private static func headings(of chapter: String) throws -> [String] {
        try String(contentsOf: Repository.url("Protocol/" + chapter), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" || $0 == " " } }.map(String.init)
    }
}
