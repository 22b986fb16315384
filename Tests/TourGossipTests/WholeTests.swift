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
        _ = bench.take(.message(bench.link(0), .have([])))
        for number in order { store(bench.writers[number].log(1), &bench) }
        return bench
    }

    private static func store(_ events: [Event], _ bench: inout Bench) {
        _ = bench.verify(bench.push(events, on: 0))
        for event in events { _ = bench.take(.stored([event.header.author: event.header.sequence])) }
    }

    /// The next row's content, signed as a shell does.
    private static func row(_ bench: inout Bench) -> (heads: [PrefixedHead], whole: WholeFrontier?) {
        for _ in 0..<400 {
            let outputs = bench.pass(.milliseconds(50))
            for case .signClaim(let heads, let whole, _) in outputs {
                _ = bench.sign(outputs)
                return (heads, whole)
            }
        }
        return ([], nil)
    }

    /// Which heads the receiver takes for claimed by the 13th member.
    private static func claimed(_ whole: WholeFrontier, at receiver: inout Bench) -> [MemberID: UInt64] {
        let claim = FrontierClaim(member: receiver.writers[authors].id, counter: 1, heads: [], whole: whole)
        let row = ClaimRow(row: claim.encode(), signature: [], hops: 1)
        let outputs = receiver.take(.claims(.link(receiver.link(0)), [VerifiedClaim(claim: claim, row: row)]))
        var heads = [MemberID: UInt64]()
        for case .claimed(let claim, _, _) in outputs {
            for head in claim.claim.heads {
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

    @Test func fewChangesAreListedAndNothingElse() {
        var bench = Self.bench(0..<8)
        let row = Self.row(&bench)
        #expect(row.heads.count == 8 && row.whole == nil)
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

    @Test func whoLacksOneLearnsNothingFromTheHashAndAllFromLists() throws {
        var sender = Self.busy()
        let first = Self.row(&sender)
        let whole = try #require(first.whole)
        var receiver = Self.bench((0..<Self.authors).filter { $0 != 5 })
        #expect(Self.claimed(whole, at: &receiver).isEmpty)
        let lists = [first.heads] + (0..<3).map { _ in Self.row(&sender).heads }
        #expect(Set(lists.flatMap { $0 }.map(\.prefix)).count >= Self.authors - 3)
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
        #expect(row.heads.contains(PrefixedHead(prefix: sender.writers[7].id.prefix, sequence: 1)))
    }

    @Test func aHashIsSaidAgainUntilItIsKnown() {
        var sender = Self.busy()
        var rows = [(heads: [PrefixedHead], whole: WholeFrontier?)]()
        for _ in 0..<12 { rows.append(Self.row(&sender)) }
        let said = rows.prefix { $0.whole != nil }
        #expect((4...8).contains(said.count))
        #expect(rows.dropFirst(said.count).allSatisfy { $0.whole == nil })
    }
}
