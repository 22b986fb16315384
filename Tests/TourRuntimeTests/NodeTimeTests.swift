import Testing
import TourRuntime

/// Goal: a clock that was never set does not date what is written, and liars do not either.
/// Method: what the rule makes of our clock and others'.
struct NodeTimeTests {
    private static let day: Int64 = 86_400_000
    private static let now = NodeTime.builtAt + 100 * day

    @Test func aRightClockIsItsOwn() {
        #expect(NodeTime.corrected(Self.now, others: []) == Self.now)
        let near = [Self.now + Self.day, Self.now + Self.day, Self.now + Self.day]
        #expect(NodeTime.corrected(Self.now, others: near) == Self.now)
        // Whoever is ahead is not set back.
        let behind = [Self.now - 9 * Self.day, Self.now - 9 * Self.day, Self.now - 9 * Self.day]
        #expect(NodeTime.corrected(Self.now, others: behind) == Self.now)
    }

    @Test func anUnsetOneTakesTheMedian() {
        let others = [Self.now - 5, Self.now, Self.now + 70]
        #expect(NodeTime.corrected(0, others: others) == Self.now)
        #expect(NodeTime.corrected(Self.now - 2 * Self.day, others: others) == Self.now)
        // Of an even number the lower one.
        #expect(NodeTime.corrected(0, others: others + [Self.now + 90]) == Self.now)
    }

    @Test func fewAreNotBelieved() {
        #expect(NodeTime.corrected(0, others: [Self.now, Self.now]) == NodeTime.builtAt)
        #expect(NodeTime.corrected(-5, others: []) == NodeTime.builtAt)
    }

    @Test func oneLiarDecidesNothing() {
        let year9999: Int64 = 253_402_300_799_000
        #expect(NodeTime.corrected(0, others: [Self.now, Self.now, year9999]) == Self.now)
        #expect(NodeTime.corrected(0, others: [0, 0, Self.now]) == NodeTime.builtAt)
        // Nor do many, beyond what can be.
        #expect(NodeTime.corrected(Self.now, others: [year9999, year9999, year9999]) == Self.now)
    }
}
