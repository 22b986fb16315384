import TourAPI
import TourModel
import TourWords

/// Somebody who asks to join a tour of ours.
package typealias Asker = AskingView.Asker

extension AskingView {
    /// Those who can be compared by words, without what changes every second.
    package var askers: [Asker] { lasting.asks.filter { !$0.words.isEmpty } }
}

extension AskingView.Asker {
    /// The name that it asks for, safe for the terminal.
    package var shownName: String { TerminalText.safe(name) }

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
        let shared = sameName ? [Phrase("Somebody else asks under this name too: the words tell them apart.")] : []
        return [Phrase("\(shownName) asks to join: \(words.joined(separator: " "))")] + shared
    }
}

/// The digits that a member reads aloud so that others join.
package enum TypedDigits {
    /// - Parameter typed: what stands where a code is expected.
    /// - Returns: the eight digits; nil where that is none of them.
    package static func read(_ typed: [String]) -> String? {
        let digits = typed.joined().withoutInvisibleMarks.filter { !$0.isWhitespace && $0 != "-" }
        return digits.utf8.count == 8 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? digits : nil
    }

    /// In two groups, as they are read out.
    package static func grouped(_ digits: String) -> String { "\(digits.prefix(4)) \(digits.dropFirst(4))" }
}
