import Testing
import TourCrypto
import TourGossip
import TourModel
import TourRuntime
import TourWire

/// Goal: what a node shows of how far messages have come follows from the rows of others as the protocol says.
/// Method: `receipts.json`: a node's replication takes logs and rows, and its receipts what follows from them.
enum ReceiptVectors {
    private static let logs = Result { try ReceiptLogs(VectorFile.named("the logs", in: "receipts")) }

    static func receipts(_ vector: VectorCase) throws -> String? {
        let logs = try Self.logs.get()
        if try vector.text("kind") == "logs" {
            logs.check()
            return nil
        }
        let steps = try vector.cases("steps")
        let orders = try vector.flag("isInAnyOrder") ? MeaningVectors.orders(steps.dropLast()) : [steps.dropLast()]
        for order in orders {
            var node = try ReceivingNode(vector, logs)
            for step in order + steps.suffix(1) { try node.take(step) }
        }
        return nil
    }
}

/// The logs of the first case.
private struct ReceiptLogs {
    let tour: TourID
    private(set) var identities: [String: SigningKey] = [:]
    private(set) var events: [String: [Event]] = [:]

    init(_ vector: VectorCase) throws {
        tour = try vector.id("tour")
        for log in try vector.cases("logs") {
            let name = try log.text("name")
            let identity: SigningKey = try log.id("identityKey")
            #expect(try MemberID(identity: identity) == log.id("id"))
            identities[name] = identity
            events[name] = try log.byteLists("events").map { bytes in
                let raw = try RawEvent(decoding: bytes)
                return try VerifiedRun(header: raw.header, bytes: bytes, identity: identity).events[0]
            }
        }
    }

    /// Each log is one chain.
    func check() {
        for (name, events) in events {
            for (index, event) in events.enumerated() {
                #expect(event.header.sequence == UInt64(index + 1) && event.header.tour == tour, "\(name)")
                #expect(event.header.previous == (index == 0 ? .none : events[index - 1].id), "\(name)")
            }
        }
    }
}

/// One node that is given what the steps of a case say, and that a second passes between two of them.
private struct ReceivingNode {
    private let name: String
    private let logs: ReceiptLogs
    private let own: MemberID
    private var ids: [String: MemberID] = [:]
    private var admissions: [MemberID: LogicalClock] = [:]
    private var people: Set<MemberID> = []
    private var known: Set<MemberID> = []
    private var machine: GossipMachine
    private var state: ReceiptState
    private var now = Instant(microseconds: 1_000_000)
    private var rng = SplitMix64(seed: 1)
    private var neighbours: [MemberID: LinkID] = [:]

