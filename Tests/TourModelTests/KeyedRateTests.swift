import Testing
import TourModel

/// Goal: each key has its rate and all have one, and many keys take no more memory than some. Method: tables of who
/// comes when.
struct KeyedRateTests {
    private static let slow = TokenBucket.Rate(atOnce: 2, perMinute: 6)

    private static func at(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds * 1_000_000)) }

    /// At most 2 of each key at once and 3 in all; another of a key after 10 s, of all after 5.
    @Test(
        arguments: [
            (
                "one key has its rate",
                [(0, "a", true), (0, "a", true), (0, "a", false), (9.9, "a", false), (10, "a", true)]
            ),
            ("it keeps no other out", [(0, "a", true), (0, "a", true), (0, "a", false), (0, "b", true)]),
            ("all have one", [(0, "a", true), (0, "b", true), (0, "c", true), (0, "d", false), (5, "d", true)]),
            (
                "what was refused for want of room costs no token",
                [(0, "a", true), (0, "b", true), (0, "c", true), (0, "d", false), (10, "d", true), (10, "d", true)]
            ),
            (
                "what was not used comes back, and no more",
                [
                    (0, "a", true), (0, "a", true), (1e6, "a", true),
                    (1e6, "a", true), (1e6, "a", false),
                ]
            ),
            (
                "a clock that goes back gives nothing away and locks nobody out",
                [(1e6, "a", true), (1e6, "a", true), (0, "a", false), (10, "a", true)]
            ),
        ] as [(String, [(Double, String, Bool)])])
    func ratesOfKeys(name: String, visits: [(Double, String, Bool)]) {
        var rate = KeyedRate<String>(ofAll: TokenBucket.Rate(atOnce: 3, perMinute: 12), ofEach: Self.slow)
        for (index, (second, key, isAllowed)) in visits.enumerated() {
            let isFree = rate.acquire(key, now: Self.at(second))
            #expect(isFree == isAllowed, "\(name): \(index)")
        }
    }

    @Test func whatIsCountedWithoutAQuestionCounts() {
        var rate = KeyedRate<String>(ofEach: Self.slow)
        rate.count("a", now: Self.at(0))
        for _ in 0..<2 { rate.count("a", now: Self.at(1_000)) }
        let isAllowed = rate.hasOne("a", now: Self.at(1_000))
        #expect(!isAllowed)
        #expect(rate.pauseSeconds == 10)
    }

    @Test func manyKeysTakeNoMoreMemoryThanSome() {
        var rate = KeyedRate<Int>(ofEach: TokenBucket.Rate(atOnce: 1, perMinute: 1))
        let keys = 3 * KeyedRate<Int>.keysMax
        for key in 0..<keys { rate.count(key, now: Self.at(Double(key) / 1_000)) }
        // The last ones are remembered, the first one had to go.
        let (hasLast, hasFirst) = (rate.hasOne(keys - 1, now: Self.at(4)), rate.hasOne(0, now: Self.at(4)))
        #expect(!hasLast && hasFirst)
    }
}
