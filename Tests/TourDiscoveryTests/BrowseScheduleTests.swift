import Testing
import TourDiscovery
import TourModel

// Goal: a node that rests asks the network next to nothing, and still finds who comes.
// Method: an hour of seconds, by a seed.
@Suite struct BrowseScheduleTests {
    private var schedule = BrowseSchedule()
    private var rng = SplitMix64(seed: 5)

    private mutating func isOpen(_ effort: DiscoveryEffort, at second: Int) -> Bool {
        schedule.isOpen(effort, now: Instant(microseconds: Int64(second) * 1_000_000), using: &rng)
    }

    @Test mutating func whoRestsLooksNowAndThen() {
        let open = (0..<3_600).filter { isOpen(.rest, at: $0) }
        let looks = open.filter { !open.contains($0 - 1) }
        #expect((7...20).contains(looks.count))
        #expect(open.count == looks.count * 12)
        let pauses = zip(looks, looks.dropFirst()).map { $1 - $0 }
        #expect(pauses.allSatisfy { (150...475).contains($0) })
    }

    @Test mutating func whoDoesNotRestFollowsAtOnce() {
        #expect(isOpen(.watch, at: 0))
        #expect(!isOpen(.rest, at: 1))
        #expect(isOpen(.seek, at: 2))
        #expect(!isOpen(.rest, at: 3))
        // The pause begins anew.
        #expect((4..<150).allSatisfy { !isOpen(.rest, at: $0) })
    }
}
