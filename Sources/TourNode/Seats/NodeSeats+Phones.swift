import TourCrypto
import TourGroup
import TourModel
import TourStore
import TourWire

// Phones that come: to a new seat, or to one that they have. Source: `Protocol/15-seats.md`, "One place, one writer".
extension NodeSeats {
    /// What a phone learns before it is in.
    package func door() -> SeatDoorView {
        guard let host, let giving, let facts = host.facts(of: giving.tour) else {
            return SeatDoorView(tour: "", host: "", entry: .off)
        }
        let isOpen =
            facts.isActive && facts.roster.mayGiveSeats(facts.own, wallMilliseconds: facts.wallMilliseconds)
        return SeatDoorView(
            tour: facts.tourName, host: facts.ownName,
            entry: !isOpen ? .off : count(facts) < giving.max ? .open : .full)
    }

    /// How many guests are with this node.
    func count(_ facts: SeatFacts) -> Int {
        entering + facts.guests(with: facts.own).count
    }

    private func facts(_ host: any SeatsHost) throws(NodeError) -> (giving: Giving, facts: SeatFacts) {
        guard let giving, let facts = host.facts(of: giving.tour) else { throw .seat(.off) }
        guard facts.isActive else { throw .seat(.over) }
        guard facts.roster.mayGiveSeats(facts.own, wallMilliseconds: facts.wallMilliseconds) else { throw .seat(.off) }
        return (giving, facts)
    }

    // MARK: - A new seat

    /// Lets a guest in.
    /// - Parameter secret: the phone's, `SeatKeys.secretBytes` bytes. One that was used before leads to the same seat:
    ///   the answer to the first request may have been lost.
    package func enter(pass: [UInt8], name: String, secret: [UInt8]) async throws -> SeatStanding {
        let host = try theHost()
        let (giving, facts) = try facts(host)
        guard secret.count == SeatKeys.secretBytes else { throw NodeError.seat(.wrongSecret) }
        let name = DisplayName.tidy(name)
        guard DisplayName.isAllowed(name) else { throw NodeError.badName }
        let phone = SecretBytes(secret)
        if let known = seats.values.first(where: { opens($0.keys, of: $0.member, phone, giving.tour) != nil }) {
            return try standing(of: known.member, tailFrom: 1, host)
        }
        guard count(facts) < giving.max else { throw NodeError.seat(.full) }
        try self.giving?.pass.use(pass, wallMilliseconds: facts.wallMilliseconds)
        entering += 1
        defer { entering -= 1 }
        do {
            try keepPass(host)
            let member = try await admit(phone, name, giving.tour, facts, host)
            return try standing(of: member, tailFrom: 1, host)
        } catch {
            self.giving?.pass.giveBack()
            throw error
        }
    }

    /// Writes the admission, then the first events of the seat's log.
    private func admit(
        _ phone: SecretBytes, _ name: String, _ tour: TourID, _ facts: SeatFacts, _ host: any SeatsHost
    ) async throws -> MemberID {
        let licences = facts.roster.licences(of: facts.own, wallMilliseconds: facts.wallMilliseconds)
        let licence = licences.lazy.compactMap { invite in
            host.key(of: invite.epoch, in: tour).flatMap { SeatLicence(invite, under: $0) }
        }.first
        guard let licence else { throw NodeError.seat(.notAllowed) }
        let seed = SecretBytes.random(count: SigningKeyPair.seedBytes)
        let pair = SigningKeyPair(seed: seed)
        let member = MemberID(identity: pair.publicKey)
        // Nobody uses these two keys, so their private halves are kept nowhere.
        let request = JoinRequest.ofSeat(
            identity: pair, linkKey: LinkKeyPair().publicKey, wrappingKey: WrappingKeyPair().publicKey,
            host: facts.own, licence: licence.pair, tour: tour)
        try await host.write(.admit(request), in: tour)
        guard host.facts(of: tour)?.roster.members[member]?.isActive == true else { throw NodeError.seat(.full) }
        await host.beginEpoch(for: member, in: tour)
        let keys = SeatKeys.seal(seed, under: phone, tour: tour, member: member)
        let epoch = try await host.sealingKey(in: tour)
        guard let now = host.facts(of: tour) else { throw NodeError.seat(.over) }
        seats[member] = Seat(member: member, pair: pair, keys: keys, now: host.now)
        var author = Author(
            identity: pair, tour: tour, tail: Author.Tail(sequence: 0, id: .none), clock: now.clock)
        let events = [
            author.write(
                .seat(SeatRecord(host: now.own, keys: keys)), under: epoch, wallMilliseconds: now.wallMilliseconds),
            author.write(.profile(name: name), under: epoch, wallMilliseconds: now.wallMilliseconds),
        ]
        do {
            host.deliver(Run(events, hops: 0, pushed: true), in: tour)
            try await untilStored(2, of: member, host)
        } catch {
            seats[member] = nil
            throw error
        }
        return member
    }

