/// What is typed behind `/meet`, as words for `tour-chat meet`.
///
/// In a chat nobody thinks of quotes: what stands between the place and the first option is one text, and a place in
/// the south may stand first.
package struct MeetingLine: Hashable, Sendable {
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
