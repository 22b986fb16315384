import TourModel
import TourWire

/// The words of a tour that this device could open: its own member's and those of its guests, between one person and
/// the guides. Source: `Protocol/05-events.md`, "Asides".
package struct AsideState: Sendable {
    /// The most words kept of one author: its newest.
    package static let wordsOfMemberMax = 512

    private var words: [EventID: AsideWord] = [:]
    private var written: [MemberID: [(sequence: UInt64, id: EventID)]] = [:]
    /// Calls for help to the guides alone, and the answers to them. Those that everybody sees stand elsewhere, since
    /// neither kind ends the other.
    package var alarms = AlarmState()

    package init() {}

    /// The word that an event says; nil for one that this device could not open.
    package func word(of event: EventID) -> AsideWord? { words[event] }

    /// Records a word.
    package mutating func record(_ word: AsideWord, _ header: EventHeader, _ id: EventID) {
        guard words.updateValue(word, forKey: id) == nil else { return }
        var own = written[header.author] ?? []
        let place = own.lastIndex { $0.sequence < header.sequence }.map { $0 + 1 } ?? 0
        own.insert((header.sequence, id), at: place)
        if own.count > Self.wordsOfMemberMax { words[own.removeFirst().id] = nil }
        written[header.author] = own
    }
}
