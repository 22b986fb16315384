import TourPresentation

/// The text after `/meet`, split into words for `tour-chat meet`.
///
/// Nobody thinks of quotes in a chat: the words between the place and the first option are one text, and the place
/// may begin with a minus sign, for the south.
package struct MeetingLine: Hashable, Sendable {
    /// The arguments of `tour-chat meet`.
    package let words: [String]

    package init(_ line: String) {
        var arguments = [String]()
        var rest = line
        // Before the quotes: the signs for minutes and seconds are some. A label at its comma may be in quotes.
        if let place = WrittenPlace(line), place.rest.first.map({ $0.isWhitespace }) ?? true {
            arguments.append("\(place.coordinate)")
            rest = place.rest
        }
        let typed = QuotedWord.all(in: rest)
        var text = typed.prefix { !Self.isOption($0) }
        let options = Array(typed.dropFirst(text.count))
        if arguments.isEmpty, let first = text.first, (try? PlaceArgument(first)) != nil {
            arguments.append(first)
            text = text.dropFirst()
        }
        if !text.isEmpty { arguments.append(text.joined(separator: " ")) }
        words = arguments.contains { $0.hasPrefix("-") } ? options + ["--"] + arguments : arguments + options
    }

    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.dropFirst().prefix(1).allSatisfy(\.isNumber)
    }
}
