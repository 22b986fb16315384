import FuzzSupport
import TourCrypto
import TourGossip
import TourModel
import TourWire

/// The shell of one replication machine: does what the machine asks for when the input says so, and holds the machine's
/// promises against what it asks for.
struct GossipShell {
    typealias Input = GossipMachine.Input
    typealias Output = GossipMachine.Output

    static let own = Writer.all[0]
    private static let known = Writer.all.prefix(4).map(\.id)
    private static let leaders = Set(Writer.all.prefix(3).map(\.id))
    /// Answers that are not given yet; the first to come are kept.
    private static let waitingMax = 256

    private(set) var machine = GossipMachine(own: own.id, members: known, leaders: leaders, heads: [:])
    private(set) var now = Instant(microseconds: 1_000_000)
    private(set) var waiting: [Input] = []
    private var logs: [MemberID: [Event]] = [:]
    private var ahead: [EventID: Event] = [:]
    /// Events that joined their logs from ahead, and may come once more with the run that brought what was missing.
    private var joined: Set<EventID> = []
    private var members = known.count
    private var claimCounter: UInt64 = 0
    private var rng = SplitMix64(seed: 3)

    mutating func feed(_ input: Input, after pause: Duration = .zero) {
        now = now + pause
        var outputs = [Output]()
        machine.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs { carryOut(output) }
        check(machine.size.isBounded(members: members), "the machine holds too much: \(machine.size)")
    }

    /// The shell's timer: fires until nothing is due, which must come soon.
    mutating func settle() {
        for _ in 0..<16 {
            guard let due = machine.nextDeadline, due <= now else { return }
            feed(.timer)
        }
        check(
            (machine.nextDeadline ?? .distant) > now,
            "a deadline stays in the past: \(String(describing: machine.nextDeadline))")
    }

    /// Answers one of the questions of the machine.
    mutating func answer(_ number: Int) {
        guard !waiting.isEmpty else { return }
        feed(waiting.remove(at: number % waiting.count))
    }

    /// Answers everything, what is asked because of that too; ends also when a question always brings another.
    mutating func answerAll() {
        var left = Self.waitingMax
        while !waiting.isEmpty, left > 0 {
            answer(0)
            left -= 1
        }
    }

    mutating func write() {
        let count = logs[Self.own.id]?.count ?? 0
        guard count < Writer.logLength, waiting.allSatisfy({ !$0.isStoring(Self.own.id) }) else { return }
        let event = Self.own.branches[0][count]
        guard event.header.previous == logs[Self.own.id]?.last?.id ?? .none else { return }
        append(event)
        feed(.wrote([event]))
    }

    /// The roster learns the last writer.
    mutating func meetStranger() {
        members = Writer.all.count
        feed(.authors(Writer.all.map(\.id), leaders: Self.leaders))
    }

    mutating func restart() {
        waiting = []
        machine.restart(
            heads: logs.compactMapValues { log in log.last.map { ($0.header.sequence, $0.id) } },
            ahead: Array(ahead.values))
    }

    func storedCount(_ author: MemberID) -> Int { logs[author]?.count ?? 0 }

    func stored(_ author: MemberID, _ sequence: Int) -> Event? {
        guard let log = logs[author], log.indices.contains(sequence) else { return nil }
        return log[sequence]
    }

