import TourPresentation
import TourWords

/// The request in a submitted line.
package enum ChatInput: Hashable, Sendable {
    case say(String)
    case announce(String, isUrgent: Bool)
    case send(FileToSend)
    /// A file of the tour, by its id; without a directory it goes to the user's downloads.
    case save(IDArgument, directory: String?)
    case lost(String)
    /// About a member, by name. For `found`, nil means oneself; for the others, the lost member if there is only one.
    case answerAlarm(String?, word: String)
    /// The message and the answer; see `ReplyLine`.
    case reply(String)
    case search(String)
    /// Sends this device's position.
    case here(PlaceArgument)
    /// The words of `tour-chat meet`.
    case meet([String])
    /// Without words: answers the roll call, if it asks this person.
    case present
    case callRoll(String)
    case endRoll, understood
    /// About somebody who asks to join, by the words, as typed.
    case decide([String], isAdmission: Bool)
    case help, members, missing, quit
    case unknown(Phrase)

    /// A line that starts with one slash is a command; one with two is a text that starts with one.
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
        guard let verb = ChatVerb(rawValue: String(parts[0])) else {
            self = .unknown(Phrase("\(parts[0]) is no command; /help lists them"))
            return
        }
        self = Self.input(verb, rest)
    }

    private static func input(_ verb: ChatVerb, _ rest: String) -> ChatInput {
        switch verb {
        case .help: .help
        case .who, .members: .members
        case .quit: .quit
        case .missing, .receipts: .missing
        case .reply:
            rest.isEmpty ? .unknown(Phrase("/reply wants the number of a message or a name, and a text")) : .reply(rest)
        case .search: rest.isEmpty ? .unknown(Phrase("/search wants the words to look for")) : .search(rest)
        case .here: rest.isEmpty ? .present : here(rest)
        case .roll: .callRoll(rest)
        case .endRoll: .endRoll
        case .understood: .understood
        case .admit, .refuse:
            rest.isEmpty
                ? .unknown(Phrase("\(verb.rawValue) wants the words of who asks, or the first of them"))
                : .decide([rest], isAdmission: verb == .admit)
        case .meet: .meet(MeetingLine(rest).words)
        case .lost: .lost(rest)
        case .found: .answerAlarm(rest.isEmpty ? nil : rest, word: "found")
        case .seen: .answerAlarm(rest.isEmpty ? nil : rest, word: "seen")
        case .coming: .answerAlarm(rest.isEmpty ? nil : rest, word: "on-my-way")
        case .wait: .answerAlarm(rest.isEmpty ? nil : rest, word: "wait")
        case .file, .image:
            file(rest, isImage: verb == .image).map { .send($0) }
                ?? .unknown(Phrase("\(verb.rawValue) wants the path of a file; words about it may follow"))
        case .save: save(rest) ?? .unknown(Phrase("/save wants the id of a file, such as 3fa2c1"))
        case .announce, .urgent: announcement(rest, verb)
        }
    }

    private static func announcement(_ text: String, _ verb: ChatVerb) -> ChatInput {
        let isUrgent = verb == .urgent
        if text.isEmpty { return .unknown(Phrase("\(verb.rawValue) wants a text")) }
        guard text.hasPrefix("--") else { return .announce(text, isUrgent: isUrgent) }
        return .unknown(
            isUrgent
                ? Phrase("\(verb.rawValue) takes no options")
                : Phrase("\(verb.rawValue) takes no options; /urgent TEXT is for urgent ones"))
    }

    /// Words, after a place if no receiver is to be used.
    private static func here(_ words: String) -> ChatInput {
        let first = words.prefix { !$0.isWhitespace }
        // A first word of digits and commas counts as a place, even a malformed one.
        let hasPair = first.contains(",") && first.first.map { $0.isNumber || "+-".contains($0) } ?? false
        let isPlace = hasPair || WrittenPlace.isMeant(in: words)
        // Nobody's own position goes out as the place that somebody wrote.
        if !isPlace, WrittenPlace.isWithin(words) { return .unknown(Phrase("the place goes before the words")) }
        do throws(PlaceFault) {
            return .here(try PlaceArgument(isPlace ? words : "gps,\(words)"))
        } catch {
            return .unknown(error.phrase)
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
}

extension String {
    fileprivate var trimmingSpaces: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
