import Testing
import TourModel
import TourNode

/// Goal: a sharer speaks when it moved or a minute has passed, and never twice in ten seconds. Method: a walk.
struct SharingTests {
    private static func fix(_ metres: Double) throws -> Fix {
        let place = try #require(Coordinate(degreesNorth: metres / 111_195, degreesEast: 0))
        return try #require(Fix(place, fixedAt: 1))
    }

    /// Seconds at which a row is written, on a walk of so many metres a second for two minutes.
    private static func moments(speed: Double) throws -> [Int64] {
        var sharing = Sharing(until: 1)
        var moments = [Int64]()
        for second in 0...Int64(120) {
            let now = Instant(microseconds: second * 1_000_000)
            let fix = try fix(Double(second) * speed)
            guard sharing.isDue(fix, now) else { continue }
            sharing.said(fix, at: now)
            moments.append(second)
        }
        return moments
    }

    @Test func rowsFollowTheWalk() throws {
        #expect(try Self.moments(speed: 0) == [0, 60, 120])
        #expect(try Self.moments(speed: 30) == (0...12).map { $0 * 10 })
        // 15 metres take 12.5 seconds at 1.2 metres a second.
        #expect(try Self.moments(speed: 1.2) == stride(from: 0, through: 120, by: 13).map { $0 })
        #expect(try Self.moments(speed: 0.1) == [0, 60, 120])
    }
}
