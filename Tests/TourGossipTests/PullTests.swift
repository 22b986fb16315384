import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

// Goal: what is missing is asked for, of somebody who has it, until it is there; never in a circle, never without end.
// Method: one machine, hand-made inputs, what it puts out; time passes from deadline to deadline.
@Suite struct PullTests {
    @Test func gapIsPulled() {
        var bench = Bench()
        bench.open(0)
        let log = bench.writers[0].log(3)
        let wants = bench.push([log[2]], on: 0).wants
        #expect(wants.map(\.want.ranges) == [[Want.Range(author: bench.writers[0].id, first: 1, last: 3)]])
        let served = bench.verify(bench.serve(log, on: 0))
        #expect(served.contains { if case .store(let run) = $0 { run.last == 3 } else { false } })
        #expect(bench.take(.message(bench.link(0), .served(id: wants[0].want.id, truncated: false))).wants.isEmpty)
        #expect(bench.machine.size.pulls == 0)
    }

    /// The peer may have dropped our first one, and pushes nothing to a link that it has heard none on.
    @Test func firstHaveOfAPeerIsAnsweredThoughNothingIsNew() {
        var bench = Bench()
        _ = bench.take(.linkUp(bench.link(0), bench.writers[0].id))
        func haves(_ outputs: [Bench.Output]) -> Int {
            outputs.count { if case .send(bench.link(0), .have(let have)) = $0 { have.heads.isEmpty } else { false } }
        }
        let first = bench.take(.message(bench.link(0), .have(Have())))
        #expect(haves(first) == 1)
        let second = bench.take(.message(bench.link(0), .have(Have())))
        #expect(haves(second) == 0)
    }

