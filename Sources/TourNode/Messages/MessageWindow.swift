import TourAPI
import TourModel
import TourStore

/// A few consecutive messages of a tour, for a client that shows a part of it at a time.
package struct MessageWindow: Sendable {
    /// Which messages, relative to one that the client has.
    package enum Place: Hashable, Sendable {
        case last
        case before(String)
        case after(String)
        /// Including the message itself.
        case around(String)
        /// Around the first message that was not displayed; the last ones where all were.
        case unread
    }

    /// In the tour's order.
    package var messages: [Message]
    /// Whether the tour has more messages before these.
    package var more: Bool

    /// The largest number read at once on either side.
    package static let countMax = 500
}

extension TourView {
    /// Reads and opens messages. Blocks: not for the event loop.
    /// - Parameters:
    ///   - count: from 1; around a message, this many on either side.
    ///   - throughRow: leaves out rows stored after this one.
    ///   - classes: only events of these; nil: of all.
    /// - Throws: `NodeError` for an id that no message has.
    package func window(
        _ place: MessageWindow.Place, count: Int, throughRow: Int64? = nil, classes: Set<EventClass>? = nil
    ) throws -> MessageWindow {
        let count = min(max(count, 1), MessageWindow.countMax)
        var query = listed
        query.throughRow = throughRow
        query.classes = classes
        switch place {
        case .last: return try last(count, query)
        case .before(let id):
            query.beforePosition = MessagePosition(try event(idPrefix: id))
            return try last(count, query)
        case .after(let id):
            query.afterPosition = MessagePosition(try event(idPrefix: id))
            return MessageWindow(messages: try shown(query, count: count), more: true)
        case .around, .unread:
            guard let centre = try centre(of: place) else { return try last(count, query) }
            var later = query
            later.afterPosition = MessagePosition(centre)
            query.beforePosition = later.afterPosition
            let earlier = try last(count, query)
            return MessageWindow(
                messages: earlier.messages + [view(centre)].compactMap(\.self) + (try shown(later, count: count)),
                more: earlier.more)
        }
    }

    private func centre(of place: MessageWindow.Place) throws -> StoredEvent? {
        if case .around(let id) = place { return try event(idPrefix: id) }
        return try firstUnread()
    }

    private func last(_ count: Int, _ query: MessageQuery) throws -> MessageWindow {
        var query = query
        query.last = true
        let found = try shown(query, count: count + 1)
        return MessageWindow(messages: found.suffix(count), more: found.count > count)
    }

    /// Reads up to `count` visible messages: some stored events cannot be shown.
    private func shown(_ query: MessageQuery, count: Int) throws -> [Message] {
        var query = query
        query.limit = count
        var found = [Message]()
        while true {
            let stored = try store.messages(tour, query)
            let views = stored.compactMap(view)
            found = query.last ? views + found : found + views
            let end = query.last ? stored.first : stored.last
            guard let end, stored.count == count, found.count < count else { break }
            try query.goOn(from: end)
        }
        return query.last ? found.suffix(count) : Array(found.prefix(count))
    }
}
