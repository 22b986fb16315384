import TourGroup
import TourModel
import TourStore

/// What a user who looks elsewhere may want to be told of. It says what happened, and costs the event loop nothing
/// else: whoever tells it looks at the messages beside the loop.
package enum Arrival: Sendable {
    /// Messages of others, unread.
    case arrived(tour: String, [ArrivedMessage], olderCount: Int)
    /// Something in the tour was marked as read.
    case read(tour: String)
}

/// A message that came a moment ago.
package struct ArrivedMessage: Sendable {
    let stored: StoredEvent

    package var id: String { stored.event.id.hex }

    /// How long before it came it was written, by its author's clock; a clock that is ahead counts as right.
    package var age: Duration {
        .milliseconds(max(0, stored.receivedAt / 1_000 - stored.event.header.clock.milliseconds))
    }

    package var isAnnouncement: Bool { stored.event.header.eventClass == .announcement }
}

extension TourView {
    /// The message as it stands now: it may have been read since it came. Reads the store: not for the event loop.
    /// - Returns: nil for what is no message.
    package func view(_ message: ArrivedMessage) -> MessageView? {
        (try? store.events(tour, idPrefix: message.id))?.first.flatMap(view)
    }
}

extension TourNode {
    /// Of many that come at once only the last are handed on, announcements apart; the others are counted.
    private static let arrivalsAtOnce = 16

    /// A picture of a tour with its name, for telling of messages; nil: it is gone.
    package func picture(ofTour id: String) -> (view: TourView, name: String)? {
        sessions.values.first { $0.tour.hex == id }.map { ($0.view(store), $0.record.name) }
    }

    func noteArrivals(_ arrived: [ArrivedEvent], in tour: TourID) {
        guard let arrivals, let session = sessions[tour] else { return }
        let historyEnd = session.group.roster.historyEnd(for: session.own)
        let messages = arrived.filter { event in
            let header = event.stored.event.header
            return header.author != session.own && !session.formerIDs.contains(header.author)
                && header.clock > historyEnd
                && [.announcement, .chat, .file].contains(header.eventClass)
        }.map { ArrivedMessage(stored: $0.stored) }
        guard !messages.isEmpty else { return }
        let announcements = messages.filter(\.isAnnouncement).suffix(Self.arrivalsAtOnce)
        let others = messages.filter { !$0.isAnnouncement }.suffix(Self.arrivalsAtOnce)
        let told = announcements.count + others.count
        arrivals.yield(.arrived(tour: tour.hex, Array(announcements) + others, olderCount: messages.count - told))
    }
}
