import Testing
import TourGossip
import TourModel
import TourWire

// Goal: rows are small and seldom, and yet everybody comes to know all that a member said, whatever was lost. Method:
// one machine whose rows are signed at once: what they list and when; and one that hears only some of such rows.
@Suite struct RowTests {
    /// A machine with one neighbour that has just made a row.
    private static func bench(writers: Int = 3) -> Bench {
        var bench = Bench(writers: writers)
        _ = bench.sign(bench.take(.linkUp(bench.link(0), bench.writers[0].id)))
        _ = bench.take(.message(bench.link(0), .have(Have())))
        return bench
    }

    /// Somebody else's event comes and is stored.
    private static func store(_ events: [Event], _ bench: inout Bench) {
        _ = bench.verify(bench.push(events, on: 0))
        for event in events { _ = bench.take(.stored([event.header.author: event.header.sequence])) }
    }

    // MARK: - When

    @Test func signsOfLifeComeEveryTenSeconds() {
        var bench = Self.bench()
        #expect((9...11).contains(bench.live(.seconds(100)).count))
        var large = Self.bench(writers: 200)
        #expect((9...11).contains(large.live(.seconds(100)).count))
    }

    @Test func inASmallTourWhatCameIsClaimedWithinASecondOrTwo() {
        var bench = Self.bench(writers: 7)
        _ = bench.live(.seconds(4))
        Self.store(bench.writers[1].log(1), &bench)
        #expect(bench.live(.milliseconds(200)).count == 1)
        Self.store(bench.writers[2].log(1), &bench)
        #expect(bench.live(.seconds(2)).count == 1)
    }

    @Test func inALargeTourChatGoesWithTheSignOfLifeAndAnnouncementsAtOnce() {
        var bench = Self.bench(writers: 60)
        Self.store(bench.writers[1].log(1), &bench)
        #expect(bench.live(.seconds(8)).isEmpty)
        let rows = bench.live(.seconds(3))
        #expect(rows.map { $0.map(\.prefix) } == [[bench.writers[1].id.prefix]])
        _ = bench.live(.seconds(1))
        Self.store(bench.writers[2].log(1, eventClass: .announcement), &bench)
        #expect(bench.live(.milliseconds(400)).count == 1)
        #expect(bench.live(.seconds(9)).isEmpty, "the sign of life starts anew")
    }

    @Test func whatWeWroteWaits() {
        var bench = Self.bench()
        _ = bench.take(.wrote(Writer(1).log(1)))
        #expect(bench.live(.seconds(9)).isEmpty)
        #expect(bench.live(.seconds(2)) == [[PrefixedHead(prefix: bench.own.prefix, sequence: 1)]])
    }

    // MARK: - What

    @Test func aChangeIsListedFourTimesAndMore() {
        var bench = Self.bench()
        Self.store(bench.writers[1].log(1), &bench)
        let rows = bench.live(.seconds(59))
        let head = PrefixedHead(prefix: bench.writers[1].id.prefix, sequence: 1)
        #expect(rows.count >= 6)
        #expect(rows.prefix(4).allSatisfy { $0 == [head] })
        // A fifth if that was quick, and one may be long.
        let empty = rows.dropFirst(4).filter(\.isEmpty)
        #expect(empty.count >= rows.count - 6)
    }

    /// Rows that come quickly one after the other may all be lost together.
    @Test func aChangeIsListedAsLongAsTheProofLasts() {
        var bench = Self.bench()
        Self.store(bench.writers[1].log(1), &bench)
        let head = PrefixedHead(prefix: bench.writers[1].id.prefix, sequence: 1)
        for event in bench.writers[2].log(27) {
            Self.store([event], &bench)
            #expect(bench.live(.milliseconds(1_100)).allSatisfy { $0.contains(head) })
        }
    }

    @Test func everyAuthorHasItsTurn() {
        var bench = Self.bench(writers: 100)
        for writer in bench.writers { _ = bench.hold(writer, 3) }
        // More than one row takes: the rest follows soon.
        let news = bench.live(.seconds(13))
        #expect(Set(news.flatMap { $0 }).count == 100)
        _ = bench.live(.seconds(175))
        let quiet = bench.live(.seconds(1_200))
        #expect((news + quiet).allSatisfy { $0.count <= 48 })
        #expect((3...5).contains(quiet.filter { !$0.isEmpty }.count))
        #expect(Set(quiet.flatMap { $0 }).count == 100)
    }

    @Test func afterARestartOnlyWhatNoRowSaysIsListed() {
        var bench = Bench(writers: 4)
        let said = bench.claim(Writer(1), counter: 7, has: [(bench.writers[0].id, 5), (bench.writers[1].id, 2)])
        bench.machine.restore([said])
        _ = bench.hold(bench.writers[0], 5) + bench.hold(bench.writers[1], 3)
        let rows = bench.sign(bench.take(.linkUp(bench.link(0), bench.writers[0].id)))
        #expect(rows == [[PrefixedHead(prefix: bench.writers[1].id.prefix, sequence: 3)]])
    }

    // MARK: - What others make of it

