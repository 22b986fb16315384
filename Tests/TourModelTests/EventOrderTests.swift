import Testing
import TourModel

/// Goal: the tour's order is clock, then author, then sequence; the exact bytes stand where the specification puts
/// them.
struct EventOrderTests {
    private func event(clock: UInt64, author: UInt8, sequence: UInt64) -> Event {
        let header = EventHeader(
            eventClass: .chat, tour: .none, author: MemberID(raw: Bytes32([UInt8](repeating: author, count: 32))!),
            sequence: sequence, previous: .none, clock: LogicalClock(value: clock), epoch: .none)
        let rest = [UInt8](repeating: 0, count: Event.signatureLength)
        return Event(header: header, id: .none, bytes: header.exactBytes + rest)
    }

    @Test func clockThenAuthorThenSequence() {
        let order = [
            event(clock: 1, author: 9, sequence: 9), event(clock: 2, author: 1, sequence: 8),
            event(clock: 2, author: 1, sequence: 9), event(clock: 2, author: 3, sequence: 1),
            event(clock: 3, author: 0, sequence: 1),
        ]
        for (left, first) in order.enumerated() {
            for (right, second) in order.enumerated() {
                #expect(Event.precedes(first, second) == (left < right))
            }
        }
    }

    @Test func headerHasItsLength() {
        let header = event(clock: 0x0102_0304_0506_0708, author: 7, sequence: 0x1112).header
        let bytes = header.exactBytes
        #expect(bytes.count == EventHeader.length)
        #expect(bytes[0] == 1)
        #expect(bytes[1] == 2)
        #expect(bytes[34..<66].allSatisfy { $0 == 7 })
        #expect(Array(bytes[66..<74]) == [0, 0, 0, 0, 0, 0, 0x11, 0x12])
        #expect(Array(bytes[106..<114]) == [1, 2, 3, 4, 5, 6, 7, 8])
    }
}
