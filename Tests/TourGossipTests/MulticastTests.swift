import Testing
import TourCrypto
import TourGossip
import TourModel
import TourWire

/// Goal: events go by one datagram where that is proven to arrive, by links where it is not, and what a datagram lost
/// is asked for where all hear it.
/// Method: one machine on a bench, on one segment; the others' datagrams are made by hand.
@Suite struct MulticastTests {
    private static let segment = SegmentID(value: 1)

    @Test func nothingGoesByDatagramUntilTwoHearUs() {
        var bench = Self.bench()
        #expect(Self.runs(bench.take(.wrote([Self.own(1)]))).isEmpty)
        _ = bench.hear(0, heard: [bench.own])
        #expect(Self.runs(bench.take(.wrote([Self.own(2)]))).isEmpty)
        _ = bench.hear(1, heard: [bench.own])
        let outputs = bench.take(.wrote([Self.own(3)]), after: .seconds(1))
        #expect(Self.runs(outputs).map(\.last) == [3])
        #expect(Self.pushes(outputs) == [2], "the third neighbour does not hear us")
    }

    @Test func silenceEndsTheProof() {
        var bench = Self.bench()
        bench.everybodyHears()
        #expect(Self.runs(bench.take(.wrote([Self.own(1)]), after: .seconds(1))).count == 1)
        let outputs = bench.take(.wrote([Self.own(2)]), after: Limits.voiceLifetime) + bench.pass(.milliseconds(300))
        #expect(Self.runs(outputs).isEmpty)
        #expect(Self.haves(outputs).count == 3, "nobody is known to have the first: they are told, and pull both")
    }

    /// What is asked for of a cast is one more datagram of this node: who counts them misses none.
    @Test func asksOfCastsAreCountedAsAnyDatagram() {
        var bench = Self.bench()
        bench.everybodyHears()
        let first = Self.datagrams(bench.take(.wrote([Self.own(1)]), after: .seconds(1)))
        let ask = CastAsk(tag: 7, needs: [.init(block: 3, count: 2)])
        let asked = Self.datagrams(bench.take(.castAsks(Self.segment, [ask])))
        #expect(asked.map(\.castAsks) == [[ask]])
        #expect(asked.first?.counter == (first.last?.counter ?? 0) + 1)
        #expect(asked.first?.sender == bench.own.prefix)
        #expect(bench.take(.castAsks(SegmentID(value: 9), [ask])).isEmpty, "no such segment")
    }

    @Test func listenersAreThoseWhoAreHeardAndThoseWhoHearUs() {
        var bench = Self.bench(writers: 3)
        _ = bench.hear(0, heard: [bench.own])
        _ = bench.hear(1, heard: [bench.own])
        _ = bench.hear(2, heard: [])
        let members = bench.writers.map(\.id)
        let listeners = bench.machine.listeners(on: Self.segment, now: bench.now)
        #expect(listeners.heard == Set(members) && listeners.hearUs == Set(members.prefix(2)))
        let elsewhere = bench.machine.listeners(on: SegmentID(value: 9), now: bench.now)
        #expect(elsewhere.heard.isEmpty && elsewhere.hearUs.isEmpty)
        // Nobody of them is left who heard us lately: what they said before is no proof any more.
        _ = bench.pass(Limits.voiceLifetime)
        _ = bench.hear(0, heard: [])
        let later = bench.machine.listeners(on: Self.segment, now: bench.now)
        #expect(later.heard == [members[0]] && later.hearUs.isEmpty)
    }

    @Test func manyAtOnceGoByLinks() {
        var bench = Self.bench()
        bench.everybodyHears()
        let outputs = bench.take(.wrote((1...20).map(Self.own)), after: .seconds(1))
        #expect(Self.runs(outputs).isEmpty)
        #expect(Self.pushes(outputs).count == 3)
    }

    /// The first of a burst fly, and nobody has said yet that it has them.
    @Test func linksCarryOnWhereDatagramsEnded() {
        var bench = Self.bench()
        bench.everybodyHears()
        #expect(Self.runs(bench.take(.wrote([Self.own(1)]), after: .seconds(1))).count == 1)
        #expect(Self.pushes(bench.take(.wrote((2...20).map(Self.own)))) == [0, 1, 2])
    }

