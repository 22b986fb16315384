import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// A few devices of one tour in memory, under one virtual clock: each is a `TourMachine` with a store, and links
/// between them carry every message at once and in order.
///
/// Device 0 founds the tour and admits the others; ids ascend, so device 0 is the tree's root once it is heard.
/// Each device carries out its machine's effects at once, except for those that the test holds (`hold`): the test
/// answers these itself. A link to nobody (`link(_:toward:)`) lets a test be the peer.
/// Times, orders and identities come from the seed alone; only seals and wraps take randomness of the system.
final class MemoryTour {
    /// How the tour begins.
    struct Setup {
        var members = 3
        /// Devices 1 to this one are guides: they may remove members and rekey, as device 0 may.
        var guides = 0
        var fullHistory = true
        /// The size that device 0's log has for its machine, whatever its store holds.
        var ownSize: LogSize?
        /// This device starts without its own log, in this state.
        var restored: (device: Int, state: OwnLogState)?
    }

    /// One device: its machine, its disk, and all that its machine asked for.
    struct Device {
        let keys: MemberKeys
        var machine: TourMachine
        var logs: [MemberID: [Event]]
        var effects: [TourEffect] = []
        /// How far the machine's clock is from the right time.
        var clockOffset: Duration = .zero
        /// The machine as it started, and everything that was done to it.
        let start: TourStart
        var journal: [(inout TourMachine) -> [TourEffect]] = []

        var id: MemberID { keys.memberID }
    }

    /// When the tour begins, in milliseconds since 1970.
    static let startMilliseconds = NodeTime.builtAt + 30 * 86_400_000
    static let start = Instant(microseconds: 5_000_000)

    private(set) var now = start
    private(set) var devices: [Device] = []
    let tour: TourID
    let invite: InviteSecret
    var rng: SplitMix64
    /// Effects with these names are left to the test.
    var held: Set<String> = []
    private var wires: [LinkID: (low: Int, high: Int)] = [:]
    private var linkCount: UInt64 = 0
    private var waiting: [() -> Void] = []
    private var isSettling = false

