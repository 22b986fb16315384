import ArgumentParser
import Testing
import TourClient
import TourCommands
import TourModel

/// Goal: a command that is parsed by itself means what it means among all commands.
/// Method: both ways read the same words, from a table and drawn at random from words that mean something.
struct FrequentCommandTests {
    private static func words(_ line: String) -> [String] { line.split(separator: " ").map { String($0) } }

    /// All that a command holds, in words.
    private static func text(_ command: any ParsableCommand) -> String {
        var text = ""
        dump(command, to: &text)
        return text
    }

    private static func parsed(_ words: [String]) -> String? { (try? TourChat.parseAsRoot(words)).map(text) }

    private static func alone(_ words: [String]) -> String? { TourChat.frequentCommand(words).map(text) }

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
        #expect(Self.alone(words) == parsed)
    }

    @Test(arguments: [
        "", "send", "send a b", "send -x", "send --help", "send help --help", "send x --reply", "send x --reply 3fa",
        "send x --follow", "send x --file a", "send --file a --image b", "send x --caption a", "send --file",
        "files x", "save 3fa2c1", "messages x", "messages --limit 0", "messages --since 3fa", "status x",
        "status --version", "tour list", "help send", "members --limit 2", "--json", "-",
    ])
    func whatIsNotUnderstoodIsLeftToAllCommands(line: String) {
        #expect(TourChat.frequentCommand(Self.words(line)) == nil)
    }

    @Test func whatIsReadAloneIsNeverReadOtherwise() {
        let vocabulary = [
            "--json", "--data-dir", "--passphrase-file", "--tour", "--reply", "--since", "--limit", "--search",
            "--follow",
            "--mark-read", "--file", "--image", "--caption", "hello", "help", "3fa2c1", "20", "-", "--", "-1",
            "--version", "--tour=x", "Grüße",
        ]
        var rng = SplitMix64(seed: 42)
        var count = 0
        for _ in 0..<1500 {
            var words = [["send", "messages", "status", "peers", "members", "files"].randomElement(using: &rng) ?? ""]
            for _ in 0..<Int.random(in: 0...4, using: &rng) {
                words.append(vocabulary.randomElement(using: &rng) ?? "")
            }
            guard let alone = Self.alone(words) else { continue }
            count += 1
            #expect(alone == Self.parsed(words), "\(words)")
        }
        #expect(count > 100)
    }
}
