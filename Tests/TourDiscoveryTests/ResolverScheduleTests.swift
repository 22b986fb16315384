import Testing
import TourDiscovery
import TourModel

// Goal: how many services are looked into, and when, without Avahi. Method: keys and times made up; what is opened is
// compared.
@Suite struct ResolverScheduleTests {
    private var rng = SplitMix64(seed: 1)

    private func key(_ name: Int, isIPv6: Bool = false) -> ServiceKey {
        ServiceKey(instance: "node\(name)", interface: 2, isIPv6: isIPv6)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1_000) }

    private mutating func due(
        _ schedule: inout ResolverSchedule, _ milliseconds: Int64, isCrowded: Bool = false
    ) -> [ServiceKey] {
        schedule.due(isCrowded: isCrowded, now: at(milliseconds), using: &rng)
    }

    @Test mutating func eightAtATimeAndTheNextWithTheFirstAnswer() {
        var schedule = ResolverSchedule()
        for name in 0..<20 { schedule.add(key(name), now: at(0)) }
        let first = due(&schedule, 0)
        #expect(first.count == 8)
        #expect(due(&schedule, 10).isEmpty)
        schedule.answered(first[0], now: at(20))
        #expect(due(&schedule, 20).count == 1)
        // Who does not answer within a second is not waited for.
        #expect(due(&schedule, 1_030).count == 8)
    }

    @Test mutating func theOtherFamilyIsAskedOnlyIfTheFirstDoesNotDo() {
        var schedule = ResolverSchedule()
        schedule.add(key(1, isIPv6: true), now: at(0))
        #expect(due(&schedule, 100).isEmpty)
        schedule.add(key(1), now: at(110))
        #expect(due(&schedule, 110) == [key(1)])
        #expect(schedule.isBusy)
        schedule.answered(key(1), now: at(150))
        #expect(!schedule.isBusy)
        #expect(due(&schedule, 5_000).isEmpty)
        schedule.failed(instance: "node1")
        #expect(due(&schedule, 5_010) == [key(1, isIPv6: true)])
    }

    @Test mutating func onlyOverIPv6() {
        var schedule = ResolverSchedule()
        schedule.add(key(1, isIPv6: true), now: at(0))
        #expect(due(&schedule, 499).isEmpty)
        #expect(due(&schedule, 500) == [key(1, isIPv6: true)])
    }

    @Test mutating func noAnswerOverIPv4() {
        var schedule = ResolverSchedule()
        schedule.add(key(1), now: at(0))
        schedule.add(key(1, isIPv6: true), now: at(0))
        #expect(due(&schedule, 0) == [key(1)])
        #expect(due(&schedule, 2_999).isEmpty)
        #expect(due(&schedule, 3_000) == [key(1, isIPv6: true)])
    }

    @Test mutating func answersAreLookedAtAgainEverMoreSeldom() {
        var schedule = ResolverSchedule()
        schedule.add(key(1), now: at(0))
        var looks = [Int64]()
        for second in 0..<Int64(1_200) where due(&schedule, second * 1_000) == [key(1)] {
            looks.append(second)
            schedule.answered(key(1), now: at(second * 1_000))
        }
        #expect(looks == [0, 8, 24, 56, 120, 248, 504, 804, 1_104])
        // New tags of our own: others' may have changed with them.
        schedule.renew()
        #expect(due(&schedule, 1_199_000) == [key(1)])
    }

    @Test mutating func whileNobodyIsWantedOneNowAndThen() {
        var schedule = ResolverSchedule()
        schedule.seek(false)
        for name in 0..<50 { schedule.add(key(name), now: at(0)) }
        var opened = 0
        for second in 0..<Int64(120) {
            let keys = due(&schedule, second * 1_000)
            #expect(keys.count <= 1)
            for key in keys { schedule.answered(key, now: at(second * 1_000)) }
            opened += keys.count
        }
        // One in ten seconds, more or less.
        #expect((8...20).contains(opened))
        #expect(!schedule.isBusy)
        schedule.seek(true)
        #expect(due(&schedule, 120_000).count == 8)
    }

    @Test mutating func inACrowdEachIsAskedInItsTurn() {
        var schedule = ResolverSchedule()
        for name in 0..<500 { schedule.add(key(name, isIPv6: name.isMultiple(of: 2)), now: at(0)) }
        #expect(due(&schedule, 0, isCrowded: true).count == 500)
    }

    @Test mutating func whatIsGoneIsForgotten() {
        var schedule = ResolverSchedule()
        schedule.add(key(1), now: at(0))
        schedule.remove(key(1))
        #expect(due(&schedule, 0).isEmpty)
        #expect(schedule.count == 0)
    }
}
