import TourModel
import TourNode

/// What the chat has to show: the messages in the tour's order, as the node told them, and what was said about them.
package struct ChatTranscript {
    package enum Entry: Hashable, Sendable {
        case message(Message)
        /// A word of the program itself, line by line.
        case notice([String])
    }

    /// Older entries are dropped; `messages` still shows them.
    private static let entriesMax = 2_000

    package private(set) var entries: [Entry] = []
    /// The first message that was unread when the chat was opened.
    package private(set) var firstUnread: String?
    private let openedAt: Timestamp
    private var hasAnswered = false

    package init(openedAt: Timestamp) { self.openedAt = openedAt }

    /// Takes messages in order of arrival: a known one is replaced where it stands.
    package mutating func take(_ messages: [Message]) {
        var places = [String: Int]()
        for (index, entry) in entries.enumerated() {
            if case .message(let message) = entry { places[message.id] = index }
        }
        for message in messages {
            if let place = places[message.id] {
                entries[place] = .message(message)
                continue
            }
            if isFirstUnread(message) { firstUnread = message.id }
            places[message.id] = entries.count
            entries.append(.message(message))
        }
        if entries.count > Self.entriesMax { entries.removeFirst(entries.count - Self.entriesMax) }
    }

    /// Forgets everything.
    package mutating func clear() {
        entries = []
        clearUnreadMarker()
    }

    package mutating func note(_ lines: [String]) { entries.append(.notice(lines)) }

    /// The person has answered: what is new now is not what was new at the start.
    package mutating func clearUnreadMarker() {
        hasAnswered = true
        firstUnread = nil
    }

    /// What comes while the chat is open is seen as it comes.
    private func isFirstUnread(_ message: Message) -> Bool {
        guard !hasAnswered, firstUnread == nil, message.isUnread, !message.isMine else { return false }
        return message.receivedAt.map { $0.seconds <= openedAt.seconds } ?? true
    }

    /// The latest announcement of our own that stands.
    package var lastAnnouncement: Message? {
        for case .message(let message) in entries.reversed() where message.isMine && message.type == "announcement" {
            return message
        }
        return nil
    }

    /// The latest file that somebody else has sent.
    package var lastFile: Message? {
        for case .message(let message) in entries.reversed() where message.file != nil && !message.isMine {
            return message
        }
        return nil
    }

    /// Those of these messages that are unread.
    package func unread(among ids: [String]) -> [String] {
        let ids = Set(ids)
        return entries.compactMap { entry in
            guard case .message(let message) = entry, message.isUnread, ids.contains(message.id) else { return nil }
            return message.id
        }
    }
}
