import Testing
import TourGossip
import TourModel
import TourWire

// Goal: what was read is said soon, seldom, and never of what came unseen; an event is pushed again to whoever lacks
// it.
// Method: one machine, readings in every order, and when it wants a claim signed.
@Suite struct ReadTests {
    private static func clock(_ number: Int) -> LogicalClock { LogicalClock(milliseconds: Int64(number)) }

    /// A machine with one neighbour that has just made a claim.
    private static func bench() -> Bench {
        var bench = Bench()
        bench.open(0)
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 1)))
        return bench
    }

    @Test func readsAloneAreOneClaimInFiveSeconds() {
        var bench = Self.bench()
        var signed = [LogicalClock]()
        for number in 1...200 {
            let outputs = bench.take(.readMoved(Self.clock(number))) + bench.pass(.milliseconds(100))
            guard !outputs.signedReads.isEmpty else { continue }
            signed += outputs.signedReads
            _ = bench.take(.claim(bench.claim(Writer(1), counter: UInt64(number + 1))))
        }
        #expect((3...4).contains(signed.count))
        // Each says all that was read by then.
        #expect(signed.allSatisfy { $0 >= Self.clock(49) })
    }

    @Test func aReadAfterQuietIsSaidAtOnce() {
        var bench = Self.bench()
        _ = bench.pass(.seconds(6))
        let outputs = bench.take(.readMoved(Self.clock(1))) + bench.pass(.milliseconds(200))
        #expect(outputs.signedReads == [Self.clock(1)])
    }

    @Test func aReadGoesAlongWithTheFrontier() {
        var bench = Self.bench()
        let read = LogicalClock(value: 7)
        _ = bench.take(.readMoved(read))
        _ = bench.verify(bench.push(bench.writers[1].log(1), on: 0))
        _ = bench.take(.stored([bench.writers[1].id: 1]))
        #expect(bench.pass(.seconds(2)).signedReads == [read])
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 2)))
        #expect(bench.pass(.seconds(7)).signings == 0)
    }

    @Test func whatWasReadNeverFalls() {
        var bench = Self.bench()
        _ = bench.take(.readMoved(Self.clock(9)))
        _ = bench.take(.readMoved(Self.clock(5)))
        #expect(bench.pass(.seconds(6)).signedReads == [Self.clock(9)])
        // A row of an earlier life, which the store has forgotten, said more.
        let later = bench.claim(Writer(1), counter: 900, readThrough: Self.clock(50))
        #expect(bench.take(.claims(.link(bench.link(0)), [later])).signedReads == [Self.clock(50)])
        bench.machine.restart(heads: [:])
        #expect(bench.take(.linkUp(bench.link(1), bench.writers[1].id)).signedReads == [Self.clock(50)])
    }

    @Test func whatTheStoreKeptIsTakenUp() {
        var bench = Bench()
        let row = bench.claim(Writer(1), counter: 4, readThrough: Self.clock(3))
        bench.machine.restore([row], readThrough: Self.clock(8))
        #expect(bench.take(.linkUp(bench.link(0), bench.writers[0].id)).signedReads == [Self.clock(8)])
        var other = Bench()
        other.machine.restore([row], readThrough: Self.clock(2))
        // What the user has seen is known best where it is kept, also if it is less: something came late.
        #expect(other.take(.linkUp(other.link(0), other.writers[0].id)).signedReads == [Self.clock(2)])
    }

    /// No row says that something is here and was read that nobody has seen.
    @Test func whatComesLateIsNotRead() {
        var bench = Self.bench()
        let log = bench.writers[0].log(3)
        _ = bench.take(.readMoved(LogicalClock(value: log[2].header.clock.value + 10)))
        _ = bench.verify(bench.push(Array(log[..<2]), on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 2]))
        let before = LogicalClock(value: log[0].header.clock.value - 1)
        #expect(bench.pass(.seconds(6)).signedReads == [before])
        // It was displayed: as far as it was before, and no further than the next.
        _ = bench.take(.readMoved(log[2].header.clock))
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 2)))
        #expect(bench.pass(.seconds(30)).signedReads.allSatisfy { $0 == log[2].header.clock })
    }

    @Test func ownMessagesAndDecorationsNeverHoldIt() {
        var bench = Self.bench()
        let far = LogicalClock(value: .max >> 1)
        _ = bench.take(.readMoved(far))
        _ = bench.verify(bench.push(bench.writers[0].log(1, classes: [1: .profile]), on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        #expect(bench.pass(.seconds(6)).signedReads == [far])
    }

    @Test func anEventIsPushedAgainToWhoeverLacksIt() {
        var bench = Bench(writers: 4)
        for number in 0..<4 { bench.open(number) }
        for number in 1..<4 { _ = bench.take(.message(bench.link(number), .prune)) }
        let log = bench.writers[0].log(2)
        _ = bench.verify(bench.push(log, on: 0))
        // Not stored yet: not said, and not sent.
        #expect(bench.take(.resend(log[1], hops: 1)).pushes.isEmpty)
        _ = bench.take(.stored([bench.writers[0].id: 2]))
        _ = bench.have(bench.writers[0], 2, on: 2)
        #expect(bench.take(.resend(log[1], hops: 1)).pushes == [bench.link(1), bench.link(3)])
        #expect(bench.take(.resend(log[1], hops: 16)).pushes.isEmpty)
    }
}
