import Testing
import TourModel
import TourNode

/// Goal: floods of datagrams cost a bounded number of tries, and members are heard all the while.
/// Method: senders that are numbers, and a clock that the test turns.
@Suite struct DatagramFilterTests {
    private typealias Guard = DatagramFilter<Int>
    private static let start = Instant(microseconds: 5_000_000)

    @Test func strangersAreHeardUntilTheyAreTooMany() {
        var air = Guard()
        let heard = (0..<Guard.unopenedMax).map { sender in
            defer { air.recordUnopened(from: sender) }
            return air.admits(sender, now: Self.start)
        }
        let inTheSameSecond = air.admits(-1, now: Self.start + .milliseconds(999))
        let inTheNext = air.admits(-1, now: Self.start + .seconds(1))
        #expect(heard.allSatisfy { $0 } && !inTheSameSecond && inTheNext)
    }

    @Test func membersAreHeardInAFlood() {
        var air = Guard()
        air.recordMember(1)
        for _ in 0..<Guard.unopenedMax { air.recordUnopened(from: 2) }
        let heard = [1, 2].map { air.admits($0, now: Instant(microseconds: 0)) }
        #expect(heard == [true, false])
        // Whoever speaks in a member's name is bounded too.
        for _ in 0..<Guard.unopenedMax { air.recordUnopened(from: 1) }
        let isHeard = air.admits(1, now: Instant(microseconds: 0))
        #expect(!isHeard)
    }

    @Test func sendersAreForgotten() {
        var air = Guard()
        for sender in 0...Guard.membersMax { air.recordMember(sender) }
        for _ in 0..<Guard.unopenedMax { air.recordUnopened(from: -1) }
        let heard = [0, Guard.membersMax].map { air.admits($0, now: Instant(microseconds: 0)) }
        #expect(heard == [false, true], "the oldest is")
    }

    /// A flood of questions: 2,000 tries a second, after a moment in which more is allowed.
    @Test func triesOfInvitesHaveABudget() {
        var air = Guard()
        var tries = 0
        for step in 0..<100_000 {
            let now = Self.start + .microseconds(Int64(step) * 100)
            guard air.triesInvites(now: now) else { continue }
            tries += 4
            air.recordTries(4, now: now)
        }
        // Ten seconds.
        #expect((20_000...20_600).contains(tries))
    }

    /// However many invites there are, one question is tried with all of them.
    @Test func aQuestionIsTriedWithAllInvites() {
        var air = Guard()
        air.recordTries(Limits.credentialsMax, now: Self.start)
        #expect(air.triesInvites(now: Self.start))
        air.recordTries(Limits.credentialsMax, now: Self.start)
        #expect(!air.triesInvites(now: Self.start + .milliseconds(255)))
        #expect(air.triesInvites(now: Self.start + .milliseconds(256)))
    }
}
