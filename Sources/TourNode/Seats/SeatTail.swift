import TourCrypto
import TourGroup
import TourModel
import TourWire

/// What a phone brings of its seat's log.
enum SeatTail {
    /// The events that continue the log, in order; others are passed over.
    /// - Parameter brought: exact bytes, not verified.
    static func continuing(
        _ end: Author.Tail, by brought: [[UInt8]], of member: MemberID, in tour: TourID
    ) -> [Event] {
        var (end, events) = (end, [Event]())
        for bytes in brought.prefix(SeatLimits.tailMax) {
            guard let raw = try? RawEvent(decoding: bytes), raw.header.author == member, raw.header.tour == tour,
                raw.header.sequence == end.sequence + 1, raw.header.previous == end.id
            else { continue }
            let event = Event(raw.header, signature: raw.signature, body: raw.body)
            events.append(event)
            end = Author.Tail(sequence: event.header.sequence, id: event.id)
        }
        return events
    }
}
