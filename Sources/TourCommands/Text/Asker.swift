import TourJSON
import TourWords

/// Somebody who asks to join a tour of ours. Source: `Protocol/Schema/local-api.yaml`, `Asking`.
package struct Asker: Hashable, Sendable {
    /// The number that the node gave this ask.
    package let id: String
    /// As the asker claims it, safe for the terminal.
    package let name: String
    /// Shown on both devices, for two people to compare.
    package let words: [String]
    /// Somebody else asks under the same name.
    package let sharesName: Bool

    /// - Returns: nil for anything else than an ask.
    package init?(_ ask: JSON) {
        guard let id = ask["id"]?.text, let words = ask["words"]?.list?.compactMap(\.text), !words.isEmpty else {
            return nil
        }
        self.id = id
        self.words = words
        name = TerminalText.safe(ask.shown("name"))
        sharesName = ask["sameName"]?.flag == true
    }

    /// The askers of an answer of the node, in its order.
    package static func all(in asking: JSON) -> [Asker] { asking["asks"]?.list?.compactMap { Asker($0) } ?? [] }

    /// Whether these words, as typed, mean this asker: its id, or its words from the first one on.
    package func isMeant(by typed: [String]) -> Bool {
        if typed == [id] { return true }
        let parts = Self.words(in: typed)
        return !parts.isEmpty && words.starts(with: parts)
    }

    /// Whether these words, as typed, are all of this asker's, or its id: one word alone compares next to nothing.
    package func isCompared(by typed: [String]) -> Bool { typed == [id] || Self.words(in: typed) == words }

    /// The words in what somebody typed: cases and dashes do not matter.
    package static func words(in typed: [String]) -> [String] {
        typed.flatMap { $0.lowercased().split { $0.isWhitespace || $0 == "-" } }.map { String($0) }
    }

    /// The lines of a notice about this asker.
    package var lines: [Phrase] {
        let shared = sharesName ? [Phrase("Somebody else asks under this name too: the words tell them apart.")] : []
        return [Phrase("\(name) asks to join: \(words.joined(separator: " "))")] + shared
    }
}

/// The digits that a member reads aloud so that others join.
package enum TypedDigits {
    /// - Parameter typed: what stands where a code is expected.
    /// - Returns: the eight digits; nil where that is none of them.
    package static func read(_ typed: [String]) -> String? {
        let digits = typed.joined().filter { !$0.isWhitespace && $0 != "-" }
        return digits.utf8.count == 8 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? digits : nil
    }

    /// In two groups, as they are read out.
    package static func grouped(_ digits: String) -> String { "\(digits.prefix(4)) \(digits.dropFirst(4))" }
}
