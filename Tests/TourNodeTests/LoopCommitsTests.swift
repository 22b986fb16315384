import Testing
import TourModel
import TourNode

/// Goal: commits run on the event loop as long as that is quick, and leave it when it is not.
/// Method: commits of known lengths.
@Suite struct LoopCommitsTests {
    private let now = Instant(microseconds: 1_000_000)

    private func takes(_ commits: LoopCommits, isDurable: Bool, after pause: Duration = .zero) -> Bool {
        commits.takes(1, isDurable: isDurable, now: now + pause)
    }

    @Test func theDiskMustHaveBeenQuick() {
        var commits = LoopCommits()
        #expect(takes(commits, isDurable: false))
        for _ in 1..<LoopCommits.quickInARow {
            commits.noteDisk(took: .milliseconds(1))
            #expect(!takes(commits, isDurable: true))
        }
        commits.noteDisk(took: .milliseconds(1))
        #expect(takes(commits, isDurable: true))
    }

    @Test func oneSlowDiskIsEnough() {
        var commits = LoopCommits()
        for _ in 0..<LoopCommits.quickInARow { commits.noteDisk(took: .microseconds(400)) }
        commits.note(took: .milliseconds(3), isDurable: true, now: now)
        #expect(!takes(commits, isDurable: true, after: .seconds(60)), "until it was quick again, on the thread")
        #expect(takes(commits, isDurable: false), "what does not wait for the disk stays")
    }

    @Test func aSlowCommitPausesAll() {
        var commits = LoopCommits()
        for _ in 0..<LoopCommits.quickInARow { commits.noteDisk(took: .microseconds(400)) }
        commits.note(took: .milliseconds(5), isDurable: false, now: now)
        for isDurable in [false, true] {
            #expect(!takes(commits, isDurable: isDurable, after: .seconds(9)))
            #expect(takes(commits, isDurable: isDurable, after: .seconds(10)))
        }
    }

    @Test func manyEventsAndAQueueGoToTheThread() {
        var commits = LoopCommits()
        #expect(!commits.takes(5, isDurable: false, now: now))
        commits.away = 1
        #expect(!takes(commits, isDurable: false))
    }

    @Test func theLogIsLookedAtOnceAfterWritesOfOurs() {
        var commits = LoopCommits()
        commits.note(took: .milliseconds(1), isDurable: false, now: now)
        var answers = [commits.takeLogRoomDue()]
        commits.noteDisk(took: .milliseconds(1))
        answers += [commits.takeLogRoomDue(), commits.takeLogRoomDue()]
        #expect(answers == [false, true, false])
    }
}
