import Testing
import TourGossip
import TourModel
import TourWire

// Goal: live events go out once along a tree, which duplicates thin out and grafts mend.
// Method: one machine, hand-made inputs, what it puts out.
@Suite struct PushTests {
    @Test func newsGoesToAllButItsSource() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let arrived = bench.push(bench.writers[0].log(1), on: 0)
        #expect(arrived.pushes.isEmpty && arrived.verifications == 1)
        #expect(bench.verify(arrived).pushes == [bench.link(1), bench.link(2)])
    }

    @Test func relayedHopsGrowAndStopAtTheLimit() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let log = bench.writers[0].log(3)
        let relayed = bench.verify(bench.push([log[0]], on: 1, hops: 4))
        let hops = relayed.sent.compactMap { _, message -> Int? in
            if case .run(let run) = message { run.hops } else { nil }
        }
        #expect(hops == [5])
        #expect(bench.verify(bench.push([log[1]], on: 1, hops: Limits.hopsMax - 1)).pushes.isEmpty)
        let beyond = bench.push([log[2]], on: 1, hops: Limits.hopsMax)
        #expect(beyond.faults == [.tooManyHops] && beyond.verifications == 0)
    }

    /// What two authors say at once comes twice at two places of one circle: only the root's decides.
    @Test func theRootsDuplicatePrunesOnce() {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        #expect(root.id < bench.own && bench.writers[..<3].allSatisfy { root.id < $0.id })
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(root, counter: 1)]))
        let others = bench.writers[0].log(1)
        _ = bench.verify(bench.push(others, on: 0))
        #expect(bench.push(others, on: 1).prunes.isEmpty)
        let log = root.log(2)
        _ = bench.verify(bench.push([log[0]], on: 0))
        #expect(bench.push([log[0]], on: 1).prunes == [bench.link(1)])
        #expect(bench.push([log[0]], on: 1).prunes.isEmpty)
        #expect(bench.verify(bench.push([log[1]], on: 0)).pushes == [bench.link(2)])
        // It goes on all the same: it is told once more.
        _ = bench.pass(.seconds(6))
        #expect(bench.push([log[1]], on: 1).prunes == [bench.link(1)])
    }

    @Test func theRootsSignOfLifePrunesToo() {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        let claim = bench.claim(root, counter: 1)
        #expect(bench.take(.claims(.link(bench.link(0)), [claim])).rows == [bench.link(1), bench.link(2)])
        #expect(bench.take(.message(bench.link(0), .rows([claim.row]))).prunes.isEmpty)
        #expect(bench.take(.message(bench.link(1), .rows([claim.row]))).prunes == [bench.link(1)])
    }

    /// A row that was late somewhere shall not take away what the root's last event came by: others may have pruned the
    /// other way.
    @Test func theRootsSignOfLifeLeavesTheWayOfItsEvents() {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        let claim = bench.claim(root, counter: 1)
        _ = bench.take(.claims(.link(bench.link(0)), [claim]))
        _ = bench.verify(bench.push(root.log(1), on: 1))
        #expect(bench.take(.message(bench.link(1), .rows([claim.row]))).prunes.isEmpty)
        #expect(bench.take(.message(bench.link(2), .rows([claim.row]))).prunes == [bench.link(2)])
    }

    /// We prune the way that the root's last word takes while it is under way, and who brought the one before gets it
    /// from us as a second: with both gone nothing would join us to the rest. Found in a tour of 50 at 30 % loss.
    @Test func whoIsPrunedKeepsTheWayOfTheRootsLastWord() {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        let claim = bench.claim(root, counter: 1)
        _ = bench.take(.claims(.link(bench.link(0)), [claim]))
        #expect(bench.take(.message(bench.link(1), .rows([claim.row]))).prunes == [bench.link(1)])
        // The tree is whole without this one.
        #expect(bench.take(.message(bench.link(2), .prune)).wants.isEmpty)
        let second = bench.claim(root, counter: 2)
        _ = bench.take(.claims(.link(bench.link(1)), [second]), after: .milliseconds(1))
        let wants = bench.take(.message(bench.link(0), .prune)).wants
        #expect(wants.map(\.link) == [bench.link(1)] && wants.allSatisfy { $0.want.graft })
        #expect(bench.machine.eagerLinks == [bench.link(1)])
        #expect(bench.take(.message(bench.link(2), .prune)).wants.isEmpty)
    }

    /// Who asks for all rows gets the root's as well: that its copy came late says nothing of a circle.
    @Test(arguments: [(900, true), (1_100, false)])
    func onlyASecondCopyInTimePrunes(milliseconds: Int, prunes: Bool) {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        let claim = bench.claim(root, counter: 1)
        _ = bench.take(.claims(.link(bench.link(0)), [claim]))
        let outputs = bench.take(.message(bench.link(1), .rows([claim.row])), after: .milliseconds(milliseconds))
        #expect(outputs.prunes == (prunes ? [bench.link(1)] : []))
    }

    /// What had to be asked for, since no push brought it, others miss too: they are told at once.
    @Test func whatMendsAHoleIsToldAtOnce() throws {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        #expect(bench.have(bench.writers[2], 1, on: 0).wants.isEmpty)
        #expect(bench.pass(.milliseconds(110)).wants.map(\.want.graft) == [true])
        _ = bench.verify(bench.serve(bench.writers[2].log(1), on: 0))
        _ = bench.take(.stored([bench.writers[2].id: 1]))
        #expect(bench.pass(.milliseconds(30)).haves.map(\.link) == [bench.link(1), bench.link(2)])
        #expect(bench.machine.size.mended == 0)
        // What comes by a push has time.
        _ = bench.verify(bench.push(bench.writers[0].log(1), on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        #expect(bench.pass(.milliseconds(150)).haves.isEmpty)
    }

    @Test func prunedLinkGetsHaves() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.take(.message(bench.link(1), .prune))
        let log = bench.writers[0].log(1)
        #expect(bench.verify(bench.push(log, on: 0)).pushes.isEmpty)
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        let haves = bench.pass(.milliseconds(500)).haves
        #expect(haves.map(\.link) == [bench.link(1)])
        #expect(haves.first?.heads == [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 1)])
    }

    @Test func graftMakesTheLinkEagerAgain() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.take(.message(bench.link(1), .prune))
        #expect(bench.machine.eagerLinks == [bench.link(0)])
        _ = bench.take(.message(bench.link(1), .want(Want(id: 1, ranges: [], graft: true))))
        #expect(bench.machine.eagerLinks == [bench.link(0), bench.link(1)])
    }

    /// On a lazy link one tells the other: neither knows all that the other has, and would not push what comes next.
    @Test func aGraftTellsEverything() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.verify(bench.push(bench.writers[0].log(1), on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        _ = bench.take(.message(bench.link(1), .prune))
        let graft = LinkMessage.want(Want(id: 1, ranges: [], graft: true))
        let told = bench.take(.message(bench.link(1), graft)).haves
        #expect(told.map(\.link) == [bench.link(1)])
        #expect(told.first?.heads == [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 1)])
        #expect(bench.take(.message(bench.link(1), graft)).haves.isEmpty)
        // Nobody makes it say all of it again and again.
        _ = bench.take(.message(bench.link(1), .prune))
        #expect(bench.take(.message(bench.link(1), graft)).haves.isEmpty)
        _ = bench.pass(Limits.tellAllPause)
        // The one who asks tells as well.
        _ = bench.take(.message(bench.link(1), .prune))
        _ = bench.have(bench.writers[2], 1, on: 1)
        let asked = bench.pass(.milliseconds(110))
        #expect(asked.wants.map(\.want.graft) == [true] && asked.haves.map(\.link) == [bench.link(1)])
    }

    /// A lost link may have been a branch of the tree; one on which nothing was said was not.
    @Test func onlyALinkThatCarriedSomethingIsALoss() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.take(.message(bench.link(1), .prune))
        _ = bench.take(.linkUp(bench.link(2), bench.writers[2].id))
        _ = bench.take(.linkDown(bench.link(2)))
        #expect(bench.machine.eagerLinks == [bench.link(0)])
        bench.open(2)
        _ = bench.take(.linkDown(bench.link(2)))
        #expect(bench.machine.eagerLinks == [bench.link(0), bench.link(1)])
    }

    @Test func laggingLinkGetsNoPushes() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        _ = bench.take(.pressure(bench.link(1), isLagging: true))
        #expect(bench.verify(bench.push(bench.writers[0].log(1), on: 0)).pushes.isEmpty)
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        #expect(bench.pass(.milliseconds(500)).haves.map(\.link) == [bench.link(1)])
    }

    @Test func nothingIsPushedBeforeThePeerSpoke() {
        var bench = Bench()
        bench.open(0)
        let greeting = bench.take(.linkUp(bench.link(1), bench.writers[1].id))
        #expect(greeting.haves.map(\.link) == [bench.link(1)])
        #expect(bench.verify(bench.push(bench.writers[0].log(1), on: 0)).pushes.isEmpty)
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        _ = bench.pass(.milliseconds(100))
        // It may have dropped all that: what it lacks is told again.
        let spoken = bench.take(.message(bench.link(1), .have(Have())))
        let expected = [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 1)]
        #expect(spoken.haves.map(\.heads) == [expected])
    }

    @Test func hugeHeadsDoNotOverflow() {
        var bench = Bench()
        bench.open(0)
        bench.open(1)
        for writer in bench.writers { _ = bench.have(writer, .max, on: 1) }
        #expect(bench.verify(bench.push(bench.writers[0].log(1), on: 0)).pushes.isEmpty)
        #expect(bench.pass(.seconds(120)).wants.count < 40)
    }

    @Test func forkIsSeenAtTheNextEvent() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let ours = bench.writers[0].log(2)
        let other = bench.writers[0].log(3, branch: 1)
        _ = bench.verify(bench.push([ours[0]], on: 1))
        _ = bench.verify(bench.push([ours[1]], on: 1))
        #expect(bench.verify(bench.push([other[1]], on: 2)).faults == [.forkedLog])
        #expect(bench.verify(bench.push([other[2]], on: 2)).faults == [.forkedLog])
        // The other branch is not asked for in a circle.
        #expect(bench.pass(.seconds(300)).wants.isEmpty)
    }
}
