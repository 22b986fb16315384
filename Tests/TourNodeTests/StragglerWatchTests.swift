import Testing
import TourModel
import TourNode

// Goal: a straggler is told of once, and again only after it was heard in between.
@Suite struct StragglerWatchTests {
    private static let ben = MemberID(hex: String(repeating: "b", count: 64)) ?? MemberID(raw: .zero)
    private static let minute: Int64 = 60_000_000

    @Test func eachIsToldOnce() {
        var watch = StragglerWatch(minutes: 10)
        let heard = [Self.ben: Self.minute]
        let told = [10, 11, 12].map { watch.review(heard, now: $0 * Self.minute) }
        #expect(told == [[], [Self.ben], []])
        // It is in reach, and away again.
        let back = [watch.review([:], now: 13 * Self.minute)]
        let again = [20, 30, 31].map { watch.review([Self.ben: 20 * Self.minute], now: $0 * Self.minute) }
        #expect(back == [[]] && again == [[], [Self.ben], []])
    }

    @Test func offTellsOfNobody() {
        var watch = StragglerWatch()
        let told = watch.review([Self.ben: 0], now: 1_000 * Self.minute)
        #expect(told.isEmpty && watch.overdue([Self.ben: 0], now: 1_000 * Self.minute).isEmpty)
    }

    @Test func aClockThatIsSetBackTellsOfNobody() {
        var watch = StragglerWatch(minutes: 1)
        let told = watch.review([Self.ben: 100 * Self.minute], now: Self.minute)
        #expect(told.isEmpty)
    }

    @Test func whoCouldHearNobodyTellsOfNobody() {
        var watch = StragglerWatch(minutes: 10, since: 100 * Self.minute)
        var told = watch.review([Self.ben: 0], now: 109 * Self.minute)
        #expect(told.isEmpty)
        watch.pause(at: 120 * Self.minute)
        told = watch.review([Self.ben: 0], now: 129 * Self.minute)
        #expect(told.isEmpty)
        told = watch.review([Self.ben: 0], now: 130 * Self.minute)
        #expect(told == [Self.ben])
    }
}
