import Testing
import TourModel
import TourRuntime

/// Goal: a member was there last when it was, over restarts, clocks that were set and rows that others kept.
/// Method: rows of made-up members at made-up times; what is kept is given to another run.
@Suite struct SignsOfLifeTests {
    private static let me = member("1")
    private static let anna = member("a")
    /// 2026-05-01, in microseconds since 1970.
    private static let noon: Int64 = 1_777_629_600_000_000
    private static let second: Int64 = 1_000_000
    private static let year: Int64 = 365 * 86_400 * second

    private static func member(_ digit: Character) -> MemberID {
        MemberID(hex: String(repeating: digit, count: 64)) ?? MemberID(raw: .zero)
    }

    /// A machine's two clocks.
    private struct Clocks {
        var now = Instant(microseconds: 40 * second)
        var wall = noon

        mutating func pass(_ seconds: Int64) {
            now = now + .seconds(seconds)
            wall += seconds * second
        }
    }

    private static func claim(
        _ signs: inout SignsOfLife, at signedAt: Int64, hops: Int = 2, _ clocks: Clocks
    ) {
        signs.claimed(anna, counter: UInt64(signedAt), hops: hops, now: clocks.now, wall: clocks.wall)
    }

    private static func seen(_ signs: SignsOfLife, _ clocks: Clocks) -> Int64? {
        signs.seenAt(anna, now: clocks.now, wall: clocks.wall)
    }

    @Test func aRestartKeepsTheTime() {
        var (clocks, first) = (Clocks(), SignsOfLife(own: Self.me))
        Self.claim(&first, at: clocks.wall, clocks)
        let kept = first.drainUnsaved(now: clocks.now, wall: clocks.wall)
        #expect(kept == [SignRecord(member: Self.anna, seenAt: Self.noon, counter: UInt64(Self.noon))])
        let again = first.drainUnsaved(now: clocks.now, wall: clocks.wall)
        #expect(again.isEmpty)
        clocks.pass(3_600)
        var second = SignsOfLife(own: Self.me, kept: kept)
        #expect(Self.seen(second, clocks) == Self.noon)
        #expect(second.at(Self.anna) == nil && second.hops(Self.anna) == nil)
        // A neighbour has the same row, and perhaps an older one.
        Self.claim(&second, at: Self.noon, clocks)
        Self.claim(&second, at: Self.noon - 1, clocks)
        #expect(Self.seen(second, clocks) == Self.noon)
        #expect(second.at(Self.anna) == nil)
        #expect(!second.isNewest(UInt64(Self.noon - 1), of: Self.anna))
        let unsaved = second.drainUnsaved(now: clocks.now, wall: clocks.wall)
        #expect(unsaved.isEmpty)
    }

    /// Somebody was there while this node was off, and has gone.
    @Test func whatOthersKeptIsNoSignOfNow() throws {
        let kept = [SignRecord(member: Self.anna, seenAt: Self.noon, counter: UInt64(Self.noon))]
        var (clocks, signs) = (Clocks(), SignsOfLife(own: Self.me, kept: kept))
        clocks.pass(7_200)
        Self.claim(&signs, at: Self.noon + 600 * Self.second, clocks)
        Self.claim(&signs, at: Self.noon + 900 * Self.second, clocks)
        #expect(Self.seen(signs, clocks) == Self.noon + 900 * Self.second)
        let at = try #require(signs.at(Self.anna))
        #expect(clocks.now - at == .seconds(6_300))
        // It comes back: the next row is of now.
        clocks.pass(60)
        Self.claim(&signs, at: clocks.wall - Self.second, clocks)
        #expect(Self.seen(signs, clocks) == clocks.wall)
        #expect(signs.at(Self.anna) == clocks.now)
    }

    /// Ten seconds later such a member makes its next row.
    @Test func aSlowClockCostsOneRow() {
        var (clocks, signs) = (Clocks(), SignsOfLife(own: Self.me))
        let slow = 120 * Self.second
        Self.claim(&signs, at: clocks.wall - slow, clocks)
        #expect(Self.seen(signs, clocks) == clocks.wall - slow)
        clocks.pass(10)
        Self.claim(&signs, at: clocks.wall - slow, clocks)
        #expect(signs.at(Self.anna) == clocks.now)
    }

    /// Clocks of 1970 say nothing, and whoever speaks for itself is there.
    @Test(arguments: [(1_000_000, 2), (noon - 3_600 * second, 1), (noon + year, 2)] as [(Int64, Int)])
    func isThere(signedAt: Int64, hops: Int) {
        var signs = SignsOfLife(own: Self.me)
        let clocks = Clocks()
        Self.claim(&signs, at: signedAt, hops: hops, clocks)
        #expect(signs.at(Self.anna) == clocks.now)
        #expect(Self.seen(signs, clocks) == Self.noon)
    }

    @Test func aClockAYearOff() {
        let kept = [SignRecord(member: Self.anna, seenAt: Self.noon, counter: UInt64(Self.noon))]
        var signs = SignsOfLife(own: Self.me, kept: kept)
        var clocks = Clocks()
        clocks.wall -= Self.year
        // A time that has not come is none; it is not lost either.
        #expect(Self.seen(signs, clocks) == nil)
        let unsaved = signs.drainUnsaved(now: clocks.now, wall: clocks.wall)
        #expect(unsaved.isEmpty)
        clocks.wall += 2 * Self.year
        #expect(Self.seen(signs, clocks) == Self.noon)
        // Heard by a clock that is a year ahead, and is set right then.
        signs.record(Self.anna, now: clocks.now, wall: clocks.wall)
        #expect(Self.seen(signs, clocks) == Self.noon + Self.year)
        clocks.pass(5)
        clocks.wall -= Self.year
        #expect(Self.seen(signs, clocks) == Self.noon)
        let saved = signs.drainUnsaved(now: clocks.now, wall: clocks.wall)
        #expect(saved.map(\.seenAt) == [Self.noon])
    }

    @Test func nobodySeesItself() {
        var signs = SignsOfLife(own: Self.me)
        let clocks = Clocks()
        signs.record(Self.me, now: clocks.now, wall: clocks.wall)
        signs.claimed(Self.me, counter: 7, hops: 0, now: clocks.now, wall: clocks.wall)
        #expect(signs.seenAt(Self.me, now: clocks.now, wall: clocks.wall) == nil)
        let unsaved = signs.drainUnsaved(now: clocks.now, wall: clocks.wall)
        #expect(unsaved.isEmpty)
    }
}
