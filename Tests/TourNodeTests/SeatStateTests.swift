import Testing
import TourGossip
import TourModel
import TourNode
import TourWire

/// Goal: what logs say of guests does not depend on the order in which they arrive; a pass lets in as many as it says;
/// a row says what the phone has, and no more.
/// Method: the values alone.
struct SeatStateTests {
    private static func member(_ number: UInt8) -> MemberID {
        MemberID(raw: Bytes32([UInt8](repeating: number, count: Bytes32.count)) ?? .zero)
    }

    private static func header(_ author: MemberID, _ sequence: UInt64) -> EventHeader {
        EventHeader(
            eventClass: .profile, tour: TourID(raw: .zero), author: author, sequence: sequence, previous: .none,
            clock: LogicalClock(value: sequence), epoch: .none)
    }

    @Test func theLastRecordCounts() {
        let (guest, first, second) = (Self.member(1), Self.member(2), Self.member(3))
        let keys = [UInt8](repeating: 0, count: SeatRecord.keysBytes)
        let records = [(first, UInt64(1)), (second, 5), (first, 9)]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            var book = SeatBook()
            for place in order {
                book.record(
                    SeatRecord(host: records[place].0, keys: keys), Self.header(guest, records[place].1))
            }
            #expect(book.host(of: guest) == first)
            #expect(book.guests(with: first) == [guest] && book.guests(with: second).isEmpty)
            #expect(book.everWith(second) == [guest] && book.everWith(first) == [guest])
        }
    }

    @Test func aPassIsGoodForItsUsesAndItsTime() throws {
        var pass = SeatPass(uses: 2, endsAt: 1_000)
        let secret = pass.secret
        #expect(throws: NodeError.seat(.badPass)) { try pass.use([1, 2], wallMilliseconds: 0) }
        #expect(throws: NodeError.seat(.passExpired)) { try pass.use(secret, wallMilliseconds: 1_000) }
        try pass.use(secret, wallMilliseconds: 999)
        var stored = try #require(SeatPass(stored: pass.stored))
        #expect(stored == pass)
        try stored.use(secret, wallMilliseconds: 999)
        #expect(throws: NodeError.seat(.passUsedUp)) { try stored.use(secret, wallMilliseconds: 999) }
        stored.giveBack()
        try stored.use(secret, wallMilliseconds: 999)
        #expect(SeatPass(stored: [1]) == nil)
    }

    @Test func aRowSaysWhatThePhoneHas() {
        let (one, two) = (Self.member(1), Self.member(2))
        var rng = SplitMix64(seed: 1)
        var rows = SeatRows()
        let start = Instant(microseconds: 0)
        let settled = (WholeFrontier(through: LogicalClock(value: 9), digest: 7), [one: UInt64(3), two: 2])
        func facts(_ has: [MemberID: UInt64], stated: [UInt64: UInt64] = [:]) -> SeatRows.Facts {
            let known = has.map { ($0, KnownHead(prefix: $0.prefix, sequence: $1, id: .none)) }
            return SeatRows.Facts(
                has: Frontier(has), known: Dictionary(uniqueKeysWithValues: known), stated: stated, settled: settled,
                read: .zero, members: 2)
        }
        let behind = rows.next(facts([one: 1]), now: start, using: &rng)
        #expect(behind?.whole == nil && behind?.heads == [KnownHead(prefix: one.prefix, sequence: 1, id: .none)])
        let stated = [one.prefix: UInt64(1)]
        #expect(rows.next(facts([one: 1], stated: stated), now: start + .seconds(5), using: &rng) == nil)
        #expect(rows.next(facts([one: 4, two: 2], stated: stated), now: start + .milliseconds(10), using: &rng) == nil)
        let whole = rows.next(facts([one: 4, two: 2], stated: stated), now: start + .seconds(6), using: &rng)
        #expect(whole?.whole == settled.0)
        #expect(whole?.heads == [KnownHead(prefix: one.prefix, sequence: 4, id: .none)])
        let sign = rows.next(
            facts([one: 4, two: 2], stated: [one.prefix: 4, two.prefix: 2]), now: start + .seconds(17), using: &rng)
        #expect(sign?.heads.isEmpty == true && sign?.whole == settled.0, "a sign of life")
    }
}
