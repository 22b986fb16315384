import TourWords

/// What a submitted line asks for.
package enum ChatInput: Hashable, Sendable {
    case say(String)
    case announce(String, isUrgent: Bool)
    case send(FileToSend)
    /// A file of the tour, by its id; without a directory where such things go.
    case save(IDArgument, directory: String?)
    case lost(String)
    /// About a member by its name; of `found` nil is oneself, of the others who is lost if only one is.
    case answerAlarm(String?, word: String)
    case help, members, missing, quit
    case unknown(Phrase)

    /// A line that starts with one slash is a command, with two a text that starts with one.
    package init(_ line: String) {
        let line = line.trimmingSpaces
        guard line.hasPrefix("/") else {
            self = .say(line)
            return
        }
        if line.hasPrefix("//") {
            self = .say(String(line.dropFirst()))
            return
        }
        let parts = line.split(separator: " ", maxSplits: 1)
        let rest = parts.count > 1 ? String(parts[1]).trimmingSpaces : ""
        switch parts[0] {
        case "/help": self = .help
        case "/members": self = .members
        case "/quit": self = .quit
        case "/missing", "/receipts": self = .missing
        case "/lost": self = .lost(rest)
        case "/found": self = .answerAlarm(rest.isEmpty ? nil : rest, word: "found")
        case "/seen": self = .answerAlarm(rest.isEmpty ? nil : rest, word: "seen")
        case "/coming": self = .answerAlarm(rest.isEmpty ? nil : rest, word: "on-my-way")
        case "/wait": self = .answerAlarm(rest.isEmpty ? nil : rest, word: "wait")
        case "/file", "/image":
            self =
                Self.file(rest, isImage: parts[0] == "/image").map { .send($0) }
                ?? .unknown(Phrase("\(parts[0]) wants the path of a file; words about it may follow"))
        case "/save":
            self = Self.save(rest) ?? .unknown(Phrase("/save wants the id of a file, such as 3fa2c1"))
        case "/announce", "/urgent":
            let isUrgent = parts[0] == "/urgent"
            if rest.isEmpty {
                self = .unknown(Phrase("\(parts[0]) wants a text"))
            } else if rest.hasPrefix("--") {
                self = .unknown(
                    isUrgent
                        ? Phrase("\(parts[0]) takes no options")
                        : Phrase("\(parts[0]) takes no options; /urgent TEXT is for urgent ones"))

            } else {
                self = .announce(rest, isUrgent: isUrgent)
            }
        default: self = .unknown(Phrase("\(parts[0]) is no command; /help lists them"))
        }
    }

    private static func file(_ words: String, isImage: Bool) -> FileToSend? {
        QuotedWord(words).map { FileToSend(path: $0.word, isImage: isImage, caption: $0.rest) }
    }

    private static func save(_ words: String) -> ChatInput? {
        guard let first = QuotedWord(words), let id = IDArgument(first.word) else { return nil }
        if first.rest.isEmpty { return .save(id, directory: nil) }
        guard let second = QuotedWord(first.rest), second.rest.isEmpty else { return nil }
        return .save(id, directory: second.word)
    }

    /// What `/help` shows.
    package static var helpLines: [String] {
        var table = Table()
        let commands = [
            (Phrase(verbatim: "/members"), Phrase("who is in the tour, and who is near")),
            (Phrase("/announce TEXT"), Phrase("tell everybody (guides)")),
            (Phrase("/urgent TEXT"), Phrase("tell everybody, and that it is urgent (guides)")),
            (Phrase("/lost TEXT"), Phrase("you are lost: call the guides")),
            (Phrase(verbatim: "/seen /coming /wait"), Phrase("answer who is lost (guides; a name may follow)")),
            (Phrase("/found NAME"), Phrase("who was lost is found; without NAME: you")),
            (Phrase("/image PATH TEXT"), Phrase("send a picture, and what you say of it")),
            (Phrase("/file PATH TEXT"), Phrase("send a file as it is")),
            (Phrase("/save ID DIR"), Phrase("save a file or picture; without DIR in ~/Downloads")),
            (Phrase(verbatim: "/missing"), Phrase("who lacks your last announcement")),
            (Phrase(verbatim: "/quit"), Phrase("leave the chat (also Ctrl-C, Ctrl-D)")),
            (Phrase("//TEXT"), Phrase("a message that starts with a slash")),
        ]
        for (command, words) in commands { table.add([.init(command), .init(words)]) }
        let more = [
            Phrase("Page up and down scroll; up and down bring back what you wrote."),
            Phrase(
                "★ behind a name: leads the tour. Digits behind it: somebody else has a name that reads the same."),
            Phrase(
                "… with you only   ✓ on another device   ✓✓ with everybody   ✓✓ read by everybody   ✗ refused"),
        ]
        return table.lines(colored: false) + more.map(\.text)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
