import Testing
import TourModel
import TourNode

/// Goal: commits run on the event loop as long as that is quick, and leave it when it is not.
/// Method: commits of known lengths.
@Suite struct LoopCommitsTests {
    private let now = Instant(microseconds: 1_000_000)

    private func takes(_ commits: LoopCommits, isDurable: Bool, after pause: Duration = .zero) -> Bool {
        commits.accepts(1, isDurable: isDurable, now: now + pause)
    }

    @Test func theDiskMustHaveBeenQuick() {
        var commits = LoopCommits()
        #expect(takes(commits, isDurable: false))
        for _ in 1..<LoopCommits.quickInARow {
            commits.recordDisk(took: .milliseconds(1))
            #expect(!takes(commits, isDurable: true))
        }
        commits.recordDisk(took: .milliseconds(1))
        #expect(takes(commits, isDurable: true))
    }

    @Test func oneSlowDiskIsEnough() {
        var commits = LoopCommits()
        for _ in 0..<LoopCommits.quickInARow { commits.recordDisk(took: .microseconds(400)) }
        commits.recordCommit(took: .milliseconds(3), isDurable: true, now: now)
        #expect(!takes(commits, isDurable: true, after: .seconds(60)), "until it was quick again, on the thread")
        #expect(takes(commits, isDurable: false), "what does not wait for the disk stays")
    }

    @Test func aSlowCommitPausesAll() {
        var commits = LoopCommits()
        for _ in 0..<LoopCommits.quickInARow { commits.recordDisk(took: .microseconds(400)) }
        commits.recordCommit(took: .milliseconds(5), isDurable: false, now: now)
        for isDurable in [false, true] {
            #expect(!takes(commits, isDurable: isDurable, after: .milliseconds(99)))
            #expect(takes(commits, isDurable: isDurable, after: .milliseconds(100)))
        }
    }

    /// The pause begins when the loop goes on, and is worth what it stood still for.
    @Test func aVerySlowCommitPausesForLong() {
        var commits = LoopCommits()
        commits.recordCommit(took: .milliseconds(500), isDurable: false, now: now)
        #expect(!takes(commits, isDurable: false, after: .milliseconds(4_999)))
        #expect(takes(commits, isDurable: false, after: .seconds(5)))
    }

    @Test func slowCommitsPauseLongerEachTime() {
        var commits = LoopCommits()
        for milliseconds in [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 12_800] {
            commits.recordCommit(took: .milliseconds(5), isDurable: false, now: now)
            #expect(!takes(commits, isDurable: false, after: .milliseconds(milliseconds - 1)))
            #expect(takes(commits, isDurable: false, after: .milliseconds(milliseconds)))
        }
    }

    @Test func quickCommitsMakeUpForSlowOnes() {
        var commits = LoopCommits()
        for milliseconds in [5, 5, 5, 1, 1, 1, 5] {
            commits.recordCommit(took: .milliseconds(milliseconds), isDurable: false, now: now)
        }
        #expect(!takes(commits, isDurable: false, after: .milliseconds(99)))
        #expect(takes(commits, isDurable: false, after: .milliseconds(100)), "as if it were the only slow one")
    }

    @Test func manyEventsAndAQueueGoToTheThread() {
        var commits = LoopCommits()
        #expect(!commits.accepts(5, isDurable: false, now: now))
        commits.away = 1
        #expect(!takes(commits, isDurable: false))
    }

    @Test func theLogIsLookedAtOnceAfterWritesOfOurs() {
        var commits = LoopCommits()
        commits.recordCommit(took: .milliseconds(1), isDurable: false, now: now)
        var answers = [commits.consumeLogRoomDue()]
        commits.recordDisk(took: .milliseconds(1))
        answers += [commits.consumeLogRoomDue(), commits.consumeLogRoomDue()]
        #expect(answers == [false, true, false])
    }
}