    init(_ setup: Setup = Setup(), seed: UInt64 = 1) throws {
        rng = SplitMix64(seed: seed)
        var keys = [MemberKeys]()
        for _ in 0..<setup.members { keys.append(try Self.keys(using: &rng)) }
        keys.sort { $0.memberID < $1.memberID }
        let founding = Founding(
            keys: keys[0], epochKey: SecretBytes(rng.bytes(EpochKey.keyBytes)), fullHistory: setup.fullHistory,
            salt: rng.bytes(16), wallMilliseconds: Self.startMilliseconds)
        guard let invite = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes)) else { throw Missing() }
        (self.invite, tour) = (invite, founding.group.tour)
        var (author, group, events) = (founding.author, founding.group, [founding.group.genesisEvent])
        func write(_ body: ControlBody) {
            events.append(author.write(body, wallMilliseconds: Self.startMilliseconds))
            _ = group.add(verified: events.suffix(1))
        }
        write(group.inviteBody(invite, uses: 0, expiresAt: nil, under: founding.epoch))
        for keys in keys.dropFirst() { write(Self.admission(of: keys, under: invite, tour: tour)) }
        for keys in keys.dropFirst().prefix(setup.guides) {
            write(group.roleBody(keys.memberID, .guide, log: KnownLog(tail: Self.noTail, controls: [])))
        }
        for (number, keys) in keys.enumerated() {
            devices.append(Self.device(number, keys, group, events, author, setup))
        }
    }

    private static let noTail = Author.Tail(sequence: 0, id: .none)

    private static func device(
        _ number: Int, _ keys: MemberKeys, _ group: TourGroup, _ events: [Event], _ founder: Author, _ setup: Setup
    ) -> Device {
        let isRestored = setup.restored?.device == number
        let logs = isRestored && number == 0 ? [:] : [founder.id: events]
        var size = LogSize.zero
        for event in events { size.add(event.header.eventClass, byteCount: event.bytes.count) }
        if number == 0, let own = setup.ownSize { size = own }
        let gossip = GossipMachine(
            own: keys.memberID, members: group.roster.members.keys, leaders: group.roster.leaders,
            heads: logs.compactMapValues { log in log.last.map { ($0.header.sequence, $0.id) } },
            sizes: logs.mapValues { _ in size }, ownLog: isRestored ? setup.restored?.state ?? .ready : .ready)
        let start = TourStart(
            keys: keys, wrapping: WrappingKeys(admitted: keys.wrapping, wallMilliseconds: startMilliseconds),
            group: group,
            author: number == 0
                ? founder : Author(identity: keys.identity, tour: group.tour, tail: noTail, clock: founder.clock),
            gossip: gossip, signs: SignsOfLife(own: keys.memberID),
            receipts: ReceiptState(own: keys.memberID, marks: [:]), claimCounter: 0,
            startedAt: startMilliseconds * 1_000)
        let machine = TourMachine(start)
        return Device(keys: keys, machine: machine, logs: logs, start: start)
    }

    // MARK: - Time

    func reading(_ device: Int) -> ClockReading {
        let passed = (now - Self.start).microseconds + devices[device].clockOffset.microseconds
        return ClockReading(now: now, wallMicroseconds: Self.startMilliseconds * 1_000 + passed)
    }

    /// Lets time pass, with every timer at its moment.
    func advance(by duration: Duration) {
        let end = now + duration
        while let due = devices.compactMap(\.machine.nextDeadline).min(), due <= end {
            now = max(due, now + .microseconds(1))
            for device in devices.indices where devices[device].machine.nextDeadline.map({ $0 <= now }) == true {
                feed(device, .timer)
            }
        }
        now = max(now, end)
    }

    /// All devices sleep for so long, and wake.
    func suspend(for duration: Duration) {
        now = now + duration
        for device in devices.indices { feed(device, .timer) }
    }

    /// Sets how far a device's clock is from the right time.
    func setClock(_ device: Int, off offset: Duration) { devices[device].clockOffset = offset }

    // MARK: - Inputs

    /// Hands a device an input, and carries out everything that follows.
    /// - Returns: what the device's machine asked for meanwhile.
    @discardableResult
    func feed(_ device: Int, _ input: TourInput) -> [TourEffect] {
        let before = devices[device].effects.count
        step(device, input)
        settle()
        return Array(devices[device].effects[before...])
    }

    /// A message arrives on a link of the device.
    @discardableResult
    func feed(_ device: Int, _ message: LinkMessage, on link: LinkID) -> [TourEffect] {
        feed(device, .message(link, message))
    }

    /// Calls a method of a device's machine that is no input.
    @discardableResult
    func call<Value>(_ device: Int, _ body: @escaping (inout TourMachine) -> Value) -> Value {
        devices[device].journal.append { machine in
            _ = body(&machine)
            return []
        }
        return body(&devices[device].machine)
    }

    private func step(_ device: Int, _ input: TourInput) {
        let (time, seed) = (reading(device), rng)
        devices[device].journal.append { machine in
            var step = TourStep(at: time, rng: seed)
            machine.handle(input, &step)
            machine.ended(step, at: time.now)
            return step.effects
        }
        var step = TourStep(at: time, rng: seed)
        devices[device].machine.handle(input, &step)
        devices[device].machine.ended(step, at: time.now)
        rng = step.rng
        devices[device].effects += step.effects
        for effect in step.effects where !held.contains(effect.name) { carryOut(effect, device) }
    }

    private func settle() {
        guard !isSettling else { return }
        isSettling = true
        while !waiting.isEmpty { waiting.removeFirst()() }
        isSettling = false
    }

    private func answer(_ device: Int, _ input: TourInput) { waiting.append { self.step(device, input) } }

    // MARK: - Links

    /// Opens a link between two devices.
    @discardableResult
    func connect(_ low: Int, _ high: Int) -> LinkID {
        let link = nextLink()
        wires[link] = (low, high)
        for (device, other) in [(low, high), (high, low)] {
            step(device, .linkOpened(link, peer(of: devices[other].keys), hasPath: false))
        }
        settle()
        return link
    }

    /// Both ends of a link lose it.
    func disconnect(_ link: LinkID) {
        guard let ends = wires.removeValue(forKey: link) else { return }
        for device in [ends.low, ends.high] { answer(device, .linkClosed(link)) }
        settle()
    }

    /// Opens a link to a peer that the test plays.
    /// - Parameter peer: nil: the member with these keys.
    @discardableResult
    func link(_ device: Int, toward keys: MemberKeys, as peer: LinkPeer? = nil) -> LinkID {
        let link = nextLink()
        feed(device, .linkOpened(link, peer ?? self.peer(of: keys), hasPath: false))
        return link
    }

    private func nextLink() -> LinkID {
        linkCount += 1
        return LinkID(value: linkCount)
    }

    // MARK: - Effects

    private func carryOut(_ effect: TourEffect, _ device: Int) {
        switch effect {
        case .send(let link, let message): send(message, on: link, from: device)
        case .sendOwed(let link):
            while let message = call(device, { $0.nextOwed(on: link, queuedBytes: 0) }) {
                send(message, on: link, from: device)
            }
        case .close(let link, _):
            for end in wires.removeValue(forKey: link).map({ [$0.low, $0.high] }) ?? [device] {
                answer(end, .linkClosed(link))
            }
        case .verify(let check): answer(device, .checked(check, check.verified()))
        case .verifyClaims(let check): answer(device, .checkedClaims(check, check.verified()))
        case .verifyPositions(let check): answer(device, .checkedPositions(check, check.verified()))
        case .compare(let question):
            let proof = question.proof(from: branch(known: question, to: device))
            if let proof { answer(device, .forkFound(proof, of: question.author)) }
        case .store(let run):
            devices[device].logs[run.author, default: []] += run.events
            answer(device, .stored(run, events: run.events))
        case .storeAhead(let run): answer(device, .storedAhead(run))
        case .reload: answer(device, .reloaded(stored(by: device)))
        case .load(let link, let id, let range, _):
            let events = (devices[device].logs[range.author] ?? []).filter {
                (range.first...range.last).contains($0.header.sequence)
            }
            answer(device, .replication(.loaded(link, id: id, events)))
        case .loadUrgent(let link, _): answer(device, .replication(.urgent(link, [])))
        default: carryOut(act: effect, device)
        }
    }

    private func carryOut(act effect: TourEffect, _ device: Int) {
        switch effect {
        case .rekey: waiting.append { self.rekey(device) }
        case .publishWrappingKey: waiting.append { self.publishWrappingKey(device) }
        case .makeInvite: waiting.append { self.makeInvite(device) }
        case .writeFork(let proof, _): waiting.append { self.write(device, .fork(proof)) }
        case .loadActs(let authors):
            let acts = authors.sorted().flatMap { self.devices[device].logs[$0] ?? [] }
            answer(device, .controls(acts.filter { $0.header.eventClass == .control }.map(\.bytes)))
        default: break
        }
    }

    private func send(_ message: LinkMessage, on link: LinkID, from device: Int) {
        guard let wire = wires[link] else { return }
        answer(wire.low == device ? wire.high : wire.low, .message(link, message))
    }

    // MARK: - Writing

    /// Signs events of the device; `finish` stores them.
    func compose(
        _ device: Int, governs: Bool = false, _ body: (inout Author, _ wallMilliseconds: Int64) -> [Event]
    ) throws(WriteRefusal) -> OwnEvents? {
        let time = reading(device)
        let own = try devices[device].machine.compose(governs: governs, at: time, body)
        let events = own?.events ?? []
        // Seals take randomness of the system: another machine signs the same events by adopting them.
        devices[device].journal.append { machine in
            _ = try? machine.compose(governs: governs, at: time) { author, _ in
                for event in events { author.adopt(event) }
                return events
            }
            return []
        }
        return own
    }

    /// The commit of composed events ends.
    @discardableResult
    func finish(_ own: OwnEvents, _ device: Int, isStored: Bool = true) -> [TourEffect] {
        if isStored { devices[device].logs[devices[device].id, default: []] += own.events }
        return feed(device, .wrote(own, isStored: isStored))
    }
}
