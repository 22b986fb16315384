/// What a submitted line asks for.
package enum ChatInput: Hashable, Sendable {
    case say(String)
    case announce(String, isUrgent: Bool)
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

    package static let helpLines = [
        "/members          who is in the tour, and who is near",
        "/announce TEXT    tell everybody (guides)",
        "/urgent TEXT      tell everybody, and that it is urgent (guides)",
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
