import Testing
import TourModel
import TourNode

/// Goal: the status says how much others have that is not here, and since when. Method: what is missing at each look,
/// and a clock that the test turns.
struct GapsTests {
    private static let start = Instant(microseconds: 5_000_000)
    private static let (anna, ben) = (member(1), member(2))

    private static func member(_ number: UInt8) -> MemberID {
        MemberID(raw: Bytes32([UInt8](repeating: number, count: Bytes32.count)) ?? .zero)
    }

    @Test func aGapIsAsOldAsItsFirstLook() {
        var gaps = Gaps()
        #expect(gaps.report == nil)
        gaps.record([Self.anna: 3], at: Self.start)
        gaps.record([Self.anna: 1, Self.ben: 4], at: Self.start + .seconds(5))
        #expect(gaps.report == Gaps.Report(events: 5, members: 2, since: Self.start))
        gaps.record([Self.ben: 2], at: Self.start + .seconds(9))
        #expect(gaps.report == Gaps.Report(events: 2, members: 1, since: Self.start + .seconds(5)))
        gaps.record([:], at: Self.start + .seconds(10))
        #expect(gaps.report == nil)
        gaps.record([Self.ben: 1], at: Self.start + .seconds(11))
        #expect(gaps.report?.since == Self.start + .seconds(11))
    }

    /// Whoever claims all that a number holds stops no count.
    @Test func sumsAreBounded() {
        var gaps = Gaps()
        gaps.record([Self.anna: .max, Self.ben: 2], at: Self.start)
        #expect(gaps.report?.events == .max)
    }
}
