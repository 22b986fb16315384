import TourAPI
import TourModel
import TourWords

/// The text after `/reply`: the message, and the answer.
package enum ReplyLine: Hashable, Sendable {
    /// The id of a message, and the answer.
    case answer(String, text: String)
    case unknown(Phrase)

    /// Begins with a message's number, the name of its author (which means the latest message), or six digits of its
    /// id. Names need no quotes: the longest matching one counts.
    package init(_ line: String, in transcript: ChatTranscript) {
        guard let found = Self.target(line, transcript) else {
            self = .unknown(Phrase("Nobody called that has written here: /reply wants a number or a name, and a text."))
            return
        }
        switch found {
        case .message(_, rest: ""):
            self = .unknown(Phrase("There is nothing to send: the answer goes behind the number or the name."))
        case .message(let id, let rest): self = .answer(id, text: rest)
        case .refused(let words): self = .unknown(words)
        }
    }

    private enum Target {
        case message(String, rest: String)
        case refused(Phrase)
    }

    private static func target(_ line: String, _ transcript: ChatTranscript) -> Target? {
        let first = line.prefix { !$0.isWhitespace }
        let rest = trimmed(line.dropFirst(first.count))
        let digits = first.hasPrefix("#") ? first.dropFirst() : first
        if (1...numberDigitsMax).contains(digits.utf8.count), let number = Int(digits) {
            guard let message = transcript.message(number: number), message.isAnswerable else {
                return .refused(Phrase("There is no message #\(number) to answer."))
            }
            return .message(message.id, rest: rest)
        }
        if let named = named(line, transcript) { return named }
        return IDArgument(String(first)).map { .message($0.text, rest: rest) }
    }

    private static func named(_ line: String, _ transcript: ChatTranscript) -> Target? {
        if line.hasPrefix("\""), let quoted = QuotedWord(line) {
            return latest(of: quoted.word, transcript, rest: quoted.rest)
        }
        let ends = line.indices.filter { line[$0].isWhitespace } + [line.endIndex]
        for end in ends.prefix(nameWordsMax).reversed() {
            let rest = trimmed(line[end...])
            if let found = latest(of: String(line[..<end]), transcript, rest: rest) { return found }
        }
        return nil
    }

    private static func latest(of name: String, _ transcript: ChatTranscript, rest: String) -> Target? {
        let folded = DisplayName.folded(name)
        guard !folded.isEmpty else { return nil }
        if let exact = transcript.latest(where: {
            $0.isAnswerable && DisplayName.folded($0.byline.distinct) == folded
        }) {
            return .message(exact.id, rest: rest)
        }
        // By the name alone, without the digits that distinguish it.
        let isCalledSo = { (message: Message) in
            message.isAnswerable && DisplayName.folded(message.byline.given) == folded
        }
        guard let last = transcript.latest(where: isCalledSo) else { return nil }
        guard transcript.latest(where: { isCalledSo($0) && $0.authorID != last.authorID }) == nil else {
            return .refused(
                Phrase("Several are called that: take the message's number, or the digits behind the name."))
        }
        return .message(last.id, rest: rest)
    }

    private static func trimmed(_ text: Substring) -> String { String(text.drop(while: \.isWhitespace)) }

    private static let numberDigitsMax = 2
    private static let nameWordsMax = 12
}
