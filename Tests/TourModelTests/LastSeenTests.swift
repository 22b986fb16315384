import Testing
import TourModel

/// Goal: a bounded memory forgets the oldest and nothing else. Method: more values than it holds.
struct LastSeenTests {
    @Test func theOldestGoesForOneMore() {
        var seen = LastSeen<Int>(limit: 3)
        let news = [1, 2, 3, 1, 4].map { seen.insert($0) }
        #expect(news == [true, true, true, false, true])
        #expect(!seen.contains(1) && seen.contains(2) && seen.contains(4) && seen.count == 3)
        for value in 5...1_000 { seen.insert(value) }
        #expect(seen.count == 3 && seen.contains(998) && !seen.contains(997))
    }
}
