/// The first word of a typed line, which may contain blanks: in quotes, or escaped by backslashes, as terminals write
/// the paths of files that are dragged into them.
package struct QuotedWord: Hashable, Sendable {
    /// Without quotes and backslashes.
    package let word: String
    /// The rest of the line, without the blanks after the word.
    package let rest: String

    /// - Returns: nil for a line without a word, and for an unclosed quote.
    package init?(_ line: String) {
        var word = ""
        var quote: Character?
        var rest = line.drop(while: \.isWhitespace)
        guard !rest.isEmpty else { return nil }
        while let character = rest.popFirst() {
            if character == "\\", quote != "'" {
                guard let next = rest.popFirst() else { return nil }
                word.append(next)
            } else if character == quote {
                quote = nil
            } else if quote != nil {
                word.append(character)
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character.isWhitespace {
                break
            } else {
                word.append(character)
            }
        }
        guard quote == nil, !word.isEmpty else { return nil }
        self.word = word
        self.rest = String(rest.drop(while: \.isWhitespace))
    }

    /// All words of a line; if quotes are not closed, the words between blanks: an apostrophe is no quote.
    package static func all(in line: String) -> [String] {
        var words = [String]()
        var rest = line
        while let first = QuotedWord(rest) {
            words.append(first.word)
            rest = first.rest
        }
        return rest.isBlank ? words : line.split(whereSeparator: \.isWhitespace).map { String($0) }
    }
}
