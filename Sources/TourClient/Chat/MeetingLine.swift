/// The text after `/meet`, split into words for `tour-chat meet`.
///
/// Nobody thinks of quotes in a chat: the words between the place and the first option are one text, and the place
/// may begin with a minus sign, for the south.
package struct MeetingLine: Hashable, Sendable {
    /// The arguments of `tour-chat meet`.
    package let words: [String]

    package init(_ line: String) {
        let typed = QuotedWord.all(in: line)
        let inFront = typed.prefix { !Self.isOption($0) }
        let options = Array(typed.dropFirst(inFront.count))
        var arguments = [String]()
        var text = inFront
        if let first = text.first, (try? PlaceArgument(first)) != nil {
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