    init(_ vector: VectorCase, _ logs: ReceiptLogs) throws {
        name = vector.name
        self.logs = logs
        for member in try vector.cases("members") {
            let id: MemberID = try member.id("id")
            ids[try member.text("name")] = id
            admissions[id] = LogicalClock(value: try member.word("admitted"))
            if try member.flag("isMember") { people.insert(id) }
        }
        known = people
        own = try #require(ids[vector.text("own")])
        var ends: [MemberID: UInt64] = [:]
        for end in vector.has("ends") ? try vector.cases("ends") : [] {
            ends[try #require(ids[end.text("author")])] = try end.number("sequence")
        }
        var heads: [MemberID: (sequence: UInt64, id: EventID)] = [:]
        for step in try vector.cases("steps") where step.has("heads") {
            for head in try step.cases("heads") {
                let sequence = try head.number("sequence")
                let event = try #require(logs.events[head.text("author")])[Int(sequence) - 1]
                heads[event.header.author] = (sequence, event.id)
            }
        }
        machine = GossipMachine(own: own, members: ids.values, leaders: [], ends: ends, heads: heads)
        state = ReceiptState(own: own, marks: [:])
        for (number, name) in ids.keys.sorted().enumerated() where try id(name) != own {
            neighbours[try id(name)] = LinkID(value: UInt64(number))
            try handle(.linkUp(LinkID(value: UInt64(number)), id(name)))
        }
        recordMembers()
    }

    private func id(_ name: String) throws -> MemberID { try #require(ids[name], "\(name)") }

    private var time: Int64 { now.microseconds }

    mutating func take(_ step: VectorCase) throws {
        now = now + .seconds(1)
        if step.has("stored") { try store(VectorCase(fields: object("stored", step))) }
        if step.has("row") { try hear(VectorCase(fields: object("row", step))) }
        if step.has("have") {
            let have = try VectorCase(fields: object("have", step))
            let message = try LinkMessage.have(Have(salt: have.word("salt"), heads: heads(have)))
            try handle(.message(#require(neighbours[id(have.text("member"))]), message))
        }
        if step.has("displayed") {
            state.recordRead(LogicalClock(value: try step.word("displayed")), by: own, at: time)
        }
        if step.has("server") { state.recordServer(through: try step.number("server")) }
        if step.has("gone") { people.remove(try id(step.text("gone"))) }
        if step.has("came") {
            people.insert(try id(step.text("came")))
            known.insert(try id(step.text("came")))
        }
        recordMembers()
        refresh()
        if step.has("shows") { for message in try step.cases("shows") { try check(message) } }
    }

    private func object(_ field: String, _ step: VectorCase) throws -> [String: VectorValue] {
        guard case .fields(let fields)? = step.fields[field] else { throw VectorCase.Missing(field: field) }
        return fields
    }

    private mutating func recordMembers() {
        state.recordMembers(admissions.filter { known.contains($0.key) }, people: people)
    }

    private mutating func store(_ log: VectorCase) throws {
        let name = try log.text("author")
        let (author, last) = (try id(name), try log.number("sequence"))
        let news = try #require(logs.events[name]).filter { $0.header.sequence <= last }
            .dropFirst(Int(machine.stored[author]))
        guard !news.isEmpty else { return }
        guard author != own else { return handle(.wrote(Array(news))) }
        let run = try VerifiedRun(
            Run(Array(news), hops: 0, pushed: true), tour: logs.tour, identity: #require(logs.identities[name]))
        handle(.verified(.mailbox, run))
        handle(.stored([author: last]))
    }

    private func heads(_ list: VectorCase) throws -> [TaggedHead] {
        let authors = try list.texts("authors").map { try #require(UInt64($0, radix: 16)) }
        let tags = try list.texts("tags").map { try #require(UInt64($0, radix: 16)) }
        return zip(zip(authors, try list.numbers("sequences")), tags)
            .map { TaggedHead(prefix: $0.0, sequence: $0.1, tag: $1) }
    }

    /// The row goes through its bytes, as on the network.
    private mutating func hear(_ row: VectorCase) throws {
        let member = try id(row.text("member"))
        let (through, read) = (try row.word("through"), try row.word("readClock"))
        let said = FrontierClaim(
            member: member, counter: try row.word("counter"), heads: try heads(row),
            whole: try through == 0
                ? nil : WholeFrontier(through: LogicalClock(value: through), digest: row.word("digest")),
            readThrough: read == 0 ? nil : LogicalClock(value: read))
        let bytes = said.encode()
        let claim = try #require(FrontierClaim.decode(bytes) { $0 == member.prefix ? member : nil })
        let heard = VerifiedClaim(claim: claim, row: ClaimRow(row: bytes, signature: [], hops: 1))
        handle(.claims(.link(try #require(neighbours[member])), [heard]))
    }

    /// What `TourMachine` does with these outputs.
    private mutating func handle(_ input: GossipMachine.Input) {
        var outputs = [GossipMachine.Output]()
        machine.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs {
            switch output {
            case .claimed(let claim, _, let isNewest):
                guard isNewest else { continue }
                state.recordRead(claim.claim.readThrough ?? .zero, by: claim.claim.member, at: time)
            case .covered(let member, let heads): state.record(heads, of: member, at: time)
            default: break
            }
        }
    }

    private mutating func refresh() {
        let stored = machine.stored.heads
        let events = logs.events
        let names = Dictionary(uniqueKeysWithValues: ids.map { ($0.value, $0.key) })
        _ = state.refresh(authors: stored) { author, above, clock in
            names[author].flatMap { events[$0] }?.first {
                $0.header.sequence > above && $0.header.sequence <= stored[author] ?? 0 && $0.header.clock >= clock
            }?.header.sequence
        }
    }

    private func check(_ message: VectorCase) throws {
        let author = try message.text("author")
        let event = try #require(logs.events[author])[try message.count("sequence") - 1]
        let place = "\(name): \(author) \(event.header.sequence)"
        #expect(try state.status(of: event).rawValue == message.text("status"), "\(place)")
        let readers = people.filter {
            $0 != event.header.author && admissions[$0] ?? .zero <= event.header.clock
        }
        let expected = try message.cases("receipts").map { (try id($0.text("name")), try $0.text("state")) }
        #expect(readers == Set(expected.map { $0.0 }), "\(place)")
        for (member, wanted) in expected {
            let receipt = state.receipt(of: event.header, for: member, storedAt: 0)
            #expect(receipt.state.rawValue == wanted, "\(place), \(member.hex)")
        }
    }
}