    @Test func whoHeardTheFirstByDatagramPassesTheRestOnByLinks() {
        var bench = Self.bench()
        bench.everybodyHears()
        let log = bench.writers[0].log(20)
        let first = Run([log[0]], hops: 0, pushed: true)
        _ = bench.verify(bench.hear(0, heard: [bench.own], runs: [first]))
        #expect(Self.pushes(bench.verify(bench.push(Array(log.dropFirst()), on: 0))) == [1, 2])
    }

    @Test func whomNoLinkPushesToIsToldOfWhatDidNotFly() {
        var bench = Self.bench()
        bench.everybodyHears()
        _ = bench.take(.message(bench.link(1), .prune))
        #expect(Self.pushes(bench.take(.wrote((1...20).map(Self.own)))) == [0, 2])
        #expect(Self.haves(bench.pass(.milliseconds(600))) == [1])
    }

    @Test func whoeverIsToBeToldIsToldOnceItIsStored() {
        var bench = Self.bench()
        bench.everybodyHears()
        _ = bench.take(.message(bench.link(1), .prune))
        let author = bench.writers[0]
        _ = bench.verify(bench.push(author.log(20), on: 0))
        // Others' news is told meanwhile.
        _ = bench.take(.wrote([Self.own(1)]))
        _ = bench.pass(.milliseconds(600))
        _ = bench.take(.stored([author.id: 20]))
        #expect(Self.haves(bench.pass(.milliseconds(600))) == [1])
    }

    @Test func whatCameByDatagramIsPushedOnlyToWhomItDidNotReach() {
        var bench = Self.bench(writers: 4)
        for number in 0..<3 { _ = bench.hear(number, heard: [bench.own]) }
        let log = bench.writers[0].log(1)
        let outputs = bench.verify(bench.hear(0, heard: [bench.own], runs: [Run(log, hops: 0, pushed: true)]))
        #expect(outputs.contains { if case .store = $0 { true } else { false } })
        #expect(Self.pushes(outputs) == [3])
        #expect(Self.runs(bench.pass(.milliseconds(50))).isEmpty, "it was said on this segment")
    }

    @Test func anEventOfAnotherNetworkIsCarriedToThisOne() {
        var bench = Self.bench(writers: 4)
        for number in 0..<3 { _ = bench.hear(number, heard: [bench.own]) }
        // The fourth is not heard here: its link leads elsewhere.
        let log = bench.writers[3].log(1)
        _ = bench.verify(bench.push(log, on: 3))
        #expect(Self.runs(bench.pass(.milliseconds(50))).map(\.author) == [bench.writers[3].id])
        // Heard meanwhile from another that carries, it is not said again.
        var second = Self.bench(writers: 4)
        for number in 0..<3 { _ = second.hear(number, heard: [second.own]) }
        _ = second.verify(second.push(log, on: 3))
        _ = second.hear(1, heard: [], runs: [Run(log, hops: 1, pushed: true)])
        #expect(Self.runs(second.pass(.milliseconds(50))).isEmpty)
    }

    @Test func aHoleIsAskedForAndFilled() {
        var bench = Self.bench()
        bench.everybodyHears()
        let log = bench.writers[0].log(3)
        _ = bench.verify(bench.hear(0, runs: [Run(log[0..<1], hops: 0, pushed: true)]))
        // The second is lost; the third waits for it.
        let held = bench.hear(0, runs: [Run(log[2..<3], hops: 0, pushed: true)])
        #expect(!held.contains { if case .verify = $0 { true } else { false } })
        let questions = bench.pass(.milliseconds(30)).flatMap(Self.gaps)
        #expect(questions == [Datagram.Gap(author: bench.writers[0].id.prefix, first: 2, last: 2)])
        var outputs = bench.verify(bench.hear(1, runs: [Run(log[1..<2], hops: 0, pushed: true)]))
        outputs += bench.verify(outputs)
        let stored = outputs.flatMap { output -> [UInt64] in
            if case .store(let run) = output { Array(run.first...run.last) } else { [] }
        }
        #expect(stored == [2, 3])
        #expect(bench.pass(.milliseconds(200)).flatMap(Self.gaps).isEmpty)
    }

