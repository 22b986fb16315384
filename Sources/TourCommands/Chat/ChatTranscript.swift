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
    private var numbers = MessageNumbers()

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
            numbers.give(message.id)
            places[message.id] = entries.count
            entries.append(.message(message))
        }
        if entries.count > Self.entriesMax { entries.removeFirst(entries.count - Self.entriesMax) }
    }

    /// Forgets everything.
    package mutating func clear() {
        entries = []
        numbers = MessageNumbers()
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

    /// Of one of the latest messages, the number to answer it by.
    package func number(of id: String) -> Int? { numbers.number(of: id) }

    /// The message with that number.
    package func message(number: Int) -> Message? {
        guard let id = numbers.id(of: number) else { return nil }
        return latest { $0.id == id }
    }

    /// The latest message that is so.
    package func latest(where isWanted: (Message) -> Bool) -> Message? {
        for case .message(let message) in entries.reversed() where isWanted(message) { return message }
        return nil
    }

    /// All messages by their ids.
    package var messages: [String: Message] {
        var messages = [String: Message](minimumCapacity: entries.count)
        for case .message(let message) in entries { messages[message.id] = message }
        return messages
    }

    /// The latest announcement of our own that stands.
    package var lastAnnouncement: Message? { latest { $0.isMine && $0.type == "announcement" } }

    /// The latest file that somebody else has sent.
    package var lastFile: Message? { latest { $0.file != nil && !$0.isMine } }

    /// Those of these messages that are unread.
    package func unread(among ids: [String]) -> [String] {
        let ids = Set(ids)
        return entries.compactMap { entry in
            guard case .message(let message) = entry, message.isUnread, ids.contains(message.id) else { return nil }
            return message.id
        }
    }
}
