import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// The hosts of simulated guests: what each keeps of them in memory, and what it answers their phones. It plays the
/// part of a node's seats; how logs begin, continue and end, and what rows say, are the production code's own.
final class SimulatedSeats {
    /// What a host says.
    enum Answer {
        case standing(MemberID, head: Author.Tail, tail: [Event], prepared: Event?)
        case prepared(Event)
        case confirmed
        case refused(Refusal)
    }

    /// Why it does not do what it was asked.
    enum Refusal { case behind, busy, gone, moved, over }

    private struct Seat {
        let pair: SigningKeyPair
        let keys: [UInt8]
        var prepared: Event?
        var isMoving = false
        /// Whether its phone has a place here.
        var isHeld = false
        var rows = SeatRows()
        var has = Frontier()
    }

    private struct Newcomer {
        let pair: SigningKeyPair
        let keys: [UInt8]
        var isAdmitted = false
        var beginning: [Event] = []

        var member: MemberID { MemberID(identity: pair.publicKey) }
    }

    private struct Wait {
        let member: MemberID
        let sequence: UInt64
        let until: Instant
        let goOn: () -> Void
    }

    /// Gone with the power.
    private struct Memory {
        let life: Int
        var seats: [MemberID: Seat] = [:]
        /// By their phones' secrets.
        var newcomers: [[UInt8]: Newcomer] = [:]
        /// What is on its way to the disk.
        var delivered: [MemberID: Event] = [:]
        var waits: [Wait] = []
    }

    private static let storeMax: Duration = .seconds(10)

    let hosts: [Int]
    /// Events of guests' logs for whose place there was another one.
    private(set) var forks = 0
    /// The host that prepared each event.
    private(set) var makers: [EventID: Int] = [:]
    private var places: [MemberID: [UInt64: EventID]] = [:]
    private var licences: [Int: SeatLicence] = [:]
    private var memories: [Int: Memory] = [:]
    private var rng: SplitMix64
    private unowned let simulation: Simulation

    init(_ simulation: Simulation, hosts: [Int], rng: SplitMix64) {
        (self.simulation, self.hosts, self.rng) = (simulation, hosts, rng)
    }

    private subscript(node: Int) -> Memory {
        get {
            let life = simulation.nodes[node].life
            guard let memory = memories[node], memory.life == life else { return Memory(life: life) }
            return memory
        }
        set { memories[node] = newValue }
    }

    /// The founder lets all hosts give seats.
    func license() {
        for host in hosts {
            guard let epoch = simulation.nodes[0].group.currentEpoch else { return }
            let licence = SeatLicence(seed: SecretBytes(rng.bytes(SigningKeyPair.seedBytes)))
            licences[host] = licence
            simulation.write(
                licence.body(for: simulation.nodes[host].id, uses: 0, expiresAt: nil, under: epoch), node: 0)
        }
    }

    // MARK: - What phones ask

    /// Lets a phone in; asked again, it goes on with the same keys.
    func enter(_ phone: SimulatedPhone, at node: Int, _ answer: @escaping (Answer) -> Void) {
        let group = simulation.nodes[node].group
        let (own, tour) = (simulation.nodes[node].id, group.tour)
        guard group.roster.mayGiveSeats(own, wallMilliseconds: simulation.wallMilliseconds(of: node)),
            let licence = licences[node]
        else { return answer(.refused(.behind)) }
        if let member = known(phone.secret, at: node) {
            return come(member, phone.secret, Author.Tail(sequence: 0, id: .none), at: node, answer)
        }
        let name = phone.secret.exposedCopy()
        var newcomer = self[node].newcomers[name] ?? make(phone.secret, tour)
        if !newcomer.isAdmitted {
            let keys = Simulation.keys(using: &rng)
            let request = JoinRequest.ofSeat(
                identity: newcomer.pair, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey, host: own,
                licence: licence.pair, tour: tour)
            guard !simulation.write(.admit(request), node: node).isEmpty else { return answer(.refused(.busy)) }
            newcomer.isAdmitted = true
        }
        self[node].newcomers[name] = newcomer
        begin(newcomer, phone, at: node, answer)
    }

    private func make(_ secret: SecretBytes, _ tour: TourID) -> Newcomer {
        let seed = SecretBytes(rng.bytes(SigningKeyPair.seedBytes))
        let pair = SigningKeyPair(seed: seed)
        let member = MemberID(identity: pair.publicKey)
        return Newcomer(pair: pair, keys: SeatKeys.seal(seed, under: secret, tour: tour, member: member))
    }

