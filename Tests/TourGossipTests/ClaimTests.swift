import Testing
import TourGossip
import TourModel
import TourWire

// Goal: claims travel once, the newest wins; authors whom the roster does not know are asked about and then fetched.
// Method: one machine, hand-made inputs, what it puts out.
@Suite struct ClaimTests {
    @Test func newestWinsAndIsPassedOnOnce() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let new = bench.claim(bench.writers[0], counter: 9)
        let old = bench.claim(bench.writers[0], counter: 8)
        let isClaimed: (GossipMachine.Output) -> Bool = { if case .claimed = $0 { true } else { false } }
        #expect(bench.take(.claims(.link(bench.link(1)), [new])).contains(where: isClaimed))
        #expect(!bench.take(.claims(.link(bench.link(2)), [old, new])).contains(where: isClaimed))
        // Not to where it came from, and not to the member itself.
        #expect(bench.pass(.milliseconds(200)).rows == [bench.link(2)])
        #expect(bench.pass(.seconds(5)).rows.isEmpty)
        let known = bench.take(.message(bench.link(2), .rows([old.row, new.row])))
        #expect(known.isEmpty)
    }

    /// Else a member's signer that lost its newest row would sign rows with lower counters, which count nowhere.
    @Test func whoShowsAnOlderRowGetsTheNewest() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        let new = bench.claim(bench.writers[0], counter: 9)
        let old = bench.claim(bench.writers[0], counter: 8)
        _ = bench.take(.claims(.link(bench.link(1)), [new]))
        // All rows go out when a link starts: a peer that shows an older one then gets the newest anyway.
        _ = bench.take(.message(bench.link(2), .rows([old.row])))
        #expect(bench.pass(.seconds(5)).rows == [bench.link(2)])
        _ = bench.pass(.seconds(6))
        _ = bench.take(.message(bench.link(2), .rows([old.row])))
        #expect(bench.pass(.milliseconds(2_900)).rows.isEmpty)
        #expect(bench.pass(.milliseconds(200)).rows == [bench.link(2)])
        // Neither a message that names the newest too, nor a peer that shows it meanwhile, asks for anything.
        _ = bench.take(.message(bench.link(2), .rows([new.row, old.row])))
        #expect(bench.pass(.seconds(5)).rows.isEmpty)
        _ = bench.take(.message(bench.link(2), .rows([old.row])))
        _ = bench.take(.message(bench.link(2), .rows([new.row])))
        #expect(bench.pass(.seconds(5)).rows.isEmpty)
    }

    @Test func aLinkJoinsTheTreeWhereSomebodyFellSilent() {
        var bench = Bench()
        for number in 0..<3 {
            bench.open(number)
            if number > 0 { _ = bench.take(.message(bench.link(number), .prune)) }
        }
        let claim = bench.claim(bench.writers[0], counter: 9)
        _ = bench.take(.claims(.link(bench.link(0)), [claim]))
        #expect(bench.pass(.milliseconds(21_900)).rows.isEmpty)
        let outputs = bench.pass(.milliseconds(200))
        let grafted = outputs.compactMap { output -> LinkID? in
            guard case .send(let link, .want(let want)) = output, want.graft, want.ranges.isEmpty else { return nil }
            return link
        }
        #expect(grafted.count == 1 && grafted != [bench.link(0)] && outputs.rows == grafted)
        // Once for each silence.
        #expect(bench.pass(.seconds(60)).rows.isEmpty)
        // The other side does the same when it is asked.
        let other = bench.link(grafted == [bench.link(1)] ? 2 : 1)
        let asked = bench.take(.message(other, .want(Want(id: 1, ranges: [], graft: true))))
        #expect(asked.rows == [other])
        #expect(bench.take(.message(other, .want(Want(id: 2, ranges: [], graft: true)))).rows.isEmpty)
    }

    @Test func nobodyIsMissedWhoSleeps() {
        var bench = Bench()
        for number in 0..<3 {
            bench.open(number)
            if number > 0 { _ = bench.take(.message(bench.link(number), .prune)) }
        }
        func isGraft(_ output: GossipMachine.Output) -> Bool {
            if case .send(_, .want(let want)) = output { want.graft && want.ranges.isEmpty } else { false }
        }
        let sleeper = bench.writers[0]
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(sleeper, counter: 7)]))
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(sleeper, counter: 9, isAsleep: true)]))
        #expect(!bench.pass(.seconds(60)).contains(where: isGraft))
        // What it said before it fell asleep wakes nobody.
        _ = bench.take(.claims(.link(bench.link(1)), [bench.claim(sleeper, counter: 8)]))
        #expect(!bench.pass(.seconds(60)).contains(where: isGraft))
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(sleeper, counter: 10)]))
        #expect(!bench.pass(.milliseconds(21_900)).contains(where: isGraft))
        #expect(bench.pass(.milliseconds(200)).contains(where: isGraft), "awake again, it is missed as anybody is")
    }

    @Test func whoFallsAsleepSignsOneRowMoreAndNoneUntilItWakes() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.sign(bench.pass(.seconds(3)))
        let last = bench.take(.rest(isAsleep: true))
        #expect(last.rests == [true])
        _ = bench.sign(last)
        _ = bench.take(.linkDown(bench.link(2)))
        bench.open(2)
        #expect(bench.pass(.seconds(60)).rests.isEmpty)
        #expect(bench.take(.rest(isAsleep: true)).rests.isEmpty)
        #expect(bench.take(.rest(isAsleep: false)).rests == [false])
    }

    /// Without a link when it falls asleep, it says so on the first that opens.
    @Test func whoFallsAsleepAloneSaysSoToWhomItMeets() {
        var bench = Bench()
        #expect(bench.take(.rest(isAsleep: true)).rests.isEmpty)
        #expect(bench.pass(.seconds(5)).rests.isEmpty)
        #expect(bench.take(.linkUp(bench.link(0), bench.writers[0].id)).rests == [true])
    }

    @Test func theLastRowBeforeASleepGoesOnEveryLinkAtOnce() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.message(bench.link(1), .prune))
        let last = bench.claim(Writer(1), counter: 1, isAsleep: true)
        #expect(bench.take(.claim(last)).rows == (0..<3).map { bench.link($0) })
    }

    @Test func ownClaimGoesAlongTheTreeAtOnce() {
        var bench = Bench()
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.message(bench.link(1), .prune))
        #expect(bench.take(.claim(bench.claim(Writer(1), counter: 1))).rows == [bench.link(0), bench.link(2)])
    }

    @Test func oneCheckAMemberAndMessage() {
        var bench = Bench()
        bench.open(0)
        let rows = (1...50).map { bench.claim(bench.writers[1], counter: $0).row }
        #expect(bench.take(.message(bench.link(0), .rows(rows))).checked == [rows[49]])
        // More than one is worth it only when the others say more.
        let wide = bench.claim(bench.writers[1], counter: 60, has: [(bench.own, 1), (bench.writers[0].id, 1)])
        let more = bench.claim(bench.writers[1], counter: 61, has: [(bench.own, 2)])
        let less = bench.claim(bench.writers[1], counter: 59, has: [(bench.own, 1)])
        let last = bench.claim(bench.writers[1], counter: 62)
        let batch = [less, wide, more, last].map(\.row)
        #expect(bench.take(.message(bench.link(0), .rows(batch))).checked == [last, more, wide].map(\.row))
    }

    @Test func forgersAreHeardNoMore() {
        var bench = Bench()
        bench.open(0)
        _ = bench.take(.forgedClaims(.link(bench.link(0)), count: 8))
        let row = bench.claim(bench.writers[1], counter: 1).row
        #expect(bench.take(.message(bench.link(0), .rows([row]))).isEmpty)
    }

    /// After a start with an earlier clock, peers still know our last row: ours go on behind it, soon.
    @Test func ownLaterCounterIsTakenUp() {
        var bench = Bench()
        bench.open(0)
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 5)))
        let later = bench.claim(Writer(1), counter: 900)
        let checked = bench.take(.message(bench.link(0), .rows([later.row])))
        #expect(checked.checked == [later.row])
        let outputs = bench.take(.claims(.link(bench.link(0)), [later]))
        #expect(outputs.contains { if case .ownCounter(900) = $0 { true } else { false } })
        #expect(outputs.signings + bench.pass(.seconds(1)).signings == 1)
    }

    /// Each of two copies of a node hears the other's rows as its own: neither answers every one.
    @Test func twoCopiesDoNotDriveEachOther() {
        var bench = Bench()
        bench.open(0)
        var signings = 0
        for step in 1...100 {
            let counter = UInt64(step * 2)
            let other = bench.claim(Writer(1), counter: counter)
            var outputs = bench.take(.claims(.link(bench.link(0)), [other]), after: .milliseconds(20))
            outputs += bench.pass(.zero)
            guard outputs.signings > 0 else { continue }
            signings += outputs.signings
            _ = bench.take(.claim(bench.claim(Writer(1), counter: counter + 1)))
        }
        #expect((1...4).contains(signings), "\(signings) rows in two seconds")
    }

    @Test func ownClaimKeepsItsPace() {
        var bench = Bench()
        bench.open(0)
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 1)))
        let log = bench.writers[1].log(60)
        var signings = 0
        for event in log {
            _ = bench.verify(bench.push([event], on: 0))
            signings += bench.take(.stored([event.header.author: event.header.sequence])).signings
            let passed = bench.pass(.milliseconds(100))
            signings += passed.signings
            guard passed.signings > 0 else { continue }
            _ = bench.take(.claim(bench.claim(Writer(1), counter: event.header.sequence + 1)))
        }
        #expect((4...7).contains(signings))
    }

    @Test func manyLinksAreOneClaim() {
        var bench = Bench(writers: 20)
        var signings = bench.take(.linkUp(bench.link(0), bench.writers[0].id)).signings
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 1)))
        for number in 1..<20 { signings += bench.take(.linkUp(bench.link(number), bench.writers[number].id)).signings }
        signings += bench.pass(.seconds(1)).signings
        #expect(signings == 2)
    }

    @Test func quietMemberStillSaysThatItIsThere() {
        var bench = Bench()
        bench.open(0)
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 1)))
        _ = bench.pass(.seconds(1))
        _ = bench.take(.claim(bench.claim(Writer(1), counter: 2)))
        #expect(bench.pass(.seconds(9)).signings == 0)
        #expect(bench.pass(.seconds(2)).signings == 1)
    }

    @Test func unknownAuthorIsAskedAboutAndThenPulled() {
        var bench = Bench(strangers: 1)
        bench.open(0)
        let stranger = bench.writers[2]
        #expect(bench.have(stranger, 5, on: 0).comparisons == 1)
        // The same again is no news; while nobody explains it, it is asked about now and then.
        #expect(bench.have(stranger, 5, on: 0).comparisons == 0)
        #expect((2...6).contains(bench.pass(.seconds(60)).comparisons))
        let wants = bench.take(.authors([stranger.id], leaders: [])).wants
        #expect(wants.map(\.want.ranges) == [[Want.Range(author: stranger.id, first: 1, last: 5)]])
        #expect(bench.pass(.seconds(60)).comparisons == 0)
    }

    @Test func strangersRunIsRememberedToo() {
        var bench = Bench(strangers: 1)
        bench.open(0)
        let outputs = bench.push(bench.writers[2].log(2), on: 0)
        #expect(outputs.comparisons == 1 && outputs.verifications == 0)
        #expect(bench.take(.authors([bench.writers[2].id], leaders: [])).wants.count == 1)
    }

    @Test func headsOfStrangersAreBounded() {
        var bench = Bench()
        bench.open(0)
        for start in 0..<5 {
            let heads = (0..<1_000).map { TaggedHead(prefix: UInt64(start * 1_000 + $0), sequence: 1, tag: 1) }
            _ = bench.take(.message(bench.link(0), .have(Have(heads: heads))))
        }
        #expect(bench.machine.size.unknownHeads == 256)
    }

    @Test func ambiguousPrefixesAreNotBelieved() {
        var bench = Bench()
        bench.open(0)
        let writer = bench.writers[1]
        var bytes = writer.id.bytes
        bytes[31] ^= 1
        let twin = MemberID(bytes)
        #expect(twin?.prefix == writer.id.prefix)
        _ = bench.take(.authors([twin ?? writer.id], leaders: []))
        let outputs = bench.have(writer, 5, on: 0)
        #expect(outputs.isEmpty)
        #expect(bench.pass(.seconds(2)).wants.isEmpty)
        // By push, where the whole id stands, it still comes.
        #expect(bench.push(writer.log(1), on: 0).verifications == 1)
    }

    @Test func otherMessagesAreFaults() {
        var bench = Bench()
        bench.open(0)
        #expect(bench.take(.message(bench.link(0), .ping)).faults == [.unexpectedMessage])
        #expect(bench.take(.message(bench.link(5), .have(Have()))).isEmpty)
    }
}

extension [GossipMachine.Output] {
    /// For each claim that is to be signed, whether it says that we sleep.
    fileprivate var rests: [Bool] {
        compactMap { output in
            if case .signClaim(_, _, _, let isAsleep) = output { isAsleep } else { nil }
        }
    }
}
