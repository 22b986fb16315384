/// What a submitted line asks for.
package enum ChatInput: Hashable, Sendable {
    case say(String)
    case announce(String, isUrgent: Bool)
    case send(FileToSend)
    /// A file of the tour, by its id; without a directory where such things go.
    case save(IDArgument, directory: String?)
    case help, members, missing, quit
    case unknown(String)

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
        case "/file", "/image":
            self =
                Self.file(rest, isImage: parts[0] == "/image").map { .send($0) }
                ?? .unknown("\(parts[0]) wants the path of a file; words about it may follow")
        case "/save": self = Self.save(rest) ?? .unknown("/save wants the id of a file, such as 3fa2c1")
        case "/announce", "/urgent":
            let isUrgent = parts[0] == "/urgent"
            if rest.isEmpty {
                self = .unknown("\(parts[0]) wants a text")
            } else if rest.hasPrefix("--") {
                let hint = isUrgent ? "" : "; /urgent TEXT is for urgent ones"
                self = .unknown("\(parts[0]) takes no options\(hint)")
            } else {
                self = .announce(rest, isUrgent: isUrgent)
            }
        default: self = .unknown("\(parts[0]) is no command; /help lists them")
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

    package static let helpLines = [
        "/members          who is in the tour, and who is near",
        "/announce TEXT    tell everybody (guides)",
        "/urgent TEXT      tell everybody, and that it is urgent (guides)",
        "/image PATH TEXT  send a picture, and what you say of it",
        "/file PATH TEXT   send a file as it is",
        "/save ID DIR      save a file or picture; without DIR in ~/Downloads",
        "/missing          who lacks your last announcement",
        "/quit             leave the chat (also Ctrl-C, Ctrl-D)",
        "//TEXT            a message that starts with a slash",
        "Page up and down scroll; up and down bring back what you wrote.",
        "★ behind a name: leads the tour. Digits behind it: somebody else has a name that reads the same.",
        "… with you only   ✓ on another device   ✓✓ with everybody   ✓✓ read by everybody   ✗ refused",
    ]
}

extension String {
    fileprivate var trimmingSpaces: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