    /// Writes the first events of a log.
    private func begin(
        _ newcomer: Newcomer, _ phone: SimulatedPhone, at node: Int, _ answer: @escaping (Answer) -> Void
    ) {
        let (member, group, name) = (newcomer.member, simulation.nodes[node].group, phone.secret.exposedCopy())
        guard group.roster.members[member]?.isActive == true, let epoch = group.currentEpoch,
            let end = end(of: member, at: node)
        else { return answer(.refused(.busy)) }
        let goOn = { [self] in
            self[node].newcomers[name] = nil
            hold(member, newcomer.pair, newcomer.keys, at: node)
            stand(member, tailFrom: 1, at: node, answer)
        }
        guard end.sequence == 0 else { return goOn() }
        var events = newcomer.beginning
        if events.isEmpty {
            events = SeatPen.beginning(
                by: newcomer.pair, host: simulation.nodes[node].id, keys: newcomer.keys, name: phone.name,
                in: group.tour, under: epoch, clock: simulation.nodes[node].machine.clock,
                wallMilliseconds: simulation.wallMilliseconds(of: node))
            self[node].newcomers[name]?.beginning = events
            for event in events { makers[event.id] = node }
        }
        hold(member, newcomer.pair, newcomer.keys, at: node)
        deliver(events, of: member, at: node, goOn) { answer(.refused(.busy)) }
    }

    /// A phone comes with what it keeps of its log.
    func resume(_ phone: SimulatedPhone, at node: Int, _ answer: @escaping (Answer) -> Void) {
        let group = simulation.nodes[node].group
        guard let member = phone.member, let guest = group.roster.members[member], guest.isGuest,
            let end = end(of: member, at: node)
        else { return answer(.refused(.behind)) }
        guard guest.isActive else { return answer(.refused(.over)) }
        let (head, tail) = phone.brought
        let events = SeatTail.continuing(end, by: tail.map(\.bytes), of: member, in: group.tour)
        let goOn = { [self] in come(member, phone.secret, head, at: node, answer) }
        guard !events.isEmpty else { return goOn() }
        deliver(events, of: member, at: node, goOn) { answer(.refused(.busy)) }
    }

    private func come(
        _ member: MemberID, _ secret: SecretBytes, _ head: Author.Tail, at node: Int,
        _ answer: @escaping (Answer) -> Void
    ) {
        let tour = simulation.nodes[node].group.tour
        guard let record = record(of: member, at: node), let end = end(of: member, at: node),
            end.sequence >= head.sequence,
            let pair = try? SeatKeys.open(record.keys, under: secret, tour: tour, member: member)
        else { return answer(.refused(.behind)) }
        if head.sequence > 0, event(of: member, head.sequence, at: node)?.id != head.id {
            return answer(.refused(.moved))
        }
        let isHere = record.host == simulation.nodes[node].id
        hold(member, pair, record.keys, at: node)
        self[node].seats[member]?.isMoving = !isHere
        if self[node].delivered[member] == nil { self[node].seats[member]?.prepared = nil }
        guard !isHere else { return stand(member, tailFrom: head.sequence + 1, at: node, answer) }
        let moving = Content.seat(SeatRecord(host: simulation.nodes[node].id, keys: record.keys))
        stand(member, tailFrom: head.sequence + 1, moving: moving, at: node, answer)
    }

    /// Makes the next event of a guest's log for its phone; nobody else has it before the phone confirms.
    func prepare(_ text: String, of member: MemberID, at node: Int) -> Answer {
        prepare(.text(text, replyTo: nil), of: member, at: node, isMove: false)
    }

    private func prepare(_ content: Content, of member: MemberID, at node: Int, isMove: Bool) -> Answer {
        guard let seat = self[node].seats[member], seat.isHeld, seat.isMoving == isMove, isOurs(member, at: node) else {
            return .refused(.gone)
        }
        let group = simulation.nodes[node].group
        guard self[node].delivered[member] == nil, let end = end(of: member, at: node),
            let last = event(of: member, end.sequence, at: node), last.id == end.id, let epoch = group.currentEpoch
        else { return .refused(.busy) }
        let wall = simulation.wallMilliseconds(of: node)
        let event = SeatPen.next(
            by: seat.pair, in: group.tour, behind: last, clock: simulation.nodes[node].machine.clock
        ) { $0.write(content, under: epoch, wallMilliseconds: wall) }
        makers[event.id] = node
        self[node].seats[member]?.prepared = event
        return .prepared(event)
    }