    // MARK: - A seat that there is

    /// A guest's phone is back, or comes from another host.
    /// - Parameters:
    ///   - head: where the log stands as the phone knows.
    ///   - tail: events of the log, in order, that nobody else may have.
    /// - Throws: `behind` while a part of the log is missing here; `over`, `wrong-secret`, `unknown-seat`.
    package func resume(
        member text: String, secret: [UInt8], head: SeatHead, tail: [[UInt8]]
    ) async throws -> SeatStanding {
        let host = try theHost()
        let (giving, facts) = try facts(host)
        let tour = giving.tour
        guard let member = MemberID(hex: text), let known = facts.roster.members[member], known.isGuest else {
            throw NodeError.seat(.unknownSeat)
        }
        guard known.isActive else { throw NodeError.seat(.over) }
        guard secret.count == SeatKeys.secretBytes else { throw NodeError.seat(.wrongSecret) }
        let phone = SecretBytes(secret)
        // With a tail that begins here, the log may bring its own first record.
        if facts.book.record(of: member) != nil {
            _ = try open(member, phone, tour, host)
        }
        try await deliver(tail, of: known, tour, host)
        let (record, pair) = try open(member, phone, tour, host)
        let end = try tail(of: member, tour, host)
        guard end.sequence >= head.seq else { throw NodeError.seat(.behind) }
        // The phone counts on an event that another took the place of.
        guard head.seq == 0 || host.event(tour, of: member, at: head.seq)?.id.hex == head.id else {
            throw NodeError.seat(.moved)
        }
        guard let facts = host.facts(of: tour) else { throw NodeError.seat(.over) }
        let isHere = record.host == facts.own
        if seats[member] == nil {
            guard isHere || count(facts) < giving.max else { throw NodeError.seat(.full) }
            seats[member] = Seat(member: member, pair: pair, keys: record.keys, now: host.now)
        }
        seats[member]?.isMoving = !isHere
        // What another window prepared and did not confirm, it prepares anew.
        if !deliveries.has(member) { seats[member]?.prepared = nil }
        if !isHere {
            _ = try await prepare(.seat(SeatRecord(host: facts.own, keys: record.keys)), of: member, tour, host)
        }
        return try standing(of: member, tailFrom: head.seq + 1, host)
    }

    private func opens(
        _ keys: [UInt8], of member: MemberID, _ phone: SecretBytes, _ tour: TourID
    ) -> SigningKeyPair? { try? SeatKeys.open(keys, under: phone, tour: tour, member: member) }

    private func open(
        _ member: MemberID, _ phone: SecretBytes, _ tour: TourID, _ host: any SeatsHost
    ) throws(NodeError) -> (SeatRecord, SigningKeyPair) {
        guard let record = host.facts(of: tour)?.book.record(of: member) else { throw .seat(.behind) }
        guard let pair = opens(record.keys, of: member, phone, tour) else { throw .seat(.wrongSecret) }
        return (record, pair)
    }

