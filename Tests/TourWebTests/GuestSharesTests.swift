import Testing
import TourModel
import TourWeb

/// Goal: what guests make their host read is bounded for each of them and for all, and no phone takes another's turn.
/// Method: begins and ends under a clock of its own.
@Suite struct GuestSharesTests {
    private let shares = GuestShares()
    private static let start = Instant(microseconds: 0)

    private static func after(seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

    @Test func oneSeatReadsOneThingAtATime() {
        #expect(shares.begin(.filePart, of: "a", now: Self.start) == nil)
        #expect(shares.begin(.filePart, of: "a", now: Self.start) == 1, "a second part waits for the first")
        #expect(shares.begin(.search, of: "a", now: Self.start) == nil, "a search is something else")
        #expect(shares.begin(.filePart, of: "b", now: Self.start) == nil, "another seat has a turn of its own")
        shares.end(.filePart, of: "a")
        #expect(shares.begin(.filePart, of: "a", now: Self.start) == nil)
    }

    @Test func allTogetherReadSoMuch() {
        let some = (0..<100).filter { shares.begin(.search, of: "\($0)", now: Self.start) == nil }
        #expect(some.count == 2)
        shares.end(.search, of: "0")
        #expect(shares.begin(.search, of: "99", now: Self.start) == nil)
    }

    @Test func theLargestFileGoesAtOnceAndMoreWithTime() {
        func parts(at now: Instant) -> Int {
            var count = 0
            while shares.begin(.filePart, of: "a", now: now) == nil {
                shares.end(.filePart, of: "a")
                count += 1
            }
            return count
        }
        let largest = Int(GuestLimits.fileBytesMax) / GuestLimits.partBytesMax
        #expect(parts(at: Self.start) == largest)
        #expect(parts(at: Self.after(seconds: 10)) == 40)
        #expect(parts(at: Self.after(seconds: 100_000)) == largest, "a share fills up, and no further")
    }
}
