import Testing
import TourMailbox
import TourModel

/// Goal: the notebook is synced soon after somebody stops writing, soon after a network comes, and otherwise seldom; a
/// server that fails is asked less and less. Method: times by hand, chance from a seed.
struct NotebookPlanTests {
    private var rng = SplitMix64(seed: 1)

    private static func at(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

    @Test func whoWritesOnIsWaitedForAWhile() {
        var plan = NotebookPlan()
        #expect(plan.due == nil)
        plan.schedule(for: .edited, now: Self.at(100))
        #expect(plan.due == Self.at(102))
        plan.schedule(for: .edited, now: Self.at(101))
        #expect(plan.due == Self.at(103))
        for second in 102...120 as ClosedRange<Int64> { plan.schedule(for: .edited, now: Self.at(second)) }
        #expect(plan.due == Self.at(110))
        plan.began()
        #expect(plan.due == nil)
        plan.schedule(for: .edited, now: Self.at(121))
        #expect(plan.due == Self.at(123))
    }

    @Test mutating func failuresSpaceItOutAndNewsDoesNotHurryIt() throws {
        var plan = NotebookPlan()
        var waits: [Int64] = []
        for _ in 0..<10 {
            plan.began()
            plan.ended(isWell: false, pause: nil, now: Self.at(0), using: &rng)
            waits.append(try #require(plan.due).microseconds / 1_000_000)
        }
        #expect(waits == [15, 30, 60, 120, 240, 480, 900, 900, 900, 900])
        plan.schedule(for: .edited, now: Self.at(1))
        #expect(plan.due == Self.at(900))
        plan.schedule(for: .network, now: Self.at(1))
        #expect(plan.due == Self.at(3))
        plan.schedule(for: .asked, now: Self.at(2))
        #expect(plan.due == Self.at(2))
    }

    @Test mutating func afterASuccessItRestsAQuarterOfAnHour() throws {
        var plan = NotebookPlan()
        for _ in 0..<100 {
            plan.began()
            plan.ended(isWell: true, pause: nil, now: Self.at(0), using: &rng)
            #expect((720...1_080).contains(try #require(plan.due).microseconds / 1_000_000))
        }
        // What the server asks for counts also then.
        plan.began()
        plan.ended(isWell: true, pause: .seconds(5_000), now: Self.at(0), using: &rng)
        #expect(plan.due == Self.at(5_000))
        plan.schedule(for: .edited, now: Self.at(10))
        #expect(plan.due == Self.at(5_000))
    }
}