    @Test func aQuestionWithoutAnswerGoesToLinks() {
        var bench = Self.bench()
        bench.everybodyHears()
        // Only what is signed says whom to ask.
        let claim = bench.claim(bench.writers[1], counter: 1, has: [(bench.writers[0].id, 2)])
        _ = bench.take(.claims(.multicast(Self.segment), [claim]))
        let outputs = bench.pass(.seconds(2))
        #expect(outputs.flatMap(Self.gaps).count == 4)
        let wants = outputs.filter { if case .send(_, .want) = $0 { true } else { false } }
        #expect(wants.count == 1)
    }

    @Test func whoHasItAnswersOnce() {
        var bench = Self.bench()
        bench.everybodyHears()
        _ = bench.take(.wrote([Self.own(1)]), after: .seconds(1))
        _ = bench.pass(.milliseconds(100))
        let gap = Datagram.Gap(author: bench.own.prefix, first: 1, last: 5)
        var outputs = bench.hear(0, gaps: [gap])
        outputs += bench.hear(1, gaps: [gap])
        outputs += bench.pass(.milliseconds(20))
        #expect(Self.runs(outputs).map(\.last) == [1])
        // Somebody missed it: the next goes twice.
        let next = bench.take(.wrote([Self.own(2)])) + bench.pass(.milliseconds(60))
        #expect(Self.runs(next).filter { $0.last == 2 }.count == 2)
    }

    @Test func absurdRangesAreBounded() {
        var bench = Self.bench()
        bench.everybodyHears()
        _ = bench.take(.wrote([Self.own(1)]), after: .seconds(1))
        let ranges = [(1, UInt64.max), (.max, .max), (UInt64.max - 3, .max)].map { (first: UInt64, last: UInt64) in
            Datagram.Gap(author: bench.own.prefix, first: first, last: last)
        }
        _ = bench.pass(.milliseconds(100))
        let outputs = bench.hear(0, heads: [PrefixedHead(prefix: bench.own.prefix, sequence: .max)], gaps: ranges)
        #expect(Self.runs(outputs + bench.pass(.milliseconds(30))).map(\.last) == [1])
    }

    @Test func forgersAreNotReadForAWhile() {
        var bench = Self.bench()
        bench.everybodyHears()
        for _ in 0..<8 { _ = bench.take(.refused(.multicast(Self.segment), author: bench.writers[0].id)) }
        let run = Run(bench.writers[0].log(1), hops: 0, pushed: true)
        #expect(!bench.hear(0, runs: [run]).contains { if case .verify = $0 { true } else { false } })
        bench.now = bench.now + .seconds(11)
        #expect(bench.hear(0, runs: [run]).contains { if case .verify = $0 { true } else { false } })
    }

    @Test func storedNewsGoesByLinkOnlyToThoseWhoDoNotShowIt() {
        var bench = Self.bench()
        bench.everybodyHears()
        _ = bench.take(.wrote([Self.own(1)]), after: .seconds(1))
        let claim = bench.claim(bench.writers[0], counter: 1, has: [(bench.own, 1)])
        _ = bench.take(.claims(.multicast(Self.segment), [claim]))
        // What is said in somebody's name proves nothing.
        _ = bench.hear(1, heads: [PrefixedHead(prefix: bench.own.prefix, sequence: 1)])
        #expect(Self.haves(bench.pass(.seconds(8))) == [1, 2])
    }

    // Two halves of a tour that meet again: what a link brought, nobody on the segment has heard.
    @Test func fetchedNewsIsToldToThoseWhomDatagramsReach() {
        var bench = Self.bench()
        bench.everybodyHears()
        let log = bench.writers[2].log(3)
        _ = bench.have(bench.writers[2], 3, on: 2)
        _ = bench.pass(.milliseconds(200))
        #expect(bench.verify(bench.serve(log, on: 2)).contains { if case .store = $0 { true } else { false } })
        _ = bench.take(.stored([bench.writers[2].id: 3]))
        #expect(Self.haves(bench.pass(.milliseconds(500))).contains(1))
    }

