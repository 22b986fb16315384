import Testing
import TourModel
import TourNode

// Goal: who catches up costs the others one line a message.
// Method: the ranges by themselves, under a clock of our own.
@Suite struct SettlingChangesTests {
    private static func member(_ byte: UInt8) throws -> MemberID {
        try #require(MemberID([UInt8](repeating: byte, count: 32)))
    }

    @Test func theyAreToldOnceNothingMoreChanges() throws {
        let first = try Self.member(1)
        let second = try Self.member(2)
        var changes = SettlingChanges()
        let start = Instant(microseconds: 0)
        changes.add(1...200, of: first, now: start)
        changes.add(101...400, of: first, now: start + .seconds(1))
        changes.add(1...90, of: second, now: start + .seconds(1))
        let early = changes.settled(now: start + SettlingChanges.quiet)
        #expect(early.isEmpty)
        let settled = changes.settled(now: start + .seconds(1) + SettlingChanges.quiet)
        #expect(settled == [first: 1...400, second: 1...90])
        let again = changes.settled(now: start + .seconds(60))
        #expect(again.isEmpty, "once")
    }

    @Test func whatNeverComesToRestIsToldAllTheSame() throws {
        let first = try Self.member(1)
        var changes = SettlingChanges()
        let start = Instant(microseconds: 0)
        for second in 0..<10 {
            let now = start + .seconds(second)
            changes.add(1...UInt64(100 + second), of: first, now: now)
            let settled = changes.settled(now: now)
            #expect(settled.isEmpty)
        }
        let settled = changes.settled(now: start + SettlingChanges.patience)
        #expect(settled == [first: 1...109])
    }
}
