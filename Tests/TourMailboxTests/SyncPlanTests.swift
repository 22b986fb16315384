import Testing
import TourMailbox
import TourModel

/// Goal: syncs come soon where it matters, and not all at once. Method: many draws of chance.
struct SyncPlanTests {
    private let now = Instant(microseconds: 1_000_000_000)

    private func delays(_ reason: SyncPlan.Reason) -> ClosedRange<Duration> {
        var rng = SplitMix64(seed: 7)
        let drawn = (0..<1_000).map { _ in
            var plan = SyncPlan()
            plan.schedule(for: reason, now: now, using: &rng)
            return (plan.due ?? now) - now
        }
        return (drawn.min() ?? .zero)...(drawn.max() ?? .zero)
    }

    @Test func nothingIsDueAtFirst() {
        #expect(SyncPlan().due == nil)
    }

    @Test func authorsComeBeforeOthers() {
        let own = delays(.written)
        let others = delays(.received(members: 46))
        #expect(own.lowerBound >= .seconds(1) && own.upperBound <= .seconds(3))
        #expect(others.lowerBound >= .seconds(5) && others.upperBound <= .seconds(28))
        #expect(others.upperBound - others.lowerBound > .seconds(20))
        #expect(delays(.received(members: 1_000)).upperBound <= .seconds(60))
    }

    @Test func networkIsTriedWithinSeconds() {
        let delay = delays(.network(members: 46))
        #expect(delay.lowerBound >= .seconds(1) && delay.upperBound <= .seconds(11))
    }

    @Test func whatTheServerTellsIsFetchedWithinSeconds() {
        #expect(delays(.told(members: 4)).upperBound <= .milliseconds(1_400))
        #expect(delays(.told(members: 1_000)).upperBound <= .seconds(10))
    }

    @Test func askingIsAtOnce() {
        #expect(delays(.asked) == .zero ... .zero)
    }

    @Test func earlierOneStands() {
        var rng = SplitMix64(seed: 1)
        var plan = SyncPlan()
        plan.schedule(for: .asked, now: now, using: &rng)
        plan.schedule(for: .written, now: now, using: &rng)
        #expect(plan.due == now)
    }

    @Test func nextOneByTimeIsAboutFiveMinutesLater() {
        var rng = SplitMix64(seed: 1)
        let pauses = (0..<1_000).map { _ in
            var plan = SyncPlan()
            plan.began()
            plan.ended(pause: nil, now: now, using: &rng)
            return (plan.due ?? now) - now
        }
        #expect(pauses.allSatisfy { $0 >= .seconds(240) && $0 <= .seconds(360) })
        #expect(Set(pauses).count > 900)
    }

    @Test func whatComesMeanwhileWantsAnother() {
        var rng = SplitMix64(seed: 1)
        var plan = SyncPlan()
        plan.began()
        plan.schedule(for: .written, now: now, using: &rng)
        plan.ended(pause: nil, now: now, using: &rng)
        #expect((plan.due ?? now) - now <= .seconds(3))
    }

    @Test func serverIsLeftAloneForAsLongAsItAsks() {
        var rng = SplitMix64(seed: 1)
        var plan = SyncPlan()
        plan.began()
        plan.schedule(for: .written, now: now, using: &rng)
        plan.ended(pause: .seconds(500), now: now, using: &rng)
        #expect(plan.due.map { $0 - now >= .seconds(500) } == true)
        plan.schedule(for: .written, now: now + .seconds(10), using: &rng)
        #expect(plan.due.map { $0 - now >= .seconds(500) } == true)
        // Somebody who asks is not held back; nor is a new network, where it may be another way.
        plan.schedule(for: .network(members: 1), now: now + .seconds(20), using: &rng)
        #expect(plan.due.map { $0 - now <= .seconds(30) } == true)
    }
}
