import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Goal: equal heads mean equal logs. A peer with another event at a place is asked for it, once; nothing but a
/// signed run proves a fork, and no claim about another event counts as having ours.
/// Method: one machine, and two logs of a writer that differ in every event.
@Suite struct HeadTests {
    /// A bench with two links that holds the first events of the first writer's log.
    private static func bench(holding count: Int = 3, writers: Int = 3) -> Bench {
        var bench = Bench(writers: writers)
        for number in 0..<2 { bench.open(number) }
        for writer in bench.writers { _ = bench.hold(writer, count) }
        return bench
    }

    private static func ranges(_ outputs: [Bench.Output]) -> [Want.Range] { outputs.wants.flatMap(\.want.ranges) }

    // MARK: - Links

    @Test func anotherEventAtOurHeadIsAskedForOnce() {
        var bench = Self.bench()
        let other = bench.writers[0].log(3, branch: 1)
        #expect(bench.name([bench.writers[0].log(3)[2]], on: 1).wants.isEmpty, "the same event")
        let asked = bench.name([other[2]], on: 1)
        #expect(asked.wants.map(\.link) == [bench.link(1)] && asked.wants.allSatisfy { !$0.want.graft })
        #expect(Self.ranges(asked) == [Want.Range(author: bench.writers[0].id, first: 1, last: 3)])
        #expect(bench.name([other[2]], on: 1, salt: 8).wants.isEmpty, "once is enough for a while")
        // A peer that lies keeps nobody else's word away.
        #expect(bench.name([other[2]], on: 0).wants.map(\.link) == [bench.link(0)])
        _ = bench.pass(.seconds(601))
        #expect(bench.name([other[2]], on: 1).wants.count == 1)
    }

    @Test func whatIsAskedForProvesTheFork() {
        var bench = Self.bench()
        let other = bench.writers[0].log(3, branch: 1)
        _ = bench.name([other[2]], on: 1)
        let answered = bench.verify(bench.serve(other, on: 1))
        #expect(answered.faults == [.forkedLog] && answered.stored.isEmpty)
        #expect(answered.compared.flatMap(\.events) == other)
        #expect(answered.wants.isEmpty, "that was the answer")
    }

