import ArgumentParser
import Testing
import TourClient
import TourCommands
import TourWords

/// Goal: what the parser of command lines says by itself reaches people in their language, and nothing gets lost.
/// Method: the parser's own text for command lines and for the help of every command, before and after.
@Suite struct UsageWordsTests {
    private static let wide = 100_000

    private static func error(_ words: [String]) -> (any Error)? {
        do {
            var command = try TourChat.parseAsRoot(words)
            // Help asked for by a command's name alone comes from running it.
            if !(command is any AsyncParsableCommand) { try command.run() }
            return nil
        } catch {
            return error
        }
    }

    private static func error(_ line: String) -> (any Error)? { error(line.split(separator: " ").map(String.init)) }

    @Test(arguments: [
        "send --nosuch x", "send --replay x", "send hello --reply", "send hello --json=1", "tour list a",
        "tour list a b", "role Ben", "passphrase", "passphrase take", "tour create Rome --history some",
        "announce hello --expires soon", "send hello --reply 3fa", "run --listen many",
    ])
    func complaintsAreKnown(line: String) throws {
        let error = try #require(Self.error(line))
        let complaint = TourChat.message(for: error)
        let words = UsageComplaint.translated(complaint)
        #expect(words != Phrase(verbatim: complaint), "\(complaint)")
        // The words between the values that may be given are left out.
        let plain = words.english.replacing(", ", with: " ")
        #expect(
            plain == complaint.replacing(", ", with: " ").replacing(" and '", with: " '").replacing(" or '", with: " '")
        )
    }

    @Test(arguments: ["send", "join"]) func ourOwnComplaintsStay(line: String) throws {
        let error = try #require(Self.error(line))
        let complaint = TourChat.message(for: error)
        #expect(UsageComplaint.translated(complaint) == Phrase(verbatim: complaint))
    }

    @Test(arguments: [
        "send --nosuch x", "send", "join", "role Ben", "--help", "tour --help", "help send", "--version",
    ])
    func nothingGetsLost(line: String) throws {
        let error = try #require(Self.error(line))
        let text = TourChat.fullMessage(for: error, columns: Self.wide)
        let shown = UsageWords.text(for: error, of: TourChat.self, columns: Self.wide, in: .english)
        #expect(shown == Self.withoutUsage(text))
    }

    /// How the command is called, which a refusal leaves out.
    private static func withoutUsage(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("Usage: ") }
            .joined(separator: "\n")
    }

    @Test(arguments: ["send --nosuch x", "send", "role Ben"])
    func refusalsAreShort(line: String) throws {
        let error = try #require(Self.error(line))
        let text = UsageWords.text(for: error, of: TourChat.self, columns: Self.wide, in: .english)
        #expect(text.hasPrefix("Error: ") && text.contains("--help'") && !text.contains("Usage:"))
    }

    @Test(arguments: TourChat.commandWords)
    func helpOfEveryCommand(command: String) throws {
        let error = try #require(Self.error("help \(command)"))
        let text = TourChat.fullMessage(for: error, columns: Self.wide)
        #expect(UsageWords.text(for: error, of: TourChat.self, columns: Self.wide, in: .english) == text)
        for line in text.split(separator: "\n").map(String.init) where Self.isOfTheParser(line) {
            #expect(UsageWords.line(line) != Phrase(verbatim: line), "\(line)")
        }
        let narrow = UsageWords.text(for: error, of: TourChat.self, columns: 60, in: .english)
        let words = { (text: String) in text.split(whereSeparator: \.isWhitespace) }
        #expect(words(narrow) == words(text))
    }

    private static func isOfTheParser(_ line: String) -> Bool {
        let starts = ["OVERVIEW: ", "USAGE: ", "  See '"]
        let ends = ["Show help information.", "Show the version."]
        let isHeading = line.hasSuffix(":") && !line.hasPrefix(" ") && line == line.uppercased()
        let isOption =
            line.hasPrefix("  -") && line.hasSuffix(")") && ["(default: ", "(values: "].contains(where: line.contains)
        return isHeading || isOption || starts.contains(where: line.hasPrefix) || ends.contains(where: line.hasSuffix)
    }

    @Test func linesAreBrokenByColumns() {
        let label = "  --name <name>" + String(repeating: " ", count: 11)
        let text = UsageWords.help(label + String(repeating: "日本語", count: 20), columns: 60, in: .english)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 60 })
        #expect(lines.dropFirst().allSatisfy { $0.prefix(27).filter { $0 == " " }.count == 26 })
    }

    @Test(arguments: [
        (["LANG": "tr_TR.UTF-8"], Language.turkish), (["LANG": "C.UTF-8"], .english), ([:], .english),
        (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], .english), (["LANG": "C", "LC_MESSAGES": "ja_JP"], .japanese),
        (["LANG": "nl_NL", "LANGUAGE": "nl:fr:de"], .french), (["LANG": "C", "LANGUAGE": "fr"], .english),
        (["LC_ALL": "", "LANG": "es_ES"], .spanish), (["LANG": "nl_NL"], .english),
    ])
    func languageOfTheUser(variables: [String: String], language: Language) {
        #expect(Language.ofEnvironment { variables[$0] } == language)
    }
}
