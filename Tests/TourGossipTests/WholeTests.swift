import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Goal: where much changes a row says all in one hash, which tells everybody who has the same what is held, whatever
/// the order in which it came; to others it says nothing, and lists tell them later.
/// Method: two machines on benches take the same events; one's rows go to the other.
@Suite struct WholeTests {
    private static let authors = 12

    /// A machine that took the first event of each author, in this order.
    private static func bench(_ order: some Sequence<Int>) -> Bench {
        var bench = Bench(writers: authors + 1)
        _ = bench.sign(bench.take(.linkUp(bench.link(0), bench.writers[0].id)))
        _ = bench.take(.message(bench.link(0), .have(Have())))
        for number in order { store(bench.writers[number].log(1), &bench) }
        return bench
    }

    private static func store(_ events: [Event], _ bench: inout Bench) {
        _ = bench.verify(bench.push(events, on: 0))
        for event in events { _ = bench.take(.stored([event.header.author: event.header.sequence])) }
    }

    /// The next row's content, signed as a shell does.
    private static func row(_ bench: inout Bench) -> (heads: [KnownHead], whole: WholeFrontier?) {
        for _ in 0..<400 {
            let outputs = bench.pass(.milliseconds(50))
            for case .signClaim(let heads, let whole, _, _) in outputs {
                _ = bench.sign(outputs)
                return (heads, whole)
            }
        }
        return ([], nil)
    }

    /// Which heads the receiver takes for claimed by the 13th member.
    private static func claimed(
        _ whole: WholeFrontier, at receiver: inout Bench, counter: UInt64 = 1
    ) -> [MemberID: UInt64] {
        let claim = FrontierClaim(member: receiver.writers[authors].id, counter: counter, heads: [], whole: whole)
        let row = ClaimRow(row: claim.encode(), signature: [], hops: 1)
        let outputs = receiver.take(.claims(.link(receiver.link(0)), [VerifiedClaim(claim: claim, row: row)]))
        var heads = [MemberID: UInt64]()
        for (_, covered) in outputs.covered {
            for head in covered {
                if let author = receiver.machine.member(prefix: head.prefix) { heads[author] = head.sequence }
            }
        }
        return heads
    }

    /// A machine whose next row has more to say than it lists: the first event of each author.
    private static func busy(announcing: Int? = nil) -> Bench {
        var bench = bench(0..<3)
        _ = row(&bench)
        for number in 3..<authors {
            let eventClass: EventClass = number == announcing ? .announcement : .chat
            store(bench.writers[number].log(1, eventClass: eventClass), &bench)
        }
        _ = bench.pass(.milliseconds(600))
        return bench
    }

    @Test func fewChangesAreListedAsWellAgainAndAgain() {
        var bench = Self.bench(0..<8)
        for _ in 0..<4 {
            let row = Self.row(&bench)
            #expect(row.heads.count == 8 && row.whole != nil)
        }
    }

    @Test func whoHasTheSameKnowsAllFromTheHash() throws {
        var sender = Self.busy()
        let row = Self.row(&sender)
        let whole = try #require(row.whole)
        #expect(row.heads.count == 8)
        var receiver = Self.bench((0..<Self.authors).reversed())
        // What is later in the tour's order changes nothing.
        for number in 0..<4 { Self.store([receiver.writers[number].log(2)[1]], &receiver) }
        let heads = Self.claimed(whole, at: &receiver)
        #expect(heads.count == Self.authors && heads.values.allSatisfy { $0 == 1 })
        // What is kept and passed on is the row as it was signed.
        let kept = receiver.machine.claims(of: receiver.writers[Self.authors].id)
        #expect(kept.map(\.claim.heads) == [[]])
    }

    @Test func whoLacksOneLearnsNothingUntilItHasThat() throws {
        var sender = Self.busy()
        let whole = try #require(Self.row(&sender).whole)
        var receiver = Self.bench((0..<Self.authors).filter { $0 != 5 })
        #expect(Self.claimed(whole, at: &receiver).isEmpty)
        Self.store(receiver.writers[5].log(1), &receiver)
        #expect(Self.claimed(whole, at: &receiver, counter: 2).count == Self.authors)
    }

    /// Whoever starts again knows from the kept rows what they mean, and says all in one hash itself.
    @Test func aRestartKeepsWhatHashesSay() throws {
        var sender = Self.busy()
        let whole = try #require(Self.row(&sender).whole)
        var bench = Bench(writers: Self.authors + 1)
        for writer in bench.writers[..<Self.authors] { _ = bench.hold(writer, 1) }
        let member = bench.writers[Self.authors].id
        let claim = FrontierClaim(member: member, counter: 1, heads: [], whole: whole)
        let kept = VerifiedClaim(claim: claim, row: ClaimRow(row: claim.encode(), signature: [], hops: 1))
        let covered = bench.machine.restore([kept], through: LogicalClock(milliseconds: 1))
        #expect(covered.map(\.count) == [Self.authors])
        let outputs = bench.take(.linkUp(bench.link(0), bench.writers[0].id))
        let wholes = outputs.compactMap { output -> WholeFrontier? in
            if case .signClaim(_, let whole, _, _) = output { whole } else { nil }
        }
        #expect(wholes == [whole])
    }

    @Test func whatJustCameIsInNoHash() throws {
        var sender = Self.busy()
        var ahead = sender
        _ = Self.row(&ahead)
        _ = sender.pass(ahead.now - sender.now - .milliseconds(200))
        Self.store([sender.writers[0].log(2)[1]], &sender)
        let whole = try #require(Self.row(&sender).whole)
        #expect(whole.through == LogicalClock(milliseconds: 1))
    }

    @Test func announcementsAreListedBeforeOthers() {
        var sender = Self.busy(announcing: 7)
        let row = Self.row(&sender)
        #expect(row.heads.contains { $0.prefix == sender.writers[7].id.prefix && $0.sequence == 1 })
    }

    /// What came too late for a busy row's hash is in the next, which does not wait for a sign of life.
    @Test func whatARowLeavesOutFollows() throws {
        var sender = Self.busy()
        var ahead = sender
        _ = Self.row(&ahead)
        _ = sender.pass(ahead.now - sender.now - .milliseconds(200))
        for number in 0..<Self.authors { Self.store([sender.writers[number].log(2)[1]], &sender) }
        _ = Self.row(&sender)
        let start = sender.now
        let next = try #require(Self.row(&sender).whole)
        #expect(next.through == LogicalClock(milliseconds: 2))
        #expect(sender.now - start < .seconds(5))
    }
}
