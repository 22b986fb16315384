import TourAPI
import TourGroup
import TourModel
import TourStore

/// An event that a user who is looking elsewhere may want to be notified of. Costs the event loop little: the
/// receiver reads the messages off the loop.
package enum Arrival: Sendable {
    /// Unread messages of others.
    case arrived(tour: String, [ArrivedMessage], olderCount: Int)
    /// The user read messages of the tour.
    case read(tour: String)
}

/// A message that arrived a moment ago.
package struct ArrivedMessage: Sendable {
    let stored: StoredEvent

    package var id: String { stored.event.id.hex }

    /// How long before its arrival the message was written, by its author's clock; at least zero, for a clock that is
    /// ahead.
    package var age: Duration {
        .milliseconds(max(0, stored.receivedAt / 1_000 - stored.event.header.clock.milliseconds))
    }

    /// Whether it is an announcement.
    package var isAnnouncement: Bool { stored.event.header.eventClass == .announcement }
}

extension TourView {
    /// The message as it stands now: the user may have read it since. Reads the store: not for the event loop.
    /// - Returns: nil for an event that is no message.
    package func view(_ message: ArrivedMessage) -> Message? {
        (try? store.events(tour, idPrefix: message.id))?.first.flatMap(view)
    }
}

extension TourNode {
    /// Of many that arrive at once only the last are passed on, announcements separately; the others are counted.
    private static let arrivalsAtOnce = 16

    /// A snapshot of a tour with its name, for notifications; nil: the tour is gone.
    package func picture(ofTour id: String) -> (view: TourView, name: String)? {
        sessions.values.first { $0.tour.hex == id }.map { ($0.view(store), $0.record.name) }
    }

    func notifyOfArrivals(_ arrived: [ArrivedEvent], in tour: TourID) {
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
