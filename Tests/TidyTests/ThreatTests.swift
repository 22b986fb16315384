import Foundation
import Testing

/// Goal: the threat model promises nothing that no test shows.
/// Method: reads the tables of attacks in `Protocol/threat-model.md`; each row must name tests that exist.
struct ThreatTests {
    private struct Row {
        let attack: String
        let tests: [String]
    }

    @Test func everyAttackNamesTestsThatExist() throws {
        let rows = Self.rows(in: try text("Protocol/threat-model.md"))
        #expect(rows.count >= 25)
        let cases = try Self.hostCases()
        let wrong = rows.flatMap { row -> [String] in
            guard !row.tests.isEmpty else { return ["\(row.attack): no test"] }
            return row.tests.filter { !Self.exists($0, cases) }.map { "\(row.attack): no test \($0)" }
        }
        #expect(wrong.isEmpty, report(wrong))
    }

    @Test func rowsAreReadRight() {
        let sample = """
            | attack | what is done | figures | shown by |
            |---|---|---|---|
            | one `x` | – | `y` | `A.b`, `c-d` |
            | two | – | – | by nothing |

            | who | can |
            |---|---|
            | three | `E.f` |
            """
        let rows = Self.rows(in: sample)
        #expect(rows.map(\.attack) == ["one `x`", "two"])
        #expect(rows.map(\.tests) == [["A.b", "c-d"], []])
        #expect(Self.exists("ThreatTests.rowsAreReadRight", []))
        #expect(!Self.exists("ThreatTests.hostCases", []), "it is no test")
        #expect(Self.exists("c-d", ["c-d"]) && !Self.exists("c-d", []))
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.url(path), encoding: .utf8)
    }

    /// The rows of the tables that end with a column "shown by".
    private static func rows(in text: String) -> [Row] {
        var isOfAttacks = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            guard line.hasPrefix("|") else {
                isOfAttacks = false
                return nil
            }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.last == "shown by" { isOfAttacks = true }
            guard isOfAttacks, let last = cells.last, last != "shown by", !line.hasPrefix("|---") else { return nil }
            return Row(attack: cells[0], tests: last.matches(of: /`([^`]+)`/).map { String($0.1) })
        }
    }

    /// - Parameter name: `Suite.test`, or a case of `Tests/Hosts` or `Tests/Browser`.
    private static func exists(_ name: String, _ cases: Set<String>) -> Bool {
        let parts = name.split(separator: ".")
        guard parts.count == 2 else { return cases.contains(name) }
        return Repository.tests.contains { file in
            file.name == "\(parts[0]).swift" && isTest(String(parts[1]), file)
        }
    }

    /// Whether a test of this name is declared: `@Test` stands on its line or before it, and no other function between.
    private static func isTest(_ name: String, _ file: SourceFile) -> Bool {
        let lines = file.lines(with: ["@Test", "func "])
        return lines.indices.contains { index in
            guard lines[index].text.contains("func \(name)(") else { return false }
            if lines[index].text.contains("@Test") { return true }
            guard index > 0 else { return false }
            let before = lines[index - 1].text
            return before.contains("@Test") && !before.contains("func ")
        }
    }

    private static func hostCases() throws -> Set<String> {
        let files = try ["Tests/Hosts", "Tests/Browser"].flatMap {
            try FileManager.default.contentsOfDirectory(at: Repository.url($0), includingPropertiesForKeys: nil)
        }
        var cases = Set<String>()
        for file in files where file.pathExtension == "py" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /@case\ndef (\w+)/) {
                cases.insert(String(match.1).replacing("_", with: "-"))
            }
        }
        return cases
    }
}