    @Test func anotherEventBeforeOurHeadIsAskedFor() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let log = bench.writers[0].log(5)
        _ = bench.verify(bench.push(log, on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 5]))
        #expect(bench.name([log[1]], on: 1).wants.isEmpty)
        let asked = bench.name([bench.writers[0].log(2, branch: 1)[1]], on: 1)
        #expect(Self.ranges(asked) == [Want.Range(author: bench.writers[0].id, first: 1, last: 2)])
    }

    @Test func whatWasNamedBeforeItWasStoredIsComparedThen() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let log = bench.writers[0].log(2)
        _ = bench.name([bench.writers[0].log(2, branch: 1)[1]], on: 1)
        _ = bench.verify(bench.push(log, on: 0))
        let stored = bench.take(.stored([bench.writers[0].id: 2]))
        #expect(stored.wants.map(\.link) == [bench.link(1)])
        #expect(Self.ranges(stored) == [Want.Range(author: bench.writers[0].id, first: 1, last: 2)])
    }

    @Test func headsOfAuthorsWhoBecomeKnownLaterAreCompared() {
        var bench = Bench(writers: 3, strangers: 1)
        for number in 0..<2 { bench.open(number) }
        let writer = bench.writers[2]
        _ = bench.name([writer.log(1, branch: 1)[0]], on: 1)
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: []))
        _ = bench.verify(bench.push(writer.log(1), on: 0))
        let stored = bench.take(.stored([writer.id: 1]))
        #expect(Self.ranges(stored) == [Want.Range(author: writer.id, first: 1, last: 1)])
    }

    /// A tag is nobody's signature: one that is false costs a question, and in the end the link.
    @Test func falseTagsCountAgainstTheirLink() {
        var bench = Self.bench(writers: 10)
        let logs = bench.writers.map { $0.log(3) }
        for number in 0..<8 {
            #expect(bench.name([bench.writers[number].log(3, branch: 1)[2]], on: 1).wants.count == 1)
            let answered = bench.verify(bench.serve(logs[number], on: 1))
            #expect(answered.faults.isEmpty && answered.compared.isEmpty)
        }
        #expect(bench.name([bench.writers[8].log(3, branch: 1)[2]], on: 1).wants.isEmpty, "not believed any more")
        #expect(bench.have(bench.writers[9], 9, on: 1).wants.isEmpty && bench.pass(.seconds(1)).wants.isEmpty)
        #expect(bench.name([bench.writers[8].log(3, branch: 1)[2]], on: 0).wants.count == 1, "another link is")
    }

    @Test func behindTheEndOfALogNothingIsCompared() {
        var bench = Self.bench()
        let author = bench.writers[0].id
        _ = bench.take(.authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [author: 2]))
        let other = bench.writers[0].log(3, branch: 1)
        #expect(bench.name([other[2]], on: 1).wants.isEmpty)
        #expect(bench.name([other[1]], on: 1).wants.isEmpty == false, "at the end it still is")
    }

    // MARK: - Pushes

    @Test func aPushThatContradictsOurHeadIsVerified() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let (log, other) = (bench.writers[0].log(3), bench.writers[0].log(3, branch: 1))
        _ = bench.verify(bench.push(log, on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 3]))
        let pushed = bench.push([other[2]], on: 1)
        #expect(pushed.verifications == 1)
        let judged = bench.verify(pushed)
        #expect(judged.faults == [.forkedLog] && judged.stored.isEmpty)
        #expect(judged.compared.flatMap(\.events) == [other[2]])
        #expect(Self.ranges(judged) == [Want.Range(author: bench.writers[0].id, first: 1, last: 3)])
        // The same before it and another one there: both at once.
        #expect(bench.push(other, on: 1).verifications == 1)
    }

    @Test func anEventThatWeHaveCostsNoSignature() {
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        let log = bench.writers[0].log(3)
        _ = bench.verify(bench.push(log, on: 0))
        #expect(bench.push([log[2]], on: 1).verifications == 0)
        #expect(bench.push(log, on: 1).verifications == 0)
    }

    /// From the store a machine knows only which event it is: one copy tells it the signature.
    @Test func afterARestartOneCopyIsVerified() {
        var bench = Bench()
        let log = bench.writers[0].log(3)
        bench.machine.restart(heads: [bench.writers[0].id: (sequence: 3, id: log[2].id)])
        for number in 0..<2 { bench.open(number) }
        let judged = bench.verify(bench.push([log[2]], on: 1))
        #expect(judged.faults.isEmpty)
        #expect(bench.push([log[2]], on: 1).verifications == 0)
        #expect(bench.verify(bench.push([bench.writers[0].log(3, branch: 1)[2]], on: 1)).faults == [.forkedLog])
    }

    // MARK: - Claims

    private static func covered(_ outputs: [Bench.Output]) -> [UInt64] {
        outputs.covered.flatMap(\.heads).map(\.sequence)
    }

    private static func claim(_ event: Event, by member: Int, counter: UInt64, _ bench: inout Bench) -> [Bench.Output] {
        let head = KnownHead(prefix: event.header.author.prefix, sequence: event.header.sequence, id: event.id)
        let claim = bench.claim(bench.writers[member], counter: counter, heads: [head.tagged(counter)])
        return bench.take(.claims(.link(bench.link(0)), [claim]))
    }

    @Test func aClaimOfAnotherEventDoesNotCoverOurs() {
        var bench = Self.bench()
        let other = bench.writers[0].log(3, branch: 1)
        let claimed = Self.claim(other[2], by: 1, counter: 1, &bench)
        #expect(Self.covered(claimed).isEmpty)
        #expect(claimed.wants.map(\.link) == [bench.link(1)], "its member is asked, whoever passed the row on")
        #expect(Self.covered(Self.claim(bench.writers[0].log(3)[2], by: 2, counter: 1, &bench)) == [3])
        // The part that both logs have in common counts again when the log is known to end there.
        let ended = bench.take(
            .authors([bench.own] + bench.writers.map(\.id), leaders: [], ends: [bench.writers[0].id: 1]))
        #expect(ended.covered.map(\.member).contains(bench.writers[1].id))
        #expect(Self.covered(ended).allSatisfy { $0 == 1 })
    }

    @Test func aClaimOfWhatWeLackCountsWhenWeHaveIt() {
        for branch in [0, 1] as [UInt8] {
            var bench = Bench()
            for number in 0..<2 { bench.open(number) }
            let claimed = Self.claim(bench.writers[0].log(2, branch: branch)[1], by: 1, counter: 1, &bench)
            #expect(Self.covered(claimed).isEmpty)
            _ = bench.verify(bench.push(bench.writers[0].log(2), on: 0))
            let stored = bench.take(.stored([bench.writers[0].id: 2]))
            #expect(Self.covered(stored) == (branch == 0 ? [2] : []))
            #expect(stored.wants.map(\.link) == (branch == 0 ? [] : [bench.link(1)]))
        }
    }

    /// Two nodes with equal numbers of which one holds another event: the hash of one says nothing to the other.
    @Test func theHashNamesTheEvents() {
        var wholes = [WholeFrontier]()
        for branch in [0, 1] as [UInt8] {
            var bench = Bench()
            _ = bench.sign(bench.take(.linkUp(bench.link(0), bench.writers[0].id)))
            _ = bench.take(.message(bench.link(0), .have(Have())))
            _ = bench.verify(bench.push(bench.writers[1].log(2, branch: branch), on: 0))
            _ = bench.take(.stored([bench.writers[1].id: 2]))
            for _ in 0..<200 {
                let outputs = bench.pass(.milliseconds(50))
                _ = bench.sign(outputs)
                for case .signClaim(_, let whole?, _, _) in outputs where whole.through > .zero { wholes.append(whole) }
                if wholes.count > Int(branch) { break }
            }
        }
        #expect(wholes.count == 2 && wholes[0].through == wholes[1].through)
        #expect(wholes.first?.digest != wholes.last?.digest)
    }

    // MARK: - Our own log

    /// Two copies of a device that each wrote once: the tag makes this one ask, the signed run proves it.
    @Test func ourOwnLogForksByProofAlone() throws {
        let me = Writer(1)
        var bench = Bench()
        for number in 0..<2 { bench.open(number) }
        _ = bench.take(.wrote(me.log(3)))
        let other = me.log(2) + [me.log(3, bodies: [3: [9]])[2]]
        let asked = bench.name([other[2]], on: 1)
        #expect(Self.ranges(asked) == [Want.Range(author: me.id, first: 1, last: 3)])
        #expect(bench.machine.ownLogState == .ready)
        let served = bench.serve(Array(other[2...]), on: 1)
        #expect(served.verifications == 1)
        let run = try VerifiedRun(
            Run(Array(other[2...]), hops: 0, pushed: false), tour: Writer.tour, identity: me.keys.publicKey)
        let judged = bench.take(.verified(.link(bench.link(1)), run))
        #expect(judged.ownLogStates == [.forked] && bench.machine.ownLogState == .forked)
    }
}
