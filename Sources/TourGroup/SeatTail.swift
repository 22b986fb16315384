import TourCrypto
import TourModel
import TourWire

/// The end of a seat's log, which its phone keeps until another member has it.
/// Source: `Protocol/15-seats.md`, "One place, one writer".
package enum SeatTail {
    /// The most events that a phone keeps.
    package static let eventsMax = 256
    /// Their bytes.
    package static let bytesMax = 512 * 1_024

    /// The events of what a phone brings that continue the log, in order; others are passed over.
    /// - Parameter brought: exact bytes, not verified.
    package static func continuing(
        _ end: Author.Tail, by brought: [[UInt8]], of member: MemberID, in tour: TourID
    ) -> [Event] {
        var (end, events) = (end, [Event]())
        for bytes in brought.prefix(eventsMax) {
            guard let raw = try? RawEvent(decoding: bytes), raw.header.author == member, raw.header.tour == tour,
                raw.header.sequence == end.sequence + 1, raw.header.previous == end.id
            else { continue }
            let event = Event(raw.header, signature: raw.signature, body: raw.body)
            events.append(event)
            end = Author.Tail(sequence: event.header.sequence, id: event.id)
        }
        return events
    }

    /// As much of a log's end as a phone keeps: of more it would drop the oldest.
    /// - Parameters:
    ///   - first: where the tail begins, if it is not too long.
    ///   - event: returns the event at a place of the log.
    package static func newest(
        through last: UInt64, from first: UInt64, _ event: (_ sequence: UInt64) -> Event?
    ) -> [Event] {
        var (events, bytes) = ([Event](), 0)
        var place = last
        while place >= max(first, 1), events.count < eventsMax, let event = event(place) {
            bytes += event.bytes.count
            guard bytes <= bytesMax else { break }
            events.append(event)
            place -= 1
        }
        return events.reversed()
    }
}
