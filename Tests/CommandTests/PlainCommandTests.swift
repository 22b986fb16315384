import ArgumentParser
import Testing
import TourCommands
import TourModel

/// Goal: a command line that is read without the parser means what the parser makes of it.
/// Method: both read the same words, from a table and drawn at random from words that mean something.
@Suite struct PlainCommandTests {
    private static func words(_ line: String) -> [String] { line.split(separator: " ").map { String($0) } }

    /// All that a task holds, in words.
    private static func text(_ task: ReadyTask) -> String {
        var text = ""
        dump(task, to: &text)
        return text
    }

    private static func parsed(_ words: [String]) -> String? {
        let command = try? TourChat.parseAsRoot(words)
        return (command as? any TaskCommand).map { text($0.ready) }
    }

    private static func plain(_ words: [String]) -> String? { PlainCommand.read(words).map(text) }

    @Test(arguments: [
        "send hello", "send -", "send - --json --data-dir d", "send --reply 3FA2C1 hello --tour Rome",
        "send --passphrase-file p help", "messages", "messages --follow --json --mark-read",
        "messages --limit 20 --search bus --since 3fa2c1 --tour x", "messages --limit +5", "status",
        "send --file a.pdf", "send --image a.jpg --caption sea --reply 3FA2C1 --tour Rome --json", "files",
        "files --tour Rome --json", "status --json --data-dir d", "status --tour Rome", "peers --json",
        "members --tour Rome --data-dir d",
    ])
    func bothReadTheSame(line: String) throws {
        let words = Self.words(line)
        let parsed = try #require(Self.parsed(words))
        #expect(Self.plain(words) == parsed)
    }

    @Test(arguments: [
        "", "send", "send a b", "send --", "send -- x", "send -x", "send --help", "send x --reply", "send x --reply -",
        "send x --reply 3fa", "send x --json --json", "send x --tour a --tour b", "send x --tour=a", "send x --follow",
        "send x --file a", "send --file a --image b", "send x --caption a", "send --caption a", "send --file",
        "send --file a --caption --x", "files x", "files --fetch 3fa2c1", "files --drop 3fa2c1", "save 3fa2c1",
        "open 3fa2c1",
        "messages x", "messages --limit 0", "messages --limit -1", "messages --limit x", "messages --since 3fa",
        "messages --reply 3fa2c1", "status x", "status --follow", "status --version", "tour list", "help send",
        "peers x", "members --limit 2", "--json", "-",
    ])
    func whatWantsACloserLookIsTheParsers(line: String) {
        #expect(PlainCommand.read(Self.words(line)) == nil)
    }

    @Test func emptyWordsAreTheParsers() {
        #expect(PlainCommand.read(["send", ""]) == nil)
        #expect(PlainCommand.read(["send", "x", "--tour", ""]) == nil)
    }

    @Test func whatIsReadPlainlyIsNeverReadOtherwise() {
        let vocabulary = [
            "--json", "--data-dir", "--passphrase-file", "--tour", "--reply", "--since", "--limit", "--search",
            "--follow",
            "--mark-read", "--file", "--image", "--caption", "hello", "help", "3fa2c1", "20", "-", "--", "-1",
            "--version", "--tour=x", "Grüße",
        ]
        var rng = SplitMix64(seed: 42)
        var plainCount = 0
        for _ in 0..<1500 {
            var words = [["send", "messages", "status", "peers", "members", "files"].randomElement(using: &rng) ?? ""]
            for _ in 0..<Int.random(in: 0...4, using: &rng) {
                words.append(vocabulary.randomElement(using: &rng) ?? "")
            }
            guard let plain = Self.plain(words) else { continue }
            plainCount += 1
            #expect(plain == Self.parsed(words), "\(words)")
        }
        #expect(plainCount > 100)
    }
}