    /// Stores and sends what was prepared.
    func confirm(_ id: EventID, of member: MemberID, at node: Int, _ answer: @escaping (Answer) -> Void) {
        guard let seat = self[node].seats[member], seat.isHeld else { return answer(.refused(.gone)) }
        if simulation.nodes[node].store.logs[member]?.contains(where: { $0.id == id }) == true {
            return answer(.confirmed)
        }
        guard let event = seat.prepared, event.id == id, isOurs(member, at: node) else {
            return answer(.refused(.moved))
        }
        if self[node].delivered[member] == nil {
            guard let end = end(of: member, at: node) else { return answer(.refused(.busy)) }
            let sending = simulation.nodes[node].group.currentEpoch?.id
            guard SeatPen.mayConfirm(event, behind: end, sending: sending) else { return answer(.refused(.moved)) }
        }
        let goOn = { [self] in
            if self[node].seats[member]?.prepared?.id == id {
                self[node].seats[member]?.prepared = nil
                self[node].seats[member]?.isMoving = false
            }
            answer(.confirmed)
        }
        deliver([event], of: member, at: node, goOn) { answer(.refused(.busy)) }
    }

    /// The phone is away.
    func release(_ member: MemberID, at node: Int) { self[node].seats[member]?.isHeld = false }

    /// What the host tells the phone now; nil: the seat is not here any more.
    func news(for member: MemberID, at node: Int) -> (frontier: Frontier, held: UInt64)? {
        guard self[node].seats[member]?.isHeld == true, isOurs(member, at: node) else { return nil }
        let (group, own) = (simulation.nodes[node].group, simulation.nodes[node].id)
        let others = group.roster.active.filter { !$0.isGuest && $0.id != own }.map(\.id)
        let held = others.map {
            SeatClaims.stated(by: $0, in: simulation.nodes[node].gossip)[member.prefix] ?? 0
        }
        return (simulation.nodes[node].gossip.stored, held.max() ?? 0)
    }

    /// The phone has all of this.
    func got(_ frontier: Frontier, _ member: MemberID, at node: Int) {
        self[node].seats[member]?.has.merge(frontier)
    }

    // MARK: - What the node reports

    /// Once a second.
    func tick(_ node: Int) {
        guard simulation.nodes[node].isAlive else { return }
        let now = simulation.now
        self[node].waits.removeAll { $0.until <= now }
        for member in self[node].seats.keys.sorted() {
            guard let seat = self[node].seats[member] else { continue }
            if !isOurs(member, at: node) || seat.isMoving && !seat.isHeld {
                self[node].seats[member] = nil
            } else if seat.isHeld, !seat.isMoving {
                // As a node does: until the log names this one, the rows are another host's.
                signRow(of: member, seat, at: node)
            }
        }
    }

    /// Whether a phone waits here for a member's events, or may.
    func writes(for member: MemberID, at node: Int) -> Bool {
        self[node].seats[member] != nil || self[node].delivered[member] != nil
    }

    /// Events are on the disk.
    func stored(at node: Int) {
        guard simulation.nodes[node].isAlive else { return }
        let stored = simulation.nodes[node].gossip.stored
        self[node].delivered = self[node].delivered.filter { $0.value.header.sequence > stored[$0.key] }
        let (ended, rest) = (
            self[node].waits.filter { stored[$0.member] >= $0.sequence },
            self[node].waits.filter { stored[$0.member] < $0.sequence }
        )
        self[node].waits = rest
        for wait in ended { wait.goOn() }
    }

    private func signRow(of member: MemberID, _ seat: Seat, at node: Int) {
        var has = seat.has
        has.raise(member, to: simulation.nodes[node].gossip.stored[member])
        let now = simulation.now
        guard seat.rows.mayBeDue(has: has, read: .zero, now: now) else { return }
        let claims = SeatClaims(of: member, has: has, in: simulation.nodes[node].gossip, now)
        let facts = SeatRows.Facts(
            has: has, known: claims.known, stated: claims.stated, settled: claims.settled, counter: claims.counter,
            read: .zero, members: simulation.nodes[node].group.roster.people.count)
        guard let row = self[node].seats[member]?.rows.next(facts, now: now, using: &rng) else { return }
        let wall = UInt64(clamping: simulation.wallMilliseconds(of: node) * 1_000)
        let signed = row.signed(
            by: seat.pair, of: member, counter: max(wall, facts.counter + 1), in: simulation.nodes[node].group.tour)
        simulation.feed(node, GossipMachine.Input.claims(.mailbox, [signed]))
    }

