import Testing
import TourModel

/// Goal: a log is cut into runs that are consecutive, within bounds, and lose nothing. Method: logs of unsigned
/// events of chosen sizes; what the cut holds is compared with the log.
struct RunTests {
    private let author = MemberID(raw: Bytes32([UInt8](repeating: 9, count: 32))!)

    private func log(bodies: [Int], urgent: Set<Int> = []) -> [Event] {
        var previous = EventID.none
        return bodies.enumerated().map { index, count in
            let header = EventHeader(
                eventClass: urgent.contains(index) ? .announcement : .chat, tour: .none, author: author,
                sequence: UInt64(index) + 1, previous: previous, clock: LogicalClock(value: UInt64(index)),
                epoch: .none)
            let id = EventID(raw: Bytes32((0..<32).map { UInt8(truncatingIfNeeded: index &+ $0) })!)
            previous = id
            let rest = [UInt8](repeating: 1, count: Event.signatureLength + count)
            return Event(header: header, id: id, bytes: header.exactBytes + rest)
        }
    }

    private func check(_ runs: [Run], against log: [Event]) {
        var next = 0
        for run in runs {
            #expect(run.first == log[next].header.sequence)
            #expect(run.previous == log[next].header.previous)
            #expect(run.events == log[next..<next + run.events.count].map(RunEvent.init))
            #expect(run.last == run.first + UInt64(run.events.count) - 1)
            #expect((1...Limits.runEventsMax).contains(run.events.count))
            next += run.events.count
        }
        #expect(next == log.count)
    }

    @Test func nothingIsNoRun() {
        #expect(Run.runs(of: [Event](), hops: 0, pushed: false).isEmpty)
    }

    @Test func eventsBeyondTheTargetStartANewRun() {
        let log = log(bodies: Array(repeating: 0, count: 70))
        let runs = Run.runs(of: log, hops: 3, pushed: true)
        check(runs, against: log)
        #expect(runs.allSatisfy { $0.hops == 3 && $0.pushed })
    }

    @Test(arguments: [0, 1, 200, 3_000, Limits.runBytesTarget, 20_480, 60_000])
    func runsStayNearTheTarget(body: Int) {
        let log = log(bodies: Array(repeating: body, count: 40))
        let runs = Run.runs(of: log, hops: 0, pushed: false)
        check(runs, against: log)
        for run in runs where run.events.count > 1 {
            #expect(run.events.reduce(0) { $0 + Event.bodyOffset + $1.body.count } <= Limits.runBytesTarget)
        }
    }

    @Test func oneLargeEventStandsAlone() {
        let log = log(bodies: [10, 60_000, 10, 10])
        let runs = Run.runs(of: log, hops: 0, pushed: false)
        check(runs, against: log)
        #expect(runs.map(\.events.count) == [1, 1, 2])
    }

    @Test func announcementsStandAloneWhenPushed() {
        let log = log(bodies: Array(repeating: 10, count: 8), urgent: [0, 3, 4, 7])
        let pushed = Run.runs(of: log, hops: 0, pushed: true)
        check(pushed, against: log)
        #expect(pushed.map(\.events.count) == [1, 2, 1, 1, 2, 1])
        #expect(pushed.map(\.goesAhead) == [true, false, true, true, false, true])
        let pulled = Run.runs(of: log, hops: 0, pushed: false)
        #expect(pulled.count == 1 && !pulled[0].goesAhead)
        #expect(!Run(log[0..<1], hops: 0, pushed: false).goesAhead, "whoever pulls has what is before it")
    }

    @Test func mixedSizesLoseNothing() {
        var state: UInt64 = 42
        for _ in 0..<50 {
            let bodies = (0..<100).map { _ -> Int in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return Int(state >> 33) % 5_000
            }
            let log = log(bodies: bodies)
            check(Run.runs(of: log, hops: 0, pushed: false), against: log)
        }
    }
}