    @Test func lostRowsAreMadeGoodByLaterOnes() {
        var sender = Self.bench()
        Self.store(sender.writers[1].log(1), &sender)
        let rows = sender.live(.seconds(45))
        var receiver = Self.bench()
        for (number, heads) in rows.enumerated().dropFirst(3) {
            let has = heads.compactMap { head in
                receiver.machine.member(prefix: head.prefix).map { (author: $0, sequence: head.sequence) }
            }
            let claim = receiver.claim(receiver.writers[0], counter: UInt64(number + 1), has: has)
            _ = receiver.take(.claims(.link(receiver.link(0)), [claim]))
        }
        let known = receiver.machine.claims(of: receiver.writers[0].id).flatMap(\.claim.heads)
        #expect(known.map(\.prefix) == [sender.writers[1].id.prefix] && known.map(\.sequence) == [1])
    }

    @Test func aLateComerIsToldAllInFewRows() {
        var bench = Bench(writers: 4)
        bench.open(0)
        let authors = bench.writers.map(\.id)
        let claims = [
            bench.claim(bench.writers[0], counter: 1, has: [(authors[1], 1), (authors[2], 1)]),
            bench.claim(bench.writers[0], counter: 2, has: [(authors[1], 2)]),
            bench.claim(bench.writers[0], counter: 3, has: [(authors[1], 2), (authors[3], 1)]),
            bench.claim(bench.writers[0], counter: 4),
        ]
        for claim in claims { _ = bench.take(.claims(.link(bench.link(0)), [claim])) }
        let rows = bench.take(.linkUp(bench.link(1), authors[1])).rowsSent
        // The second says nothing that the third does not.
        #expect(rows == [claims[3], claims[2], claims[0]].map(\.row))
        // The newcomer takes all of them, and a long row makes them needless.
        var other = Bench(writers: 4)
        other.open(1)
        #expect(other.take(.message(other.link(1), .rows(rows))).checked == rows)
        _ = other.take(.claims(.link(other.link(1)), [claims[3], claims[2], claims[0]]))
        #expect(other.machine.claims(of: authors[0]).map(\.claim.counter) == [4, 3, 1])
        let long = other.claim(
            other.writers[0], counter: 5, has: [(authors[1], 2), (authors[2], 1), (authors[3], 1)])
        _ = other.take(.claims(.link(other.link(1)), [long]))
        #expect(other.machine.claims(of: authors[0]) == [long])
    }

    @Test func anOlderRowThatSaysMoreIsNoSignOfLifeAndIsPassedOn() {
        var bench = Bench(writers: 4)
        for number in 0..<3 { bench.open(number) }
        let newest = bench.claim(bench.writers[0], counter: 9)
        _ = bench.take(.claims(.link(bench.link(0)), [newest]))
        _ = bench.pass(.seconds(6))
        let older = bench.claim(bench.writers[0], counter: 5, has: [(bench.writers[3].id, 3)])
        let outputs = bench.take(.claims(.link(bench.link(1)), [older]))
        #expect(outputs.contains { if case .claimed(older, _, isNewest: false) = $0 { true } else { false } })
        let passed = bench.pass(.seconds(1))
        #expect(passed.rows == [bench.link(2)] && passed.rowsSent == [older.row])
        #expect(bench.machine.claims(of: bench.writers[0].id) == [newest, older])
        #expect(bench.take(.message(bench.link(2), .rows([older.row]))).isEmpty)
    }

    @Test func aMereSignOfLifeMayGather() {
        var bench = Bench(writers: 12)
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.message(bench.link(2), .prune))
        // The first by id is quicker: see `PushTests`.
        let root = bench.writers[3...].min { $0.id < $1.id } ?? bench.writers[3]
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(root, counter: 1)]))
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(bench.writers[0], counter: 1)]))
        _ = bench.pass(.seconds(6))
        _ = bench.take(.claims(.link(bench.link(0)), [bench.claim(bench.writers[0], counter: 2)]))
        #expect(bench.pass(.milliseconds(900)).rows.isEmpty)
        #expect(bench.pass(.milliseconds(200)).rows == [bench.link(1)])
        // Our own too.
        #expect(bench.take(.claim(bench.claim(Writer(1), counter: 1))).rows.count == 2)
        #expect(bench.take(.claim(bench.claim(Writer(1), counter: 2))).rows.isEmpty)
        #expect(bench.pass(.milliseconds(1_100)).rows.count == 2)
    }

    @Test func whoSignsWithoutEndFillsNoMemory() {
        var bench = Bench(writers: 40)
        bench.open(0)
        for (number, writer) in bench.writers.enumerated() {
            let claim = bench.claim(bench.writers[0], counter: UInt64(number + 1), has: [(writer.id, 1)])
            _ = bench.take(.claims(.link(bench.link(0)), [claim]))
        }
        let counters = bench.machine.claims(of: bench.writers[0].id).map(\.claim.counter)
        #expect(counters == Array((UInt64(17)...40).reversed()))
        #expect(bench.machine.size.claimRows == 24)
    }
}
