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
            return SeatDoorView(tour: "", host: "", entry: .off, https: nil, local: nil)
        }
        guard !facts.isEnded else {
            return SeatDoorView(
                tour: facts.tourName, host: facts.ownName, entry: .ended, https: listening.secure,
                local: localName.flatMap(listening.named))
        }
        let isOpen =
            facts.isActive && facts.roster.mayGiveSeats(facts.own, wallMilliseconds: facts.wallMilliseconds)
        return SeatDoorView(
            tour: facts.tourName, host: facts.ownName,
            entry: !isOpen ? .off : count(facts) < giving.max && facts.roster.hasRoom(for: facts.own) ? .open : .full,
            https: listening.secure, local: localName.flatMap(listening.named))
    }

    /// How many guests are with this node, those included who are about to be.
    func count(_ facts: SeatFacts) -> Int {
        let here = Set(facts.guests(with: facts.own))
        return here.count + seats.keys.count { !here.contains($0) } + newcomers.count { seats[$0.member] == nil }
    }

    private func facts(_ host: any SeatsHost) throws(NodeError) -> (giving: SeatsGiving, facts: SeatFacts) {
        guard let giving, let facts = host.facts(of: giving.tour) else { throw .seat(.off) }
        guard facts.isActive else { throw .seat(facts.isEnded ? .ended : .over) }
        guard facts.roster.mayGiveSeats(facts.own, wallMilliseconds: facts.wallMilliseconds) else { throw .seat(.off) }
        return (giving, facts)
    }

    /// The same behind an `await`, in which the owner may have ended it.
    private func factsNow(_ tour: TourID, _ host: any SeatsHost) throws(NodeError) -> SeatFacts {
        let (giving, facts) = try facts(host)
        guard giving.tour == tour else { throw .seat(.off) }
        return facts
    }

    // MARK: - A new seat

    /// What the QR code says behind `#`, for somebody who typed the digits beside it. A wrong try is stored before it
    /// is answered: to start this program anew gives nobody more of them.
    /// - Throws: `wrong-digits`, `digits-spent`, `pass-expired`, `pass-used-up`, `seats-off`.
    package func entry(by digits: SpokenDigits) throws -> String {
        let host = try theHost()
        reviewPass(host)
        let (_, facts) = try facts(host)
        let triesLeft = giving?.pass.digitTriesLeft
        do {
            _ = try giving?.pass.secret(for: digits, wallMilliseconds: facts.wallMilliseconds)
        } catch {
            if giving?.pass.digitTriesLeft != triesLeft { try giving?.keep(host) }
            throw error
        }
        guard let entry = entry() else { throw NodeError.seat(.off) }
        return entry
    }

    /// Lets a guest in.
    /// - Parameter secret: the phone's, `SeatKeys.secretBytes` bytes. One that was used before leads to the same seat:
    ///   the answer to the first request may have been lost.
    /// - Throws: `removed` for the secret of a guest who was removed; `bad-pass`, `pass-expired`, `pass-used-up`,
    ///   `full`.
    package func enter(pass: [UInt8], name: String, secret: [UInt8]) async throws -> SeatStanding {
        let host = try theHost()
        reviewPass(host)
        if let standing = try enterEnded(secret) { return standing }
        let (giving, facts) = try facts(host)
        guard secret.count == SeatKeys.secretBytes else { throw NodeError.seat(.wrongSecret) }
        let name = DisplayName.tidy(name)
        guard DisplayName.isAllowed(name) else { throw NodeError.badName }
        let phone = SecretBytes(secret)
        if let member = facts.guest(with: phone, in: giving.tour) {
            return try await resume(member, secret: secret, head: SeatHead(seq: 0, id: ""), tail: [])
        }
        if let newcomer = newcomers.first(where: { $0.secret == phone }) {
            return try await enter(newcomer, giving.tour, host)
        }
        if let removed = facts.removedGuest(with: phone, in: giving.tour) {
            throw ending(of: removed, facts, giving.tour, host)
        }
        guard count(facts) < giving.max, facts.roster.hasRoom(for: facts.own) else { throw NodeError.seat(.full) }
        let key = { host.key(of: $0, in: giving.tour) }
        guard let licence = facts.licence(besides: newcomers.count, key) else { throw NodeError.seat(.notAllowed) }
        try self.giving?.pass.use(pass, wallMilliseconds: facts.wallMilliseconds)
        try self.giving?.keep(host)
        let newcomer = SeatNewcomer(secret: phone, name: name, pass: pass, licence: licence)
        newcomers.append(newcomer)
        return try await enter(newcomer, giving.tour, host)
    }

    /// Lets a newcomer in, or goes on where that stopped; who asks twice waits for the first one.
    private func enter(
        _ newcomer: SeatNewcomer, _ tour: TourID, _ host: any SeatsHost
    ) async throws -> SeatStanding {
        let work = newcomer.work ?? Task { try await admit(newcomer, tour, host) }
        newcomer.work = work
        do {
            try await work.value
        } catch {
            newcomer.work = nil
            // Once it is admitted the next try goes on with the same keys.
            if !newcomer.isAdmitted { forget(newcomer, host) }
            throw error
        }
        newcomers.removeAll { $0 === newcomer }
        return try standing(of: newcomer.member, in: tour, tailFrom: 1, host)
    }

    private func forget(_ newcomer: SeatNewcomer, _ host: any SeatsHost) {
        guard newcomers.contains(where: { $0 === newcomer }) else { return }
        newcomers.removeAll { $0 === newcomer }
        guard giving?.pass.secret == newcomer.pass else { return }
        giving?.pass.giveBack()
        try? giving?.keep(host)
    }

    /// Writes the admission, then the first events of the seat's log.
    private func admit(_ newcomer: SeatNewcomer, _ tour: TourID, _ host: any SeatsHost) async throws {
        let member = newcomer.member
        if !newcomer.isAdmitted {
            let facts = try factsNow(tour, host)
            // Nobody uses these two keys, so their private halves are kept nowhere.
            let request = JoinRequest.ofSeat(
                identity: newcomer.pair, linkKey: LinkKeyPair().publicKey, wrappingKey: WrappingKeyPair().publicKey,
                host: facts.own, licence: newcomer.licence.pair, tour: tour)
            try await host.write(.admit(request), in: tour)
            newcomer.isAdmitted = true
        }
        let admitted = try factsNow(tour, host)
        guard admitted.roster.members[member]?.isActive == true else {
            guard !admitted.stands(newcomer.licence.pair.publicKey) else { throw NodeError.seat(.full) }
            // A removal ended the licence and the pass meanwhile.
            newcomer.isAdmitted = false
            throw NodeError.seat(.badPass)
        }
        await host.beginEpoch(for: member, in: tour)
        let epoch = try await host.sealingKey(in: tour)
        let now = try factsNow(tour, host)
        let keys = newcomer.keys ?? SeatKeys.seal(newcomer.seed, under: newcomer.secret, tour: tour, member: member)
        newcomer.keys = keys
        if try end(of: member, tour, host).sequence == 0 {
            let events = newcomer.begin(keys, under: epoch, in: tour, now)
            if seats[member] == nil {
                seats[member] = Seat(member: member, pair: newcomer.pair, keys: keys, now: host.now)
            }
            try beginDelivery(of: events[1])
            host.deliver(Run(events, hops: 0, pushed: true), in: tour)
            try await untilStored(2, of: member, in: tour, host)
        }
        _ = try factsNow(tour, host)
        if seats[member] == nil { seats[member] = Seat(member: member, pair: newcomer.pair, keys: keys, now: host.now) }
    }

    // MARK: - A seat that there is

    /// A guest's phone is back, or comes from another host.
    /// - Parameters:
    ///   - head: where the log stands as the phone knows.
    ///   - tail: events of the log, in order, that nobody else may have.
    /// - Throws: `behind` while a part of the log is missing here; `moved` when another event has the place of the
    ///   phone's last one; `removed`, `over`, `wrong-secret`, `unknown-seat`, `full`.
    package func resume(
        member text: String, secret: [UInt8], head: SeatHead, tail: [[UInt8]]
    ) async throws -> SeatStanding {
        guard let member = MemberID(hex: text) else { throw NodeError.seat(.unknownSeat) }
        if let standing = try resumeEnded(member, secret: secret) { return standing }
        return try await resume(member, secret: secret, head: head, tail: tail)
    }

    private func resume(
        _ member: MemberID, secret: [UInt8], head: SeatHead, tail: [[UInt8]]
    ) async throws -> SeatStanding {
        let host = try theHost()
        let (giving, facts) = try facts(host)
        let tour = giving.tour
        guard let guest = facts.roster.members[member], guest.isGuest else {
            throw NodeError.seat(.unknownSeat)
        }
        guard guest.isActive else { throw ending(of: member, facts, tour, host) }
        guard secret.count == SeatKeys.secretBytes else { throw NodeError.seat(.wrongSecret) }
        let phone = SecretBytes(secret)
        // A tail may bring the log's own first record.
        if facts.book.record(of: member) != nil { _ = try open(member, phone, tour, host) }
        try await deliver(tail, of: guest, tour, host)
        let (record, pair) = try open(member, phone, tour, host)
        try check(head, against: end(of: member, tour, host), of: member, tour, host)
        let now = try factsNow(tour, host)
        guard now.roster.members[member]?.isActive == true else { throw ending(of: member, now, tour, host) }
        let isHere = record.host == now.own
        if seats[member] == nil {
            guard isHere || count(now) < giving.max else { throw NodeError.seat(.full) }
            seats[member] = Seat(member: member, pair: pair, keys: record.keys, now: host.now)
        }
        seats[member]?.isMoving = !isHere
        // What another window prepared and did not confirm, it prepares anew.
        if !deliveries.has(member) { seats[member]?.prepared = nil }
        // A ticket first: a seat that moves and has none is let go.
        let standing = try standing(of: member, in: tour, tailFrom: head.seq + 1, host)
        guard !isHere else { return standing }
        do {
            let moving = try await prepare(
                .seat(SeatRecord(host: now.own, keys: record.keys)), of: member, tour, host, isMove: true)
            return standing.with(prepared: moving)
        } catch {
            release(standing.ticket)
            throw error
        }
    }

    /// Whether the log goes as far as the phone knows, and with the same event.
    private func check(
        _ head: SeatHead, against end: Author.Tail, of member: MemberID, _ tour: TourID, _ host: any SeatsHost
    ) throws(NodeError) {
        guard end.sequence >= head.seq else { throw .seat(.behind) }
        guard head.seq > 0 else { return }
        guard let event = host.event(tour, of: member, at: head.seq) else { throw .busy }
        if event.id.hex != head.id { throw .seat(.moved) }
    }

    private func open(
        _ member: MemberID, _ phone: SecretBytes, _ tour: TourID, _ host: any SeatsHost
    ) throws(NodeError) -> (SeatRecord, SigningKeyPair) {
        guard let record = host.facts(of: tour)?.book.record(of: member) else { throw .seat(.behind) }
        guard let pair = try? SeatKeys.open(record.keys, under: phone, tour: tour, member: member) else {
            throw .seat(.wrongSecret)
        }
        return (record, pair)
    }

    /// Takes in what the phone brings of its log beyond what is here. What does not continue the log, or the guest did
    /// not sign, is passed over: the log decides.
    private func deliver(
        _ brought: [[UInt8]], of guest: Member, _ tour: TourID, _ host: any SeatsHost
    ) async throws {
        let member = guest.id
        let events = SeatTail.continuing(try end(of: member, tour, host), by: brought, of: member, in: tour)
        guard let last = events.last else { return }
        let runs = Run.runs(of: events, hops: 0, pushed: true)
        guard runs.allSatisfy({ (try? VerifiedRun($0, tour: tour, identity: guest.identity)) != nil }) else {
            throw NodeError.seat(.wrongSecret)
        }
        try beginDelivery(of: last)
        for run in runs { host.deliver(run, in: tour) }
        try await untilStored(last.header.sequence, of: member, in: tour, host)
    }

    /// Gives a phone its place.
    /// - Parameter first: from which place on the phone gets the events that it may lack.
    private func standing(
        of member: MemberID, in tour: TourID, tailFrom first: UInt64, _ host: any SeatsHost
    ) throws(NodeError) -> SeatStanding {
        let facts = try factsNow(tour, host)
        guard seats[member] != nil else { throw .seat(.gone) }
        let end = try end(of: member, tour, host)
        let number = nextNumber()
        seats[member]?.add(number)
        let tail = SeatTail.newest(through: end.sequence, from: max(first, held(member, facts, host) + 1)) {
            host.event(tour, of: member, at: $0)
        }
        return SeatStanding(
            ticket: SeatTicket(tour: tour, member: member, number: number), memberID: member.hex,
            name: facts.names[member] ?? "", head: SeatHead(seq: end.sequence, id: end.id.hex),
            tail: tail.map(\.bytes), prepared: nil, hosts: facts.otherHosts, formerHosts: facts.formerHosts,
            pageKey: SeatPage.key(of: tour), addresses: listening.addresses(host.addresses))
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
        // A phone keeps no log but its own.
        let others = facts.roster.active.lazy.filter { !$0.isGuest && $0.id != facts.own }.map(\.id)
        return others.map { host.stated(by: $0, of: member, in: giving.tour) }.max() ?? 0
    }
}

extension PreparedEvent {
    init(_ event: Event) {
        self.init(bytes: event.bytes, seq: event.header.sequence, id: event.id.hex)
    }
}
