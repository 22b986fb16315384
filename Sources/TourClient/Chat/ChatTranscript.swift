import TourAPI
import TourModel

/// The contents of the chat: the messages in the tour's order, as the node reported them, and notices about them.
package struct ChatTranscript {
    /// An item of the transcript.
    package enum Entry: Hashable, Sendable {
        case message(Message)
        /// A notice of the program itself, line by line.
        case notice([String])
    }

    /// Older entries are dropped; `messages` still shows them.
    private static let entriesMax = 2_000

    /// Messages and notices, top to bottom.
    package private(set) var entries: [Entry] = []
    /// The first message that was unread when the chat was opened.
    package private(set) var firstUnread: String?
    private let openedAt: Timestamp
    private var hasAnswered = false
    private var numbers = MessageNumbers()

    package init(openedAt: Timestamp) { self.openedAt = openedAt }

    /// Adds messages in order of arrival; replaces a known message in its place.
    package mutating func merge(_ messages: [Message]) {
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

    /// Adds a notice.
    package mutating func addNotice(_ lines: [String]) { entries.append(.notice(lines)) }

    /// The user has answered: messages that are new now were not new at the start.
    package mutating func clearUnreadMarker() {
        hasAnswered = true
        firstUnread = nil
    }

    /// Messages that arrive while the chat is open are seen at once.
    private func isFirstUnread(_ message: Message) -> Bool {
        guard !hasAnswered, firstUnread == nil, message.unread, !message.mine else { return false }
        return message.receivedTime.map { $0.seconds <= openedAt.seconds } ?? true
    }

    /// The number by which one of the latest messages can be answered.
    package func number(of id: String) -> Int? { numbers.number(of: id) }

    /// The message with that number.
    package func message(number: Int) -> Message? {
        guard let id = numbers.id(of: number) else { return nil }
        return latest { $0.id == id }
    }

    /// The latest message that matches.
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

    /// Our own latest announcement that stands.
    package var lastAnnouncement: Message? { latest { $0.mine && $0.type == "announcement" } }

    /// The latest file from another member.
    package var lastFile: Message? { latest { $0.file != nil && !$0.mine } }

    /// Those of these messages that are unread.
    package func unread(among ids: [String]) -> [String] {
        let ids = Set(ids)
        return entries.compactMap { entry in
            guard case .message(let message) = entry, message.unread, ids.contains(message.id) else { return nil }
            return message.id
        }
    }
}
