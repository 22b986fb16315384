import TourModel

/// A time to meet, as people write it in the languages of the page: `14:00`, `14h30`, `5:30 pm`, `in 15 min`,
/// `1 h 30 min`, `+15`.
package enum MeetingTime: Hashable, Sendable {
    /// The next time that a local clock shows this: today, or tomorrow.
    case clock(ClockTime)
    /// From now: 1 to `minutesMax`.
    case minutes(Int)

    /// The time that a text says, or why there is none.
    package enum Reading: Hashable, Sendable {
        case time(MeetingTime)
        /// About a time, and nobody can be sure which: `half past five`, `5h`, `14:00 or 15:00`, `25:00`.
        case unclear
        /// Other words.
        case none
    }

    /// A day.
    package static let minutesMax = 24 * 60

    /// - Returns: nil for anything else, and for a bare number: 15 could mean an hour as well as minutes.
    package init?(_ text: String) {
        guard case .time(let time) = Self.read(text) else { return nil }
        self = time
    }

    /// Reads a text that is a time, all of it.
    package static func read(_ text: String) -> Reading {
        MeetingTimeReader(within: text[...]).reading
    }

    /// The moment meant at `now`.
    package func moment(after now: Timestamp) -> Timestamp {
        switch self {
        case .clock(let clock): clock.next(after: now)
        case .minutes(let minutes): Timestamp(seconds: now.seconds + minutes * 60)
        }
    }

    /// `Reception, 14:00`, `Reception at 14:00`: words, and the time at their end.
    /// - Returns: the unchanged text if there is no time, or no words before it.
    package static func split(_ text: String) -> (words: String, time: Reading) {
        var isUnclear = false
        // The longest end that is a time: `at 14:00`, and not `14:00`.
        for start in starts(in: text) {
            let words = wordsAlone(text[..<start])
            guard !words.isEmpty else { continue }
            let reader = MeetingTimeReader(within: text[start...])
            let isListed = text[..<start].last { !$0.isWhitespace }.map(commas.contains) ?? false
            switch reader.reading {
            // `Room 2.14` is no time of the night.
            case .time where reader.isDecimal && !isListed: isUnclear = true
            case .time(let time):
                // `14:00 - 15:00`: which of them?
                let isAlone = split(words).time == .none && !MeetingTimeReader(within: words[...]).isSurelyTime
                return isAlone && !isUnclear ? (words, .time(time)) : (text, .unclear)
            case .unclear where reader.isQualified: return (text, .unclear)
            case .unclear where isListed || !reader.mayBeName:
                // Numbers may belong to the words: `Gate 2 at 14:00`.
                isUnclear = isUnclear || !starts(in: text).contains { $0 > start && isTime(text[$0...]) }
            case .unclear, .none: break
            }
        }
        return (text, isUnclear || beginsWithClock(text) ? .unclear : .none)
    }

    /// `14:00 Reception`: nobody can be sure where the words begin.
    private static func beginsWithClock(_ text: String) -> Bool {
        starts(in: text).contains { start in
            let reader = MeetingTimeReader(within: wordsAlone(text[..<start])[...])
            guard case .time(.clock) = reader.reading else { return false }
            return !reader.isDecimal
        }
    }

    private static let commas: Set<Character> = [",", "،", "、", "，"]

    private static func isTime(_ text: Substring) -> Bool { MeetingTime(String(text)) != nil }

    /// Where a time may begin: behind a blank, a comma, or a letter of a script that writes no blanks.
    private static func starts(in text: String) -> [String.Index] {
        text.indices.filter { index in
            guard index > text.startIndex, !text[index].isWhitespace else { return false }
            let before = text[text.index(before: index)]
            if before.isWhitespace || commas.contains(before) { return true }
            return (text[index].isWholeNumber || text[index] == "午") && isUnspaced(before)
        }
    }

    /// Whether it is kana or a Chinese character.
    private static func isUnspaced(_ character: Character) -> Bool {
        character.unicodeScalars.first.map {
            (0x3040...0x30FF).contains($0.value) || (0x4E00...0x9FFF).contains($0.value)
        } ?? false
    }

    /// Without blanks, and what only links them to the time.
    private static func wordsAlone(_ text: Substring) -> String {
        var words = text
        while let last = words.last, last.isWhitespace || commas.contains(last) || "-–—/~〜;".contains(last) {
            words.removeLast()
        }
        return String(words)
    }
}
