import Testing
import TourCrypto
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

    @Test func wrongDigitsAreCountedInAllAndEndTheDigitsAlone() throws {
        var pass = SeatPass(uses: 2, endsAt: 1_000)
        let wrong = try #require(SpokenDigits(parsing: pass.digits.text == "12345678" ? "87654321" : "12345678"))
        let right = pass.digits
        #expect(try pass.secret(for: right, wallMilliseconds: 0) == pass.secret)
        for _ in 1..<SeatLimits.digitTriesMax {
            #expect(throws: NodeError.seat(.wrongDigits)) { try pass.secret(for: wrong, wallMilliseconds: 0) }
            // To store it in between gives nobody more tries.
            pass = try #require(SeatPass(stored: pass.stored))
        }
        #expect(!pass.areDigitsSpent)
        #expect(try pass.secret(for: right, wallMilliseconds: 0) == pass.secret)
        #expect(throws: NodeError.seat(.digitsSpent)) { try pass.secret(for: wrong, wallMilliseconds: 0) }
        #expect(pass.areDigitsSpent)
        #expect(throws: NodeError.seat(.digitsSpent)) { try pass.secret(for: right, wallMilliseconds: 0) }
        try pass.use(pass.secret, wallMilliseconds: 0)
    }

    @Test func digitsEndWithThePassAndItsUses() throws {
        var pass = SeatPass(uses: 1, endsAt: 1_000)
        let digits = pass.digits
        #expect(throws: NodeError.seat(.passExpired)) { try pass.secret(for: digits, wallMilliseconds: 1_000) }
        try pass.use(pass.secret, wallMilliseconds: 0)
        #expect(throws: NodeError.seat(.passUsedUp)) { try pass.secret(for: digits, wallMilliseconds: 0) }
        #expect(pass.digitTriesLeft == SeatLimits.digitTriesMax)
    }

    @Test func aPassOfAnEarlierVersionGetsDigits() throws {
        let pass = SeatPass(uses: 2, endsAt: 1_000)
        let old = try #require(SeatPass(stored: Array(pass.stored.prefix(SeatPass.secretBytes + 16))))
        #expect(old.secret == pass.secret && old.usesLeft == 2 && old.endsAt == 1_000 && !old.areDigitsSpent)
        #expect(SeatPass(stored: pass.stored + [0]) == nil)
        let letters = pass.stored.prefix(32) + Array("1234567x".utf8) + pass.stored.suffix(8)
        #expect(SeatPass(stored: Array(letters)) == nil)
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
