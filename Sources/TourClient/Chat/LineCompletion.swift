import TourModel

/// The completion of the text before the cursor, after Tab.
package struct LineCompletion: Hashable, Sendable {
    /// The names that can be completed, as shown.
    package struct Names: Sendable {
        var members: [String]
        /// Names of members who have written something.
        var authors: [String]
        /// Names of lost members.
        var lost: [String]

        package init(members: [String], authors: [String], lost: [String]) {
            self.members = members
            self.authors = authors
            self.lost = lost
        }
    }

    /// The replacement for the text before the cursor; unchanged where there is nothing to add.
    package let text: String
    /// The possible continuations, if there is more than one.
    package let choices: [String]

    package init(_ text: String, names: Names) {
        let (candidates, start) = Self.candidates(text, names)
        let kept = text[..<start]
        let typed = String(text[start...])
        switch candidates.count {
        case 0: (self.text, choices) = (text, [])
        case 1: (self.text, choices) = (kept + candidates[0] + Self.end(of: candidates[0]), [])
        default:
            let common = Self.common(candidates)
            self.text = common.count > typed.count ? kept + common : text
            choices = candidates
        }
    }

    /// The candidates for the part of the text from `start` on.
    private static func candidates(_ text: String, _ names: Names) -> ([String], start: String.Index) {
        guard text.hasPrefix("/"), !text.hasPrefix("//") else { return named(text, names.members) }
        guard let end = text.firstIndex(where: \.isWhitespace) else {
            return (ChatVerb.allCases.map(\.rawValue).filter { $0.hasPrefix(text) }, text.startIndex)
        }
        let start = text[end...].firstIndex { !$0.isWhitespace } ?? text.endIndex
        let meant: [String]
        switch ChatVerb(rawValue: String(text[..<end]))?.object {
        case .author: meant = beginning(with: String(text[start...]), names.authors)
        case .lost: meant = beginning(with: String(text[start...]), names.lost)
        case .nothing: return ([], text.endIndex)
        case .text, nil: meant = []
        }
        return meant.isEmpty ? named(text, names.members) : (meant, start)
    }

    /// Names in the middle of a text: tries as many of its last words as begin a name.
    private static func named(_ text: String, _ names: [String]) -> ([String], start: String.Index) {
        guard let last = text.last, !last.isWhitespace else { return ([], text.endIndex) }
        let starts = text.indices.filter { index in
            !text[index].isWhitespace && (index == text.startIndex || text[text.index(before: index)].isWhitespace)
        }
        for start in starts.suffix(nameWordsMax) {
            let found = beginning(with: String(text[start...]), names)
            if !found.isEmpty { return (found, start) }
        }
        return ([], text.endIndex)
    }

    private static func beginning(with typed: String, _ names: [String]) -> [String] {
        let folded = DisplayName.folded(typed)
        guard !folded.isEmpty || typed.isEmpty else { return [] }
        return names.filter { DisplayName.folded($0).hasPrefix(folded) }
    }

    private static func end(of candidate: String) -> String {
        ChatVerb(rawValue: candidate)?.object == .nothing ? "" : " "
    }

    /// The longest common beginning of these names, regardless of case and accents.
    private static func common(_ names: [String]) -> String {
        guard let first = names.first else { return "" }
        var count = first.count
        for name in names.dropFirst() {
            let same = zip(first, name).prefix { isSame($0, $1) }.count
            count = min(count, same)
        }
        return String(first.prefix(count))
    }

    private static func isSame(_ left: Character, _ right: Character) -> Bool {
        if left == right { return true }
        let folded = DisplayName.folded(String(left))
        return !folded.isEmpty && folded == DisplayName.folded(String(right))
    }

    private static let nameWordsMax = 6
}
