import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourWire

/// One machine on a bench: a virtual clock, a fixed generator, and writers whose events are really signed.
struct Bench {
    typealias Input = GossipMachine.Input
    typealias Output = GossipMachine.Output

    let own: MemberID
    let writers: [Writer]
    var machine: GossipMachine
    var now = Instant(microseconds: 1_000_000)
    /// Of the last datagram heard of each writer, by number.
    var counters: [Int: UInt64] = [:]
    /// Rows of the machine's own that were signed.
    private var signed: UInt64 = 0
    private var rng = Sequence64(state: 42)

    /// - Parameters:
    ///   - strangers: how many of the writers the machine does not know.
    ///   - leading: which of them may announce, besides the machine's own member; nil: all.
    init(writers count: Int = 3, strangers: Int = 0, leading: Set<Int>? = nil) {
        let me = Writer(1)
        own = me.id
        writers = (0..<count).map { Writer(UInt8($0 + 2)) }
        let known = writers.dropLast(strangers).map(\.id)
        let leaders = leading.map { $0.map { known[$0] } } ?? known
        machine = GossipMachine(own: own, members: [own] + known, leaders: Set(leaders + [own]), heads: [:])
    }

    mutating func take(_ input: Input, after delay: Duration = .zero) -> [Output] {
        now = now + delay
        var outputs = [Output]()
        machine.handle(input, now: now, using: &rng, into: &outputs)
        return outputs
    }

    /// Opens link `number` to the writer of that number; both have said what they have, which is nothing.
    mutating func open(_ number: Int) {
        _ = take(.linkUp(link(number), writers[number].id))
        _ = take(.message(link(number), .have(Have())))
    }

    func link(_ number: Int) -> LinkID { LinkID(value: UInt64(number)) }

    mutating func push(_ events: [Event], on number: Int, hops: Int = 0) -> [Output] {
        take(.message(link(number), .run(Run(events, hops: hops, pushed: true))))
    }

    mutating func serve(_ events: [Event], on number: Int) -> [Output] {
        take(.message(link(number), .run(Run(events, hops: 0, pushed: false))))
    }

    /// Verifies what the outputs ask for, as a shell does.
    mutating func verify(_ outputs: [Output]) -> [Output] {
        outputs.flatMap { output -> [Output] in
            guard case .verify(let link, let run) = output,
                let writer = writers.first(where: { $0.id == run.author })
            else { return [] }
            guard let verified = try? VerifiedRun(run, tour: Writer.tour, identity: writer.keys.publicKey) else {
                return take(.refused(link, author: run.author))
            }
            return take(.verified(link, verified))
        }
    }

    mutating func have(_ author: Writer, _ sequence: UInt64, on number: Int) -> [Output] {
        let heads = [TaggedHead(prefix: author.id.prefix, sequence: sequence, tag: tag(author.id, sequence, salt: 7))]
        return take(.message(link(number), .have(Have(salt: 7, heads: heads))))
    }

    /// The peer of a link says that it has this event, and all before it.
    mutating func name(_ events: [Event], on number: Int, salt: UInt64 = 7) -> [Output] {
        let heads = events.map { event in
            let header = event.header
            return KnownHead(prefix: header.author.prefix, sequence: header.sequence, id: event.id).tagged(salt)
        }
        return take(.message(link(number), .have(Have(salt: salt, heads: heads))))
    }

    /// Events of a writer are in the store that the machine has not seen.
    mutating func hold(_ writer: Writer, _ count: Int) -> [Output] {
        take(.storedSinceRestart(writer.log(count))) + take(.stored([writer.id: UInt64(count)]))
    }

    /// The tag of a writer's event, as its log is where nothing else is said; zero for places where no test goes.
    func tag(_ author: MemberID, _ sequence: UInt64, salt: UInt64) -> UInt64 {
        guard let writer = ([Writer(1)] + writers).first(where: { $0.id == author }), (1...16).contains(sequence),
            let event = writer.log(Int(sequence)).last
        else { return 0 }
        return HeadTag.of(event.id, salt: salt)
    }

    /// A claim of a writer; its signature is the shell's matter.
    func claim(
        _ writer: Writer, counter: UInt64, readThrough: LogicalClock? = nil,
        has: [(author: MemberID, sequence: UInt64)] = [], isAsleep: Bool = false
    ) -> VerifiedClaim {
        let heads = has.map {
            TaggedHead(
                prefix: $0.author.prefix, sequence: $0.sequence, tag: tag($0.author, $0.sequence, salt: counter))
        }
        return claim(writer, counter: counter, readThrough: readThrough, heads: heads, isAsleep: isAsleep)
    }

    func claim(
        _ writer: Writer, counter: UInt64, readThrough: LogicalClock? = nil, heads: [TaggedHead],
        isAsleep: Bool = false
    ) -> VerifiedClaim {
        let claim = FrontierClaim(
            member: writer.id, counter: counter, heads: heads, readThrough: readThrough, isAsleep: isAsleep)
        return VerifiedClaim(claim: claim, row: ClaimRow(row: claim.encode(), signature: [], hops: 1))
    }

    /// Signs what the outputs ask for, as a shell does.
    /// - Returns: what each row lists.
    mutating func sign(_ outputs: [Output]) -> [[PrefixedHead]] {
        let rows = outputs.compactMap { output -> (heads: [KnownHead], isAsleep: Bool)? in
            if case .signClaim(let heads, _, _, let isAsleep) = output { (heads, isAsleep) } else { nil }
        }
        for row in rows {
            signed += 1
            let heads = row.heads.map { $0.tagged(signed) }
            _ = take(.claim(claim(Writer(1), counter: signed, heads: heads, isAsleep: row.isAsleep)))
        }
        return rows.map { $0.heads.map { PrefixedHead(prefix: $0.prefix, sequence: $0.sequence) } }
    }