    private mutating func carryOut(_ output: Output) {
        switch output {
        case .send(_, let message):
            check(message.encode().count <= Limits.linkMessageBytesMax, "a message is larger than messages are")
        case .multicast(_, let datagram): check(datagram.encode() != nil, "a datagram does not fit: \(datagram)")
        case .unicast(_, let datagram): check(datagram.encode() != nil, "a datagram does not fit: \(datagram)")
        case .verify(let origin, let run): later(verdict(run, origin))
        case .store(let run):
            for event in run.events { append(event) }
            later(.stored([run.author: run.last]))
        case .storeAhead(let run):
            let event = run.events[0]
            check(event.header.sequence > UInt64(logs[run.author]?.count ?? 0) + 1, "what is ahead is not")
            ahead[event.id] = event
        case .load(let link, let id, let range, let bytesMax):
            later(.loaded(link, id: id, load(range, bytesMax)))
        case .loadUrgent(let link, let ranges): later(.urgent(link, urgent(ranges)))
        case .verifyClaims(let origin, let heard):
            // Who sees the signature is the shell; here those that begin with a zero are sound.
            let sound = heard.filter { $0.row.signature.first == 0 }
            later(.claims(origin, sound.map(\.verified)))
            if sound.count < heard.count { later(.forgedClaims(origin, count: heard.count - sound.count)) }
        case .signClaim(let heads, let whole, let readThrough, let isAsleep):
            sign(heads, whole, readThrough, isAsleep: isAsleep)
        case .covered(let member, let heads):
            for head in heads {
                let isStored = logs.contains { $0.key.prefix == head.prefix && UInt64($0.value.count) >= head.sequence }
                check(isStored && member != Self.own.id, "a member has more of a log than is stored here")
            }
        case .ownCounter(let counter): claimCounter = max(claimCounter, counter)
        case .verifyPositions(let origin, let heard):
            let sound = heard.filter { $0.row.signature.first == 0 }
            later(.positions(origin, sound.map { $0.verified(lapsesAt: now + .seconds(60)) }))
            if sound.count < heard.count { later(.forgedClaims(origin, count: heard.count - sound.count)) }
        case .claimed, .positioned, .compareControls, .compare, .ownLog, .fault: break
        }
    }

    private mutating func later(_ input: Input) {
        if waiting.count < Self.waitingMax { waiting.append(input) }
    }

    private func verdict(_ run: Run, _ origin: Origin) -> Input {
        guard let writer = Writer.all.first(where: { $0.id == run.author }) else {
            return .skipped(origin, author: run.author)
        }
        guard let verified = try? VerifiedRun(run, tour: FuzzTour.tour, identity: writer.identity) else {
            return .refused(origin, author: run.author)
        }
        return .verified(origin, verified)
    }

    /// As a real store does: what came ahead and continues the log joins it.
    private mutating func append(_ event: Event) {
        if joined.remove(event.id) != nil { return }
        let log = logs[event.header.author] ?? []
        let continues = event.header.sequence == UInt64(log.count) + 1 && event.header.previous == log.last?.id ?? .none
        check(continues, "what is to be stored does not continue the log")
        logs[event.header.author] = log + [event]
        ahead = ahead.filter {
            $0.value.header.author != event.header.author || $0.value.header.sequence > event.header.sequence
        }
        let next = ahead.values.first { $0.header.author == event.header.author && $0.header.previous == event.id }
        if let next, next.header.sequence == event.header.sequence + 1 {
            append(next)
            joined.insert(next.id)
        }
    }

    private func load(_ range: Want.Range, _ bytesMax: Int) -> [Event] {
        let log = logs[range.author] ?? []
        check(range.first >= 1 && range.last <= UInt64(log.count), "what is not stored is to be read")
        var events = [Event]()
        var bytes = 0
        for event in log[Int(range.first - 1)..<Int(range.last)] {
            bytes += event.bytes.count
            if bytes > bytesMax, !events.isEmpty { break }
            events.append(event)
        }
        return events
    }

    private func urgent(_ ranges: [Want.Range]) -> [(event: Event, hops: Int)] {
        ranges.flatMap { range in
            ((logs[range.author] ?? []) + ahead.values.filter { $0.header.author == range.author }).filter {
                $0.header.eventClass.goesAhead && range.first <= $0.header.sequence && $0.header.sequence <= range.last
            }
        }.sorted { Event.precedes($1, $0) }.prefix(16).map { ($0, 1) }
    }

    private mutating func sign(
        _ heads: [KnownHead], _ whole: WholeFrontier?, _ readThrough: LogicalClock?, isAsleep: Bool
    ) {
        claimCounter = claimCounter == .max ? .max : claimCounter + 1
        let claim = FrontierClaim(
            member: Self.own.id, counter: claimCounter, heads: heads.map { $0.tagged(claimCounter) }, whole: whole,
            readThrough: readThrough, isAsleep: isAsleep)
        let row = ClaimRow(row: claim.encode(), signature: [UInt8](repeating: 0, count: 64), hops: 0)
        later(.claim(VerifiedClaim(claim: claim, row: row)))
    }
}

extension GossipMachine.Input {
    /// Whether events of this author wait to be verified or stored.
    fileprivate func isStoring(_ author: MemberID) -> Bool {
        switch self {
        case .verified(_, let run): run.author == author
        case .stored(let heads): heads[author] != nil
        default: false
        }
    }
}

extension Instant {
    /// Later than anything.
    fileprivate static let distant = Instant(microseconds: .max)
}
