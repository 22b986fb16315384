import TourAPI
import TourModel
import TourStore

/// Stored messages being listed, with a few hundred in memory at a time.
package struct MessageListing: Sendable {
    private let view: TourView
    private var cursor: MessageCursor
    private let words: Words
    /// In a search, how many of the last matching messages to give; nil without words, where the store's cursor
    /// counts.
    private var found: Int?

    init(view: TourView, query: MessageQuery, selection: TourView.Selection) {
        self.view = view
        words = Words(selection.words)
        var query = query
        if selection.words.isEmpty {
            query.limit = selection.limit
            query.last = selection.limit != nil
        } else {
            found = selection.limit
        }
        cursor = MessageCursor(query)
    }

    /// Reads and opens the next messages. Blocks: not for the event loop.
    /// - Returns: nil at the end. A stretch of rows without a visible message gives an empty array.
    package mutating func next() throws -> [Message]? {
        if let limit = found {
            found = nil
            return try lastFound(limit)
        }
        let stored = try view.store.next(&cursor, view.tour)
        return stored.isEmpty ? nil : shown(stored)
    }

    // Opens and reads every message: no text is stored in a form that an index could use.
    private mutating func lastFound(_ limit: Int) throws -> [Message] {
        var last = [Message]()
        while true {
            let stored = try view.store.next(&cursor, view.tour)
            if stored.isEmpty { return last }
            last = Array((last + shown(stored)).suffix(limit))
        }
    }

    private func shown(_ stored: [StoredEvent]) -> [Message] {
        stored.compactMap { view.view($0) }.filter { words.areIn($0) }
    }
}

/// The words of a search: a message matches if its text or its file's name contains all of them, regardless of case
/// and accents.
package struct Words: Sendable {
    /// Nil: nothing is sought. Empty: what is sought has no letter or sign, and is in no message.
    private let folded: [String]?

    package init(_ words: [String]) {
        folded = words.isEmpty ? nil : words.map(FoldedText.of).filter { !$0.isEmpty }
    }

    /// Whether a message contains all words.
    package func areIn(_ message: Message) -> Bool {
        guard let folded else { return true }
        let name = message.metadata.file.map { "\n" + $0.name } ?? ""
        let text = FoldedText.of(message.content + name)
        return !folded.isEmpty && folded.allSatisfy { text.contains($0) }
    }
}