    /// Lets time pass and signs what there is to sign.
    /// - Returns: what each row lists.
    mutating func live(_ duration: Duration) -> [[PrefixedHead]] {
        let end = now + duration
        var lists = [[PrefixedHead]]()
        while now < end { lists += sign(pass(min(Duration.milliseconds(50), end - now))) }
        return lists
    }

    /// Lets time pass from deadline to deadline.
    mutating func pass(_ duration: Duration) -> [Output] {
        let end = now + duration
        var outputs = [Output]()
        var rounds = 0
        while let due = machine.nextDeadline, due <= end, rounds < 10_000 {
            now = max(now, due)
            outputs += take(.timer)
            rounds += 1
        }
        now = end
        return outputs
    }
}

/// An author of valid logs, the same every time but for the seals' nonces.
struct Writer {
    static let tour = TourID(raw: Bytes32.zero)
    let keys: SigningKeyPair
    let id: MemberID

    init(_ number: UInt8) {
        keys = SigningKeyPair(seed: SecretBytes([UInt8](repeating: number, count: SigningKeyPair.seedBytes)))
        id = MemberID(identity: keys.publicKey)
    }

    /// The log's first events; chat where nothing else is said.
    func log(
        _ count: Int, branch: UInt8 = 0, classes: [Int: EventClass] = [:], bodies: [Int: [UInt8]] = [:],
        eventClass: EventClass = .chat
    ) -> [Event] {
        var previous = EventID.none
        return (1...count).map { number in
            let filler = [branch, UInt8(truncatingIfNeeded: number)] + [UInt8](repeating: 0, count: 200)
            let body = bodies[number] ?? filler
            let header = EventHeader(
                eventClass: classes[number] ?? eventClass, tour: Self.tour, author: id, sequence: UInt64(number),
                previous: previous, clock: LogicalClock(milliseconds: Int64(number)), epoch: .none,
                bodyHash: EventCrypto.bodyHash(body))
            let event = Event(header, signature: EventCrypto.sign(header.exactBytes, by: keys), body: body)
            previous = event.id
            return event
        }
    }
}

/// Chance that is the same every time.
private struct Sequence64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

extension [GossipMachine.Output] {
    var sent: [(link: LinkID, message: LinkMessage)] {
        compactMap { output in
            guard case .send(let link, let message) = output else { return nil }
            return (link, message)
        }
    }

    var wants: [(link: LinkID, want: Want)] {
        sent.compactMap { link, message in
            guard case .want(let want) = message else { return nil }
            return (link, want)
        }
    }

    var pushes: [LinkID] {
        sent.compactMap { link, message in
            guard case .run(let run) = message, run.pushed else { return nil }
            return link
        }
    }

    var stored: [VerifiedRun] {
        compactMap { output in
            guard case .store(let run) = output else { return nil }
            return run
        }
    }

    var ahead: [VerifiedRun] {
        compactMap { output in
            guard case .storeAhead(let run) = output else { return nil }
            return run
        }
    }

    var urgentLoads: [(link: LinkID, ranges: [Want.Range])] {
        compactMap { output in
            guard case .loadUrgent(let link, let ranges) = output else { return nil }
            return (link, ranges)
        }
    }

    var controls: [LinkID] {
        sent.compactMap { link, message in
            guard case .control = message else { return nil }
            return link
        }
    }

    var prunes: [LinkID] { sent.filter { $0.message == .prune }.map(\.link) }

    var haves: [(link: LinkID, heads: [PrefixedHead])] {
        sent.compactMap { link, message in
            guard case .have(let have) = message else { return nil }
            return (link, have.numbers)
        }
    }

    /// The heads that each member is taken to have.
    var covered: [(member: MemberID, heads: [PrefixedHead])] {
        compactMap { output in
            guard case .covered(let member, let heads) = output else { return nil }
            return (member, heads)
        }
    }

    var rows: [LinkID] {
        sent.compactMap { link, message in
            guard case .rows = message else { return nil }
            return link
        }
    }

    var rowsSent: [ClaimRow] {
        sent.flatMap { _, message -> [ClaimRow] in
            if case .rows(let rows) = message { rows } else { [] }
        }
    }

    var faults: [GossipFault] {
        compactMap { output in
            guard case .fault(_, let fault) = output else { return nil }
            return fault
        }
    }

    /// The claims whose signatures are to be checked.
    var checked: [ClaimRow] {
        flatMap { output -> [ClaimRow] in
            if case .verifyClaims(_, let heard) = output { heard.map(\.row) } else { [] }
        }
    }

    var compared: [VerifiedRun] {
        compactMap { output in
            guard case .compare(let run) = output else { return nil }
            return run
        }
    }

    var comparisons: Int {
        filter { output in
            if case .compareControls = output { true } else { false }
        }.count
    }

    var loads: [(link: LinkID, id: UInt32, range: Want.Range)] {
        compactMap { output in
            guard case .load(let link, let id, let range, _) = output else { return nil }
            return (link, id, range)
        }
    }

    var verifications: Int {
        filter { output in
            if case .verify = output { true } else { false }
        }.count
    }

    var signings: Int { signedReads.count }

    /// For each claim that is to be signed, how far it says that the user has read; zero for nothing.
    var signedReads: [LogicalClock] {
        flatMap { output -> [LogicalClock] in
            if case .signClaim(_, _, let readThrough, _) = output { [readThrough ?? .zero] } else { [] }
        }
    }
}

extension Have {
    /// The heads without their tags.
    var numbers: [PrefixedHead] { heads.map { PrefixedHead(prefix: $0.prefix, sequence: $0.sequence) } }
}