    /// What a server gave is verified and stored like an answer of a link, and neighbours hear that it is here.
    @Test func whatAServerGaveIsTakenAsAnAnswer() {
        var bench = Bench()
        bench.open(1)
        let log = bench.writers[0].log(4)
        func fetch(_ events: [Event]) -> [Bench.Output] {
            bench.take(.fetched(Run(events, hops: 0, pushed: false)))
        }
        #expect(fetch([log[2]]).isEmpty, "a gap is asked for again, of the server")
        let stored = bench.verify(fetch(Array(log.prefix(2)))).stored
        #expect(stored.map { $0.events.map(\.header.sequence) } == [[1, 2]])
        #expect(stored.map(\.hops) == [1])
        #expect(fetch(Array(log.prefix(2))).isEmpty)
        _ = bench.take(.stored([bench.writers[0].id: 2]))
        let told = bench.pass(.milliseconds(500)).contains { output in
            guard case .send(bench.link(1), .have(let have)) = output else { return false }
            return have.numbers == [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 2)]
        }
        #expect(told)
    }

    @Test func forgeryOfAServerIsCountedAndKeepsNothingAway() {
        var bench = Bench()
        bench.open(1)
        let log = bench.writers[0].log(1)
        var forged = Run(log, hops: 0, pushed: false)
        forged.events[0].signature = ArraySlice([UInt8](repeating: 7, count: 64))
        let outputs = bench.verify(bench.take(.fetched(forged)))
        #expect(outputs.contains { if case .fault(.mailbox, .badRun) = $0 { true } else { false } })
        #expect(bench.verify(bench.push(log, on: 1)).stored.count == 1)
        #expect(bench.take(.fetched(Run(bench.writers[1].log(1), hops: 0, pushed: false))).count == 1)
    }

    /// A run that overlaps one that the store still works on: only what is new goes to the store.
    @Test func overlapIsStoredOnce() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let log = bench.writers[0].log(3)
        _ = bench.verify(bench.push([log[0], log[1]], on: 0))
        let stored = bench.verify(bench.serve(log, on: 1)).stored
        #expect(stored.map { $0.events.map(\.header.sequence) } == [[3]])
    }

    /// What peers hold of our own log and we do not, after our store was restored, is asked for.
    @Test func ownLogIsPulledBack() {
        var bench = Bench()
        bench.open(0)
        let wants = bench.have(Writer(1), 3, on: 0).wants + bench.pass(.milliseconds(110)).wants
        #expect(wants.map(\.want.ranges) == [[Want.Range(author: bench.own, first: 1, last: 3)]])
    }

    /// A pull that is never answered, of an author who came another way, ends at its deadline.
    @Test func unansweredPullOfNothingEnds() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let log = bench.writers[0].log(3)
        _ = bench.push([log[2]], on: 0)
        _ = bench.verify(bench.serve(log, on: 1))
        _ = bench.pass(.seconds(4))
        #expect(bench.machine.nextDeadline.map { $0 > bench.now } ?? true)
    }

    /// An author whom the roster does not explain is nobody's fault: the link stays trusted.
    @Test func unexplainedAuthorsCostNoTrust() {
        var bench = Bench()
        bench.open(0)
        for _ in 0..<20 { _ = bench.take(.skipped(.link(bench.link(0)), author: bench.writers[1].id)) }
        let log = bench.writers[0].log(1)
        #expect(bench.verify(bench.push(log, on: 0)).stored.count == 1)
    }

    @Test func haveWaitsForThePushThenGrafts() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.take(.message(bench.link(1), .prune))
        #expect(bench.have(bench.writers[2], 1, on: 1).wants.isEmpty)
        let wants = bench.pass(.milliseconds(110)).wants
        #expect(wants.map(\.link) == [bench.link(1)] && wants.first?.want.graft == true)
        #expect(bench.machine.eagerLinks.contains(bench.link(1)))
    }

    @Test func pushInTimeSavesThePull() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.have(bench.writers[2], 1, on: 1)
        _ = bench.verify(bench.push(bench.writers[2].log(1), on: 0))
        #expect(bench.pass(.seconds(5)).wants.isEmpty)
    }

    @Test func timeoutGoesElsewhere() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let first = bench.have(bench.writers[2], 500, on: 0).wants + bench.have(bench.writers[2], 500, on: 1).wants
        #expect(first.count == 1)
        let second = bench.pass(.milliseconds(3_100)).wants
        #expect(second.count == 1 && second.first?.link != first.first?.link)
    }

    /// Up to 64 events a push may still bring, and they are asked for with a graft; one more is history.
    @Test(arguments: [64, 65] as [UInt64]) func aLongGapIsPulledAtOnceAndWithoutAGraft(count: UInt64) {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let atOnce = bench.have(bench.writers[2], count, on: 0).wants
        let later = bench.pass(.milliseconds(200)).wants
        #expect([atOnce.count, later.count] == (count > 64 ? [1, 0] : [0, 1]))
        #expect((atOnce + later).map(\.want.graft) == [count <= 64])
    }

    @Test func closedLinkGoesElsewhereAtOnce() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let first = bench.have(bench.writers[2], 500, on: 0).wants
        _ = bench.have(bench.writers[2], 500, on: 1)
        #expect(first.map(\.link) == [bench.link(0)])
        #expect(bench.take(.linkDown(bench.link(0))).wants.map(\.link) == [bench.link(1)])
    }

    @Test func servedContinuesFromWhatIsBeingVerified() {
        var bench = Bench()
        bench.open(0)
        let wants = bench.have(bench.writers[0], 200, on: 0).wants
        _ = bench.serve(Array(bench.writers[0].log(50)), on: 0)
        let next = bench.take(.message(bench.link(0), .served(id: wants[0].want.id, truncated: true))).wants
        #expect(next.map(\.want.ranges) == [[Want.Range(author: bench.writers[0].id, first: 51, last: 200)]])
    }

    @Test func emptyAnswersAreAskedForLessAndLess() {
        var bench = Bench()
        bench.open(0)
        _ = bench.verify(bench.push(bench.writers[0].log(1), on: 0))
        var wants = bench.have(bench.writers[0], 9, on: 0).wants
        var count = 0
        let end = bench.now + .seconds(120)
        while bench.now < end {
            count += wants.count
            let answers = wants.flatMap { bench.take(.message($0.link, .served(id: $0.want.id, truncated: true))) }
            wants = answers.wants + bench.pass(.milliseconds(50)).wants
        }
        #expect((5...20).contains(count))
    }

    @Test func badRunIsFetchedFromAnother() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        let log = bench.writers[2].log(1)
        var forged = Run(log, hops: 0, pushed: true)
        forged.events[0].body = [9]
        let pending = bench.take(.message(bench.link(0), .run(forged)))
        // The honest push comes while the forgery is being verified, and is dropped as known.
        _ = bench.push(log, on: 1)
        let refused = bench.verify(pending)
        #expect(refused.faults == [.badRun])
        #expect(refused.wants.map(\.link) == [bench.link(1)])
    }

    @Test func forgerIsNotListenedTo() {
        var bench = Bench()
        bench.open(0)
        var forged = Run(bench.writers[2].log(1), hops: 0, pushed: true)
        forged.events[0].body = [9]
        var verifications = 0
        for _ in 0..<50 {
            let outputs = bench.take(.message(bench.link(0), .run(forged)))
            verifications += outputs.verifications
            _ = bench.verify(outputs)
        }
        // Nor is anything else of that author from there; others are.
        #expect(verifications == 1)
        #expect(bench.push(bench.writers[2].log(1), on: 0).verifications == 0)
        #expect(bench.push(bench.writers[1].log(1), on: 0).verifications == 1)
    }

    @Test func servesWhatItHasAndStopsWhileTheLinkLags() {
        var bench = Bench()
        bench.open(0)
        let log = bench.writers[1].log(10)
        _ = bench.verify(bench.serve(log, on: 0))
        _ = bench.take(.stored([bench.writers[1].id: 10]))
        let author = bench.writers[1].id
        let want = Want(
            id: 7,
            ranges: [
                Want.Range(author: author, first: 3, last: .max), Want.Range(author: bench.own, first: 1, last: 9),
            ],
            graft: false)
        let loads = bench.take(.message(bench.link(0), .want(want))).loads
        #expect(loads.map(\.range) == [Want.Range(author: author, first: 3, last: 10)])
        _ = bench.take(.pressure(bench.link(0), isLagging: true))
        let first = bench.take(.loaded(bench.link(0), id: 7, Array(log[2..<5])))
        #expect(first.loads.isEmpty)
        let resumed = bench.take(.pressure(bench.link(0), isLagging: false))
        #expect(resumed.loads.map(\.range) == [Want.Range(author: author, first: 6, last: 10)])
        let rest = bench.take(.loaded(bench.link(0), id: 7, Array(log[5...])))
        #expect(rest.sent.last?.message == .served(id: 7, truncated: false))
    }

    // A burst fills a link; with datagrams proven no other Have would come for seconds.
    @Test func aLinkThatHasDrainedIsToldAtOnceWhatItMissed() {
        var bench = Bench()
        bench.open(0)
        _ = bench.take(.pressure(bench.link(0), isLagging: true))
        _ = bench.take(.wrote(Writer(1).log(3)))
        let told = bench.take(.pressure(bench.link(0), isLagging: false)).haves
        #expect(told.map(\.link) == [bench.link(0)])
        #expect(told.first?.heads == [PrefixedHead(prefix: bench.own.prefix, sequence: 3)])
    }

    @Test func manyWantsAreBounded() {
        var bench = Bench()
        bench.open(0)
        _ = bench.verify(bench.serve(bench.writers[1].log(1), on: 0))
        _ = bench.take(.stored([bench.writers[1].id: 1]))
        let range = Want.Range(author: bench.writers[1].id, first: 1, last: 1)
        let outputs = (0..<50).flatMap {
            bench.take(.message(bench.link(0), .want(Want(id: $0, ranges: [range], graft: false))))
        }
        #expect(outputs.faults.count == 42 && outputs.loads.count == 1)
        #expect(bench.machine.size.serving == 8)
    }

    /// More authors than one pull names: the rest follows on the answer, and no timer runs hot meanwhile.
    @Test func oneOpenPullPerLink() {
        var bench = Bench(writers: 150)
        bench.open(0)
        let heads = bench.writers.map { TaggedHead(prefix: $0.id.prefix, sequence: 100, tag: 1) }
        let wants = bench.take(.message(bench.link(0), .have(Have(heads: heads)))).wants
        #expect(wants.map(\.want.ranges.count) == [Limits.pullRangesMax])
        #expect(bench.machine.nextDeadline.map { $0 > bench.now } == true)
        let next = bench.take(.message(bench.link(0), .served(id: wants[0].want.id, truncated: false))).wants
        #expect(next.map(\.want.ranges.count) == [Limits.pullRangesMax])
    }

    @Test func deadlineNeverStaysInThePast() {
        var bench = Bench(writers: 100, strangers: 10)
        for number in 0..<5 { bench.open(number) }
        for number in 0..<5 {
            let heads = bench.writers.map { TaggedHead(prefix: $0.id.prefix, sequence: 1_000, tag: 1) }
            _ = bench.take(.message(bench.link(number), .have(Have(heads: heads))))
        }
        var timers = 0
        let end = bench.now + .seconds(60)
        while let due = bench.machine.nextDeadline, due < end {
            bench.now = max(bench.now, due)
            _ = bench.take(.timer)
            #expect(bench.machine.nextDeadline.map { $0 > bench.now } ?? true)
            timers += 1
        }
        #expect(timers < 1_000)
    }
}