    @Test func whatTwoOthersSaidIsNotSaidAgain() {
        var bench = Self.bench()
        bench.everybodyHears()
        _ = bench.verify(bench.push(bench.writers[0].log(1), on: 0))
        _ = bench.take(.stored([bench.writers[0].id: 1]))
        let heads = [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 1)]
        _ = bench.pass(.seconds(20))
        // The interval is the longest by now: alone we would speak every 8 to 16 seconds.
        var beacons = 0
        for _ in 0..<80 {
            for number in 0..<2 { _ = bench.hear(number, heard: [bench.own], heads: heads) }
            _ = bench.hear(2, heard: [bench.own])
            beacons += Self.beacons(bench.pass(.seconds(4)))
        }
        #expect(beacons == 0)
        for _ in 0..<80 {
            for number in 0..<3 { _ = bench.hear(number, heard: [bench.own]) }
            beacons += Self.beacons(bench.pass(.seconds(4)))
        }
        #expect((20...40).contains(beacons))
    }

    @Test func claimsNameNeighboursAndAFewOthers() {
        var bench = Self.bench(writers: 20, links: 3)
        bench.everybodyHears()
        _ = bench.pass(Limits.voiceLifetime - .seconds(1))
        bench.everybodyHears()
        let heard = Self.heardWithRows(bench.take(.claim(bench.claim(Writer(1), counter: 1))))
        #expect(heard.count == 3 + 4)
        #expect(Set(heard).isSuperset(of: bench.writers.prefix(3).map(\.id.shortPrefix)))
        // Whoever was silent and speaks again is named first.
        _ = bench.pass(.seconds(20))
        for number in 0..<19 { _ = bench.hear(number, heard: [bench.own]) }
        _ = bench.pass(.seconds(15))
        _ = bench.hear(19)
        let later = Self.heardWithRows(bench.take(.claim(bench.claim(Writer(1), counter: 2))))
        #expect(later.contains(bench.writers[19].id.shortPrefix))
    }

    /// What must go goes beyond the segment's budget, for those only who may announce: others could fill the air.
    @Test(arguments: [true, false]) func onlyWhoLeadsGoesBeyondTheBudget(leads: Bool) {
        var bench = Bench(leading: leads ? [0] : [])
        for number in 0..<3 { bench.open(number) }
        _ = bench.take(.segments([Self.segment]))
        for number in 1..<3 { _ = bench.hear(number, heard: [bench.own]) }
        var outputs = [Bench.Output]()
        for event in bench.writers[0].log(120, eventClass: .control) {
            outputs += bench.verify(bench.push([event], on: 0))
        }
        outputs += bench.pass(.milliseconds(100))
        let places = Set(Self.runs(outputs).map(\.last)).count
        #expect(leads ? places == 120 : (50..<100).contains(places))
    }

    @Test func anAnnouncementIsLookedAfterSoonAndChatWhenItsClaimsAreDue() {
        var bench = Self.bench(writers: 50, links: 3)
        bench.everybodyHears()
        _ = bench.take(.wrote([Self.own(1)]), after: .seconds(1))
        let early = bench.pass(.seconds(8))
        bench.everybodyHears()
        let late = bench.pass(.seconds(18))
        #expect(Self.haves(early).isEmpty)
        #expect(Self.haves(late) == [0, 1, 2])
        bench.everybodyHears()
        let announcement = Writer(1).log(2, eventClass: .announcement)[1]
        let outputs = bench.take(.wrote([announcement])) + bench.pass(.milliseconds(3_100))
        #expect(Self.haves(outputs) == [0, 1, 2])
    }

    /// Whom datagrams reached is not told with the others. When they no longer do, nobody else would tell it.
    @Test func whoHearsNoMoreIsToldAllTheSame() {
        var bench = Self.bench()
        bench.everybodyHears()
        let flown = bench.take(.wrote([Self.own(1)]), after: .seconds(1)) + bench.pass(.milliseconds(600))
        #expect(Self.runs(flown).count == 1 && Self.haves(flown).isEmpty)
        _ = bench.take(.segments([]))
        #expect(Self.haves(bench.pass(.seconds(20))) == [0, 1, 2])
        #expect(Self.haves(bench.pass(.seconds(60))).isEmpty, "once")
    }

    // MARK: - The bench's air

    private static func bench(writers: Int = 3, links: Int? = nil) -> Bench {
        var bench = Bench(writers: writers)
        for number in 0..<(links ?? writers) { bench.open(number) }
        _ = bench.take(.segments([segment]))
        return bench
    }

    /// The `number`th event of the machine's own log.
    private static func own(_ number: Int) -> Event { Writer(1).log(number)[number - 1] }

    fileprivate static func runs(_ outputs: [Bench.Output]) -> [Run] {
        outputs.flatMap { output -> [Run] in
            if case .multicast(_, let datagram) = output { datagram.runs } else { [] }
        }
    }

    private static func datagrams(_ outputs: [Bench.Output]) -> [Datagram] {
        outputs.compactMap { if case .multicast(_, let datagram) = $0 { datagram } else { nil } }
    }

    private static func gaps(_ output: Bench.Output) -> [Datagram.Gap] {
        if case .multicast(_, let datagram) = output { datagram.gaps } else { [] }
    }

    /// Who is named in datagrams with claims.
    private static func heardWithRows(_ outputs: [Bench.Output]) -> [UInt16] {
        outputs.flatMap { output -> [UInt16] in
            if case .multicast(_, let datagram) = output, !datagram.rows.isEmpty { datagram.heard } else { [] }
        }
    }

    /// Another device with our key speaks as us: what it signed is read, and it is nobody's voice.
    @Test func whoSpeaksAsUsShowsByItsRow() {
        var bench = Self.bench()
        let claim = bench.claim(Writer(1), counter: 500)
        var datagram = Datagram(sender: bench.own.prefix, counter: 1)
        datagram.rows = [claim.row]
        datagram.heads = [PrefixedHead(prefix: bench.writers[0].id.prefix, sequence: 9)]
        let outputs = bench.take(.datagram(Self.segment, datagram))
        #expect(outputs.checked == [claim.row] && outputs.wants.isEmpty)
        let told = bench.take(.claims(.multicast(Self.segment), [claim])).compactMap { output -> UInt64? in
            if case .ownCounter(let counter) = output { counter } else { nil }
        }
        #expect(told == [500])
        #expect(bench.machine.listeners(on: Self.segment, now: bench.now).heard.isEmpty)
    }

    private static func beacons(_ outputs: [Bench.Output]) -> Int {
        outputs.count { output in
            if case .multicast(_, let datagram) = output { !datagram.heads.isEmpty } else { false }
        }
    }

    private static func haves(_ outputs: [Bench.Output]) -> [UInt64] {
        outputs.compactMap { if case .send(let link, .have) = $0 { link.value } else { nil } }.sorted()
    }

    /// The links that runs are pushed on, by number.
    private static func pushes(_ outputs: [Bench.Output]) -> [UInt64] {
        outputs.compactMap { if case .send(let link, .run) = $0 { link.value } else { nil } }.sorted()
    }
}

extension Bench {
    /// A datagram of the writer of that number.
    mutating func hear(
        _ number: Int, heard: [MemberID] = [], runs: [Run] = [], heads: [PrefixedHead] = [],
        gaps: [Datagram.Gap] = [], lossPerMille: Int = 0
    ) -> [Output] {
        counters[number, default: 0] += 1
        var datagram = Datagram(sender: writers[number].id.prefix, counter: counters[number] ?? 0)
        datagram.lossPerMille = lossPerMille
        datagram.heard = heard.map(\.shortPrefix)
        datagram.runs = runs
        datagram.heads = heads
        datagram.gaps = gaps
        return take(.datagram(SegmentID(value: 1), datagram))
    }

    mutating func everybodyHears() {
        for number in writers.indices { _ = hear(number, heard: [own]) }
    }
}
