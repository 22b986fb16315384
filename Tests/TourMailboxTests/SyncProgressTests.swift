import Testing
import TourMailbox
import TourModel

/// Goal: whatever heads a server tells, and however often, how far a sync is stays a number. Method: sums at and beyond
/// what a number holds.
@Suite struct SyncProgressTests {
    private static let shares: [(UInt64, UInt64, Int)] = [
        (0, 0, 100), (1, 4, 25), (9, 4, 100), (1 << 58, 1 << 58, 100), (.max, .max, 100), (.max / 2, .max, 50),
        (0, .max, 0),
    ]

    @Test(arguments: shares)
    func percentIsOfAHundred(_ pulled: UInt64, _ total: UInt64, _ percent: Int) {
        var progress = SyncProgress()
        progress.pulled = pulled
        progress.pullTotal = total
        #expect(progress.percent == percent)
    }

    @Test func sumsEndAtTheLargestNumber() {
        var progress = SyncProgress()
        progress.pulled = .max
        progress.pushed = .max
        progress.pullTotal = .max
        progress.pushTotal = 1
        #expect(progress.percent == 100)
    }

    @Test func logOfTheLargestNumberIsNotBlocked() {
        #expect(!SyncMemory().isBlocked(MemberID(raw: .zero), through: .max))
    }
}