    // MARK: - Logs

    /// Gives a phone its place, and prepares the record that moves its seat here.
    private func stand(
        _ member: MemberID, tailFrom first: UInt64, moving: Content? = nil, at node: Int,
        _ answer: (Answer) -> Void
    ) {
        guard self[node].seats[member] != nil, let end = end(of: member, at: node) else {
            return answer(.refused(.gone))
        }
        self[node].seats[member]?.isHeld = true
        let tail = SeatTail.newest(through: end.sequence, from: first) { event(of: member, $0, at: node) }
        guard let moving else { return answer(.standing(member, head: end, tail: tail, prepared: nil)) }
        switch prepare(moving, of: member, at: node, isMove: true) {
        case .prepared(let event): answer(.standing(member, head: end, tail: tail, prepared: event))
        case let other:
            release(member, at: node)
            answer(other)
        }
    }

    private func hold(_ member: MemberID, _ pair: SigningKeyPair, _ keys: [UInt8], at node: Int) {
        if self[node].seats[member] == nil { self[node].seats[member] = Seat(pair: pair, keys: keys) }
    }

    /// Hands the replication what a phone confirmed.
    /// - Parameters:
    ///   - goOn: called once it is on the disk, unless the node stops before.
    ///   - refuse: called while other events are on their way there.
    private func deliver(
        _ events: [Event], of member: MemberID, at node: Int, _ goOn: @escaping () -> Void, _ refuse: () -> Void
    ) {
        guard let last = events.last else { return goOn() }
        if let other = self[node].delivered[member], other.id != last.id { return refuse() }
        self[node].delivered[member] = last
        for event in events {
            let other = places[member, default: [:]].updateValue(event.id, forKey: event.header.sequence)
            if let other, other != event.id { forks += 1 }
        }
        let until = simulation.now + Self.storeMax
        self[node].waits.append(
            Wait(member: member, sequence: last.header.sequence, until: until, goOn: goOn))
        for run in Run.runs(of: events, hops: 0, pushed: true) {
            simulation.feed(node, GossipMachine.Input.fetched(run))
        }
        // It may have come from elsewhere in the mean time.
        stored(at: node)
    }

    private func end(of member: MemberID, at node: Int) -> Author.Tail? {
        SeatClaims.storedEnd(of: member, in: simulation.nodes[node].gossip).map {
            Author.Tail(sequence: $0.sequence, id: $0.id)
        }
    }

    private func event(of member: MemberID, _ sequence: UInt64, at node: Int) -> Event? {
        let log = simulation.nodes[node].store.logs[member] ?? []
        return sequence > 0 && sequence <= UInt64(log.count) ? log[Int(sequence) - 1] : nil
    }

    /// The last record of a guest's log at a node.
    private func record(of member: MemberID, at node: Int) -> SeatRecord? {
        for event in (simulation.nodes[node].store.logs[member] ?? []).reversed()
        where event.header.eventClass == .profile {
            if case .seat(let record)? = try? simulation.nodes[node].group.open(event) { return record }
        }
        return nil
    }

    private func isOurs(_ member: MemberID, at node: Int) -> Bool {
        guard simulation.nodes[node].group.roster.members[member]?.isActive == true else { return false }
        guard let host = record(of: member, at: node)?.host else { return true }
        return host == simulation.nodes[node].id || self[node].seats[member]?.isMoving == true
    }

    /// The guest of a node whose phone has this secret.
    private func known(_ secret: SecretBytes, at node: Int) -> MemberID? {
        let (group, own) = (simulation.nodes[node].group, simulation.nodes[node].id)
        return group.roster.active.lazy.filter(\.isGuest).map(\.id).sorted().first { member in
            guard let record = record(of: member, at: node), record.host == own else { return false }
            return (try? SeatKeys.open(record.keys, under: secret, tour: group.tour, member: member)) != nil
        }
    }
}