    /// Takes in what the phone brings of its log beyond what is here. What does not continue the log, or the guest did
    /// not sign, is passed over: the log decides.
    private func deliver(
        _ brought: [[UInt8]], of guest: Member, _ tour: TourID, _ host: any SeatsHost
    ) async throws {
        let member = guest.id
        var end = try tail(of: member, tour, host)
        var events = [Event]()
        for bytes in brought.prefix(SeatLimits.tailMax) {
            guard let raw = try? RawEvent(decoding: bytes) else { continue }
            let event = Event(raw.header, signature: raw.signature, body: raw.body)
            guard raw.header.author == member, raw.header.tour == tour, raw.header.sequence == end.sequence + 1,
                raw.header.previous == end.id
            else { continue }
            events.append(event)
            end = Author.Tail(sequence: event.header.sequence, id: event.id)
        }
        guard let last = events.last else { return }
        let runs = Run.runs(of: events, hops: 0, pushed: true)
        guard runs.allSatisfy({ (try? VerifiedRun($0, tour: tour, identity: guest.identity)) != nil }) else {
            throw NodeError.seat(.wrongSecret)
        }
        try beginDelivery(of: last)
        for run in runs { host.deliver(run, in: tour) }
        try await untilStored(last.header.sequence, of: member, host)
    }

    /// Gives a phone its place.
    /// - Parameter first: from which place on the phone gets the events that it may lack.
    private func standing(
        of member: MemberID, tailFrom first: UInt64, _ host: any SeatsHost
    ) throws(NodeError) -> SeatStanding {
        guard let giving, let facts = host.facts(of: giving.tour), seats[member] != nil else {
            throw .seat(.off)
        }
        let number = nextTicket()
        seats[member]?.add(number)
        let end = try tail(of: member, giving.tour, host)
        let tail = host.events(
            giving.tour, of: member, from: max(first, held(member, facts, host) + 1),
            bytesMax: SeatLimits.tailBytesMax)
        return SeatStanding(
            ticket: SeatTicket(tour: giving.tour, member: member, number: number), memberID: member.hex,
            name: facts.names[member] ?? "", head: SeatHead(seq: end.sequence, id: end.id.hex),
            tail: tail.prefix(SeatLimits.tailMax).map(\.bytes),
            prepared: seats[member].flatMap { $0.isMoving ? $0.prepared.map { PreparedEvent($0.event) } : nil },
            hosts: otherHosts(facts))
    }

    /// Where else phones may go.
    func otherHosts(_ facts: SeatFacts) -> [SeatHostView] {
        facts.roster.active.compactMap { member in
            guard member.id != facts.own, let door = facts.book.door(of: member.id),
                facts.roster.mayGiveSeats(member.id, wallMilliseconds: facts.wallMilliseconds)
            else { return nil }
            return SeatHostView(
                name: facts.names[member.id] ?? "", key: door.key.hex, addresses: door.addresses)
        }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
    }

    /// The phone is away.
    package func release(_ ticket: SeatTicket) {
        guard let host else { return }
        seats[ticket.member]?.remove(ticket.number, now: host.now)
    }

    // MARK: - Held by others

    /// Up to which place a member beside this node has the seat's log.
    package func held(_ ticket: SeatTicket) -> UInt64 {
        guard isValid(ticket), let host, let facts = host.facts(of: ticket.tour) else { return 0 }
        return held(ticket.member, facts, host)
    }

    private func held(_ member: MemberID, _ facts: SeatFacts, _ host: any SeatsHost) -> UInt64 {
        guard let giving else { return 0 }
        // A guest of ours has nothing that this node has not.
        let ours = facts.book.guests(with: facts.own).union([facts.own, member])
        let others = facts.roster.active.lazy.map(\.id).filter { !ours.contains($0) }
        return others.map { host.stated(by: $0, of: member, in: giving.tour) }.max() ?? 0
    }
}

extension PreparedEvent {
    init(_ event: Event) {
        self.init(bytes: event.bytes, seq: event.header.sequence, id: event.id.hex)
    }
}
