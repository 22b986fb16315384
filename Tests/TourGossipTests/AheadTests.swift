import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

// Goal: an urgent event that comes before what its author wrote before it is proven, kept and passed on at once and
// once; the log takes it in when it comes to it; nobody makes us keep or send more than is bounded.
// Method: one machine, hand-made inputs, what it puts out.
@Suite struct AheadTests {
    /// Ten events, of which the ninth is urgent.
    private static func log(_ writer: Writer, branch: UInt8 = 0) -> [Event] {
        writer.log(10, branch: branch, classes: [9: .announcement])
    }

    @Test func urgentGoesAheadOfItsLog() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let log = Self.log(bench.writers[0])
        let arrived = bench.push([log[8]], on: 1, hops: 1)
        #expect(arrived.verifications == 1 && arrived.wants.isEmpty)
        let taken = bench.verify(arrived)
        #expect(taken.ahead.map(\.first) == [9] && taken.stored.isEmpty)
        #expect(taken.pushes == [bench.link(2)], "neither to its author nor back")
        let hops = taken.sent.compactMap { _, message -> Int? in
            if case .run(let run) = message { run.hops } else { nil }
        }
        #expect(hops == [2])
        #expect(bench.pass(.seconds(1)).haves.isEmpty, "no frontier says so")
        #expect(bench.machine.stored[bench.writers[0].id] == 0)
    }

    @Test func chatWithAGapIsPulled() {
        var bench = Bench()
        bench.open(0)
        let log = Self.log(bench.writers[0])
        let arrived = bench.push([log[9]], on: 0)
        #expect(arrived.verifications == 0 && arrived.wants.count == 1)
    }

    @Test func twiceIsTakenOnce() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let log = Self.log(bench.writers[0])
        let first = bench.push([log[8]], on: 1)
        let meanwhile = bench.push([log[8]], on: 2)
        #expect(meanwhile.verifications == 0 && meanwhile.prunes.isEmpty)
        #expect(bench.verify(first).ahead.count == 1)
        let again = bench.push([log[8]], on: 2)
        #expect(again.verifications == 0 && again.prunes.isEmpty && again.pushes.isEmpty)
    }

    @Test func whoeverBroughtItIsNotSentIt() {
        var bench = Bench(writers: 4)
        for number in 0..<4 { bench.open(number) }
        let log = Self.log(bench.writers[0])
        let first = bench.push([log[8]], on: 1)
        _ = bench.push([log[8]], on: 2)
        #expect(bench.verify(first).pushes == [bench.link(3)])
    }

    @Test func aForgeryKeepsNothingAway() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let log = Self.log(bench.writers[0])
        var forged = Run([log[8]], hops: 0, pushed: true)
        forged.events[0].body = [9]
        let pending = bench.take(.message(bench.link(1), .run(forged)))
        // The true one comes while the forgery is being verified.
        let sound = bench.push([log[8]], on: 2)
        #expect(sound.verifications == 1)
        let refused = bench.verify(pending)
        #expect(refused.faults == [.badRun] && refused.ahead.isEmpty)
        #expect(bench.verify(sound).ahead.count == 1)
        #expect(bench.machine.size.trials == 0)
    }

    @Test func theLogTakesItInWhenItComesToIt() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let author = bench.writers[0].id
        let log = Self.log(bench.writers[0])
        _ = bench.verify(bench.push([log[8]], on: 1))
        let served = bench.verify(bench.serve(Array(log[..<8]), on: 1))
        #expect(served.stored.map(\.last) == [8] && served.faults.isEmpty)
        _ = bench.take(.stored([author: 8]))
        #expect(bench.machine.stored[author] == 9)
        #expect(bench.machine.size.ahead == 0)
        // What follows it is no gap any more.
        let next = bench.verify(bench.push([log[9]], on: 1))
        #expect(next.stored.map(\.first) == [10] && next.wants.isEmpty)
    }

    /// Both were on their way to the store when the replication began anew from what the store held.
    @Test func whatIsStoredAfterARestartIsKnown() {
        var bench = Bench()
        bench.open(1)
        let author = bench.writers[0].id
        let log = Self.log(bench.writers[0])
        _ = bench.verify(bench.push([log[8]], on: 1))
        _ = bench.verify(bench.serve(Array(log[..<8]), on: 1))
        bench.machine.restart(heads: [:])
        #expect(bench.machine.lacks(stored: [log[8]]) && bench.machine.lacks(stored: Array(log[..<8])))
        _ = bench.take(.storedSinceRestart([log[8]]))
        #expect(!bench.machine.lacks(stored: [log[8]]) && bench.machine.size.ahead == 1)
        _ = bench.take(.storedSinceRestart(Array(log[..<8])))
        _ = bench.take(.stored([author: 8]))
        #expect(bench.machine.stored[author] == 9 && bench.machine.size.ahead == 0)
        bench.open(1)
        #expect(bench.serve(Array(log[..<9]), on: 1).verifications == 0, "neither is wanted again")
        let next = bench.verify(bench.push([log[9]], on: 1))
        #expect(next.stored.map(\.first) == [10] && next.wants.isEmpty)
    }

    /// The same, when the store tells of all at once.
    @Test func confirmationsMayComeTogether() {
        var bench = Bench()
        bench.open(1)
        let author = bench.writers[0].id
        let log = Self.log(bench.writers[0])
        _ = bench.verify(bench.push([log[8]], on: 1))
        _ = bench.verify(bench.serve(Array(log[..<8]), on: 1))
        _ = bench.verify(bench.push([log[9]], on: 1))
        _ = bench.take(.stored([author: 10]))
        #expect(bench.machine.stored[author] == 10 && bench.machine.size.ahead == 0)
    }

    @Test func aRunMayBringItAgain() {
        var bench = Bench()
        bench.open(1)
        let log = Self.log(bench.writers[0])
        _ = bench.verify(bench.push([log[8]], on: 1))
        let served = bench.verify(bench.serve(log, on: 1))
        #expect(served.stored.map { $0.first...$0.last } == [1...10])
        #expect(served.faults.isEmpty && bench.machine.size.ahead == 0)
    }

    /// Who wrote two logs: the one that is there stands, what came ahead of it goes.
    @Test(arguments: [8, 9]) func aForkAtItsPlace(length: Int) {
        var bench = Bench()
        bench.open(1)
        let log = Self.log(bench.writers[0])
        let other = Self.log(bench.writers[0], branch: 1)
        #expect(bench.verify(bench.push([other[8]], on: 1)).ahead.count == 1)
        let served = bench.verify(bench.serve(Array(log[..<length]), on: 1))
        #expect(served.stored.map(\.last) == [UInt64(length)])
        #expect(served.faults == [.forkedLog] && bench.machine.size.ahead == 0)
        #expect(bench.verify(bench.push(Array(log[length...]), on: 1)).stored.map(\.last) == [10])
    }

    @Test func anAuthorHasItsShareAndNoMore() {
        var bench = Bench()
        bench.open(1)
        let count = Limits.aheadOfAuthorMax + 5
        let urgent = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, EventClass.announcement) })
        let log = bench.writers[0].log(count, classes: urgent)
        // The first never comes.
        for event in log.dropFirst() { _ = bench.verify(bench.push([event], on: 1)) }
        #expect(bench.machine.size.ahead == Limits.aheadOfAuthorMax)
        let other = bench.writers[2].log(2, classes: [2: .announcement])
        #expect(bench.verify(bench.push([other[1]], on: 1)).ahead.count == 1)
        // In order all come.
        #expect(bench.verify(bench.serve(log, on: 1)).stored.map(\.last) == [UInt64(count)])
        #expect(bench.machine.size.ahead == 1)
    }

    @Test func absurdlyFarAheadIsNotLookedAt() {
        var bench = Bench()
        bench.open(1)
        for first in [2_000_000, UInt64.max - 300] {
            var far = Run([Self.log(bench.writers[0])[8]], hops: 0, pushed: true)
            far.first = first
            #expect(bench.take(.message(bench.link(1), .run(far))).verifications == 0)
        }
    }

    /// A call for help overtakes its author's log as an announcement does; a few do, and no flood of them.
    @Test func aFewOfAnybodyGoAhead() {
        var bench = Bench(leading: [1])
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.message(bench.link(2), .prune))
        let places = Dictionary(uniqueKeysWithValues: (2...12).map { ($0, EventClass.announcement) })
        let log = bench.writers[0].log(12, classes: places)
        var ahead = 0
        for event in log.dropFirst() {
            let taken = bench.verify(bench.push([event], on: 1))
            ahead += taken.ahead.count
            if !taken.ahead.isEmpty { #expect(taken.pushes == [bench.link(2)]) }
        }
        #expect(ahead == Limits.alarmsAheadMax)
        _ = bench.pass(Limits.alarmAheadPause + .seconds(1))
        #expect(bench.verify(bench.push([log[10]], on: 1)).ahead.count == 1)
        // In order all come.
        #expect(bench.verify(bench.serve(log, on: 1)).stored.map(\.last) == [12])
        #expect(bench.machine.size.ahead == 0)
    }

    /// What nobody has proven costs the author nothing.
    @Test func forgeriesTakeNobodysPlace() {
        var bench = Bench(leading: [1])
        bench.open(1)
        let places = Dictionary(uniqueKeysWithValues: (2...12).map { ($0, EventClass.announcement) })
        let log = bench.writers[0].log(12, classes: places)
        for event in log[5...] { _ = bench.push([event], on: 1) }
        #expect(bench.verify(bench.push([log[1]], on: 1)).ahead.count == 1)
    }

    @Test func whoComesToLeadIsUrgentFromThenOn() {
        var bench = Bench(leading: [])
        for number in 0..<3 { bench.open(number) }
        let places = Dictionary(uniqueKeysWithValues: (2...12).map { ($0, EventClass.announcement) })
        let log = bench.writers[0].log(12, classes: places)
        for event in log[1...Limits.alarmsAheadMax] { _ = bench.verify(bench.push([event], on: 1)) }
        #expect(bench.push([log[8]], on: 1).verifications == 0, "no more than its few")
        _ = bench.take(.authors([], leaders: [bench.writers[0].id]))
        #expect(bench.verify(bench.push([log[8]], on: 1)).ahead.map(\.first) == [9])
    }

    @Test func laggingAndLazyLinksGetWhatIsUrgent() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.pressure(bench.link(1), isLagging: true))
        _ = bench.take(.message(bench.link(2), .prune))
        let log = Self.log(bench.writers[0])
        #expect(bench.verify(bench.push(Array(log[..<8]), on: 0)).pushes.isEmpty)
        #expect(bench.verify(bench.push([log[8]], on: 0)).pushes == [bench.link(1), bench.link(2)])
        #expect(bench.verify(bench.push([log[9]], on: 0)).pushes.isEmpty)
    }

    @Test func aLinkThatLagsIsNotFlooded() {
        var bench = Bench()
        bench.open(1)
        _ = bench.take(.pressure(bench.link(1), isLagging: true))
        let count = Limits.urgentWhileLaggingMax + 9
        let urgent = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, EventClass.announcement) })
        let log = Writer(1).log(count, classes: urgent)
        let pushes = log.dropLast().flatMap { bench.take(.wrote([$0])).pushes }
        #expect(pushes.count == Limits.urgentWhileLaggingMax)
        _ = bench.take(.pressure(bench.link(1), isLagging: false))
        #expect(bench.take(.wrote([log[count - 1]])).pushes == [bench.link(1)])
    }

    /// A batch is cut, so that what is urgent overtakes the rest of it; the log goes on behind.
    @Test func pushesGoOnBehindWhatOvertook() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let log = bench.writers[0].log(4, classes: [3: .announcement])
        #expect(bench.verify(bench.push([log[2]], on: 0)).pushes == [bench.link(1), bench.link(2)])
        #expect(bench.verify(bench.push([log[0], log[1]], on: 0)).pushes == [bench.link(1), bench.link(2)])
        #expect(bench.verify(bench.push([log[3]], on: 0)).pushes == [bench.link(1), bench.link(2)])
    }

    @Test func whatIsUrgentStandsAloneInPushes() {
        var bench = Bench()
        bench.open(1)
        let log = Writer(1).log(4, classes: [2: .announcement])
        let runs = bench.take(.wrote(log)).sent.compactMap { _, message -> Run? in
            if case .run(let run) = message { run } else { nil }
        }
        #expect(runs.map { $0.first...$0.last } == [1...1, 2...2, 3...4])
        #expect(runs.map { LinkMessage.run($0).lane } == [.chat, .urgent, .chat])
    }

    @Test func aLongPullIsPrecededByWhatIsUrgent() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let author = bench.writers[0].id
        let log = bench.writers[0].log(200, classes: [150: .announcement])
        _ = bench.verify(bench.serve(log, on: 0))
        _ = bench.take(.stored([author: 200]))
        func want(_ id: UInt32, from first: UInt64) -> [Bench.Output] {
            let range = Want.Range(author: author, first: first, last: .max)
            return bench.take(.message(bench.link(1), .want(Want(id: id, ranges: [range], graft: false))))
        }
        let long = want(1, from: 1)
        #expect(long.urgentLoads.map(\.ranges) == [[Want.Range(author: author, first: 33, last: 200)]])
        #expect(long.loads.count == 1)
        #expect(bench.take(.urgent(bench.link(1), [(log[149], 1)])).pushes == [bench.link(1)])
        #expect(bench.take(.urgent(bench.link(1), [(log[149], 1)])).pushes.isEmpty, "once a link")
        #expect(want(2, from: 150).urgentLoads.isEmpty, "it comes at once")
    }

    @Test func onlyWhoLeadsIsLookedForBeforeALongPull() {
        var bench = Bench(leading: [])
        for number in 0..<2 { bench.open(number) }
        let author = bench.writers[0].id
        _ = bench.verify(bench.serve(bench.writers[0].log(200, eventClass: .announcement), on: 0))
        _ = bench.take(.stored([author: 200]))
        let range = Want.Range(author: author, first: 1, last: 200)
        let asked = bench.take(.message(bench.link(1), .want(Want(id: 1, ranges: [range], graft: false))))
        #expect(asked.urgentLoads.isEmpty && asked.loads.count == 1)
    }

    @Test func aRangeAskedForTwiceIsServedOnce() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let author = bench.writers[0].id
        let log = bench.writers[0].log(200, classes: [150: .announcement])
        _ = bench.verify(bench.serve(log, on: 0))
        _ = bench.take(.stored([author: 200]))
        let spans: [ClosedRange<UInt64>] = [1...200, 1...200, 100...300]
        let ranges = spans.map { Want.Range(author: author, first: $0.lowerBound, last: $0.upperBound) }
        let asked = bench.take(.message(bench.link(1), .want(Want(id: 1, ranges: ranges, graft: false))))
        #expect(asked.urgentLoads.map(\.ranges) == [[Want.Range(author: author, first: 33, last: 200)]])
        #expect(asked.loads.map(\.range) == [Want.Range(author: author, first: 1, last: 200)])
        let served = bench.take(.loaded(bench.link(1), id: 1, log))
        #expect(served.loads.isEmpty)
        #expect(served.sent.contains { $0.message == .served(id: 1, truncated: false) })
    }

    @Test func aNewNeighbourIsGivenWhatIsAhead() {
        var bench = Bench()
        bench.open(1)
        let author = bench.writers[0].id
        let log = Self.log(bench.writers[0])
        _ = bench.verify(bench.push([log[8]], on: 1))
        _ = bench.take(.linkUp(bench.link(2), bench.writers[2].id))
        let greeted = bench.have(bench.writers[0], 3, on: 2)
        #expect(greeted.urgentLoads.map(\.link) == [bench.link(2)])
        #expect(greeted.urgentLoads.map(\.ranges) == [[Want.Range(author: author, first: 4, last: 9)]])
        #expect(bench.take(.urgent(bench.link(2), [(log[8], 1)])).pushes == [bench.link(2)])
    }

    /// Its author was restored from a backup: its greeting says that it lacks what it wrote.
    @Test func anAuthorThatLostItIsGivenIt() {
        var bench = Bench()
        bench.open(1)
        let log = Self.log(bench.writers[0])
        _ = bench.verify(bench.push([log[8]], on: 1))
        _ = bench.take(.linkUp(bench.link(0), bench.writers[0].id))
        let greeted = bench.have(bench.writers[0], 3, on: 0)
        #expect(greeted.urgentLoads.map(\.link) == [bench.link(0)])
        #expect(bench.take(.urgent(bench.link(0), [(log[8], 1)])).pushes == [bench.link(0)])
    }

    @Test func aRestartKnowsWhatWasShown() {
        var bench = Bench()
        let log = Self.log(bench.writers[0])
        let members = [bench.own] + bench.writers.map(\.id)
        bench.machine = GossipMachine(
            own: bench.own, members: members, leaders: [bench.writers[0].id], heads: [:], ahead: [log[8]])
        bench.open(1)
        #expect(bench.push([log[8]], on: 1).verifications == 0)
        let served = bench.verify(bench.serve(Array(log[..<8]), on: 1))
        #expect(served.stored.map(\.last) == [8])
        _ = bench.take(.stored([bench.writers[0].id: 8]))
        #expect(bench.machine.stored[bench.writers[0].id] == 9)
    }

    @Test func aDatagramBringsItToo() {
        var bench = Bench(writers: 4)
        for number in 0..<4 { bench.open(number) }
        _ = bench.take(.segments([SegmentID(value: 1)]))
        for number in 0..<3 { _ = bench.hear(number, heard: [bench.own]) }
        let log = Self.log(bench.writers[0])
        let taken = bench.verify(bench.hear(0, runs: [Run([log[8]], hops: 0, pushed: true)]))
        #expect(taken.ahead.map(\.first) == [9])
        #expect(taken.pushes == [bench.link(3)], "whom no datagram reaches")
        let questions = bench.pass(.milliseconds(30)).flatMap { output -> [Datagram.Gap] in
            if case .multicast(_, let datagram) = output { datagram.gaps } else { [] }
        }
        #expect(questions == [Datagram.Gap(author: bench.writers[0].id.prefix, first: 1, last: 8)])
    }

    @Test func ofManyAtOnceTheUrgentGoByDatagramAsWell() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.segments([SegmentID(value: 1)]))
        bench.everybodyHears()
        let log = Writer(1).log(20, classes: [20: .announcement])
        let outputs = bench.take(.wrote(log), after: .seconds(1))
        let said = outputs.flatMap { output -> [UInt64] in
            if case .multicast(_, let datagram) = output { datagram.runs.map(\.last) } else { [] }
        }
        #expect(said == [20])
        #expect(Set(outputs.pushes) == Set((0..<3).map(bench.link)))
    }

    /// Control events count by themselves; a leave only behind what its author wrote before, a later kind not at all.
    @Test func controlGoesByItselfWhereARunCannot() {
        var bench = Bench()
        for number in 1..<3 { bench.open(number) }
        _ = bench.take(.pressure(bench.link(1), isLagging: true))
        let bodies: [Int: [UInt8]] = [
            1: ControlBody.close.encode(), 2: ControlBody.leave.encode(), 3: [0xF2, 0x01, 0x00],
        ]
        let log = Writer(1).log(3, bodies: bodies, eventClass: .control)
        let first = bench.take(.wrote([log[0]]))
        #expect(first.controls == [bench.link(1)] && first.pushes == [bench.link(2)])
        let leave = bench.take(.wrote([log[1]]))
        #expect(leave.controls.isEmpty && leave.pushes == [bench.link(2)])
        let later = bench.take(.wrote([log[2]]))
        #expect(later.controls.isEmpty && later.pushes == [bench.link(2)])
    }
}
