import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourWire

/// The seats that this node gives to guests: their keys, what they prepared, and what their phones have.
/// Source: `Protocol/15-seats.md`.
///
/// Runs on the node's event loop, so that a call between the two changes no threads. Of the node it knows `SeatsHost`.
package actor NodeSeats {
    private nonisolated let executor: any SerialExecutor
    /// The node around it; set once, before anything is asked.
    private(set) var host: (any SeatsHost)?
    var giving: SeatsGiving? {
        didSet { if (giving == nil) != (oldValue == nil) { doorWish?.yield() } }
    }
    /// Wakes whoever opens and closes the door.
    private var doorWish: AsyncStream<Void>.Continuation?
    /// The seats whose keys are here.
    var seats: [MemberID: Seat] = [:]
    /// Guests who are being let in, or whose entering has stopped half way.
    var newcomers: [SeatNewcomer] = []
    /// Where phones reach this node.
    private(set) var listening = SeatDoor()
    /// The guest for whom each reader of news reads.
    private var readers: [FollowerID: MemberID] = [:]
    /// What is on its way to the disk.
    private(set) var deliveries = SeatDeliveries()
    /// What guides share as the plan, as it was read last.
    private(set) var programme: GuestProgramme?
    private var isProgrammeOld = true
    private var isReadingProgramme = false
    private var lastNumber: UInt64 = 0
    private var rng = SplitMix64(seed: .random(in: 0 ... .max))

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter executor: the node's.
    package init(executor: any SerialExecutor) { self.executor = executor }

    /// Begins with what is stored.
    package func begin(_ host: any SeatsHost) {
        self.host = host
        giving = SeatsGiving(host)
    }

    /// - Throws: `seats-off` before `begin`.
    func theHost() throws(NodeError) -> any SeatsHost {
        if let host { host } else { throw .seat(.off) }
    }

    /// The channel key, whose public half is in the QR code. Made once, and kept.
    package func channelKey() throws -> LinkKeyPair { try SeatsGiving.channelKey(theHost()) }

    // MARK: - What the node reports

    /// Once a second.
    package func tick() {
        guard let host else { return }
        let now = host.now
        deliveries.endOverdue(now)
        for (member, seat) in seats {
            if let away = seat.awaySince, now - away >= SeatLimits.absenceMax { seats[member] = nil }
        }
        listening.tick()
        reviewEnd(host)
        reviewPass(host)
        reviewSeats(host)
        signRows(host, now)
        host.announce(localName)
        tellAddresses(host)
        readProgramme(host)
    }

    /// The plan is read from the store: once after it may have changed, for all phones.
    private func readProgramme(_ host: any SeatsHost) {
        guard isProgrammeOld, !isReadingProgramme, let giving, !seats.isEmpty else { return }
        (isProgrammeOld, isReadingProgramme) = (false, true)
        Task {
            let read = await host.programme(of: giving.tour)
            isReadingProgramme = false
            if self.giving?.tour == giving.tour { programme = read }
        }
    }

    /// A part of the plan was withdrawn, or can be read now.
    package func programmeChanged(in tour: TourID) {
        if giving?.tour == tour { isProgrammeOld = true }
    }

    /// Events are in the store: our own, those of others, or of guests.
    package func stored(_ events: [Event], in tour: TourID) {
        deliveries.stored(events)
        guard let giving, giving.tour == tour else { return }
        for event in events {
            let header = event.header
            // A control event may end the log of somebody who shared a plan.
            if header.eventClass == .file || header.eventClass == .control { isProgrammeOld = true }
            if header.eventClass.isMessage {
                for member in seats.keys where member != header.author { seats[member]?.hold(header) }
            }
            guard seats[header.author] != nil else { continue }
            seats[header.author]?.wrote(header.sequence)
        }
    }

    /// Whether a phone waits here for a member's events, or may: they are answered once they are on the disk for good.
    package func writes(for member: MemberID) -> Bool { seats[member] != nil || deliveries.has(member) }

    /// The rights of guests may have changed: those who are with another host, or gone, are let go.
    private func reviewSeats(_ host: any SeatsHost) {
        guard let giving, let facts = host.facts(of: giving.tour) else { return seats = [:] }
        for (member, seat) in seats where !mayRead(member, facts, host) {
            if !isOurs(member, facts) || seat.isMoving && !seat.isHeld { seats[member] = nil }
        }
    }

    /// A removal may have ended the pass.
    func reviewPass(_ host: any SeatsHost) {
        guard var giving, let facts = host.facts(of: giving.tour), giving.follow(facts) else { return }
        self.giving = giving
        // Where that fails, the next start renews it again.
        try? giving.keep(host)
    }

    /// Why a phone may not act for its seat any more.
    func refusal(of member: MemberID, in tour: TourID) -> NodeError {
        guard let giving, giving.tour == tour, let host, let facts = host.facts(of: tour) else {
            return .seat(.off)
        }
        guard facts.roster.members[member]?.isActive == true else { return ending(of: member, facts, tour, host) }
        guard !mayRead(member, facts, host) else { return .seat(.gone) }
        guard facts.isActive else { return .seat(facts.isEnded ? .ended : .over) }
        if let with = facts.book.host(of: member), with != facts.own { return .seat(.moved) }
        return .seat(.gone)
    }

    /// Why a guest is none any more.
    func ending(of member: MemberID, _ facts: SeatFacts, _ tour: TourID, _ host: any SeatsHost) -> NodeError {
        guard facts.roster.members[member]?.isRemoved == true else { return .seat(.over) }
        return .seat(.removed(by: host.remover(of: member, in: tour)))
    }

    /// Whether this node may write for a guest now.
    func isOurs(_ member: MemberID, _ facts: SeatFacts) -> Bool {
        guard facts.isActive, facts.roster.members[member]?.isActive == true else { return false }
        guard let with = facts.book.host(of: member) else { return true }
        return with == facts.own || seats[member]?.isMoving == true
    }

    /// An event of a guest goes to the replication.
    /// - Throws: `busy` while another one is on its way to the disk; the same one may go again.
    func beginDelivery(of event: Event) throws(NodeError) {
        guard deliveries.begin(event) else { throw .busy }
    }

    /// Where a guest's log ends.
    /// - Throws: `busy` while a part of it is on its way to the disk.
    func end(of member: MemberID, _ tour: TourID, _ host: any SeatsHost) throws(NodeError) -> Author.Tail {
        guard let tail = host.tail(of: member, in: tour) else { throw .busy }
        return tail
    }

    /// Suspends until an event is on the disk.
    func untilStored(
        _ sequence: UInt64, of member: MemberID, in tour: TourID, _ host: any SeatsHost
    ) async throws {
        guard host.frontier(of: tour)[member] < sequence else { return }
        let until = host.now + SeatLimits.storeMax
        let isStored = await withCheckedContinuation { answer in
            deliveries.wait(for: sequence, of: member, until: until, answer)
        }
        guard isStored else { throw NodeError.busy }
    }

    /// The node stops: nobody waits on.
    package func stop() {
        endGiving()
        host = nil
    }

    /// No seats are given any more: nothing of them stays in memory.
    func endGiving() {
        giving = nil
        seats = [:]
        newcomers = []
        deliveries.end()
        listening.forget()
        (programme, isProgrammeOld) = (nil, true)
    }

    func beginReading(_ follower: FollowerID, for member: MemberID) {
        readers[follower] = member
        seats[member]?.beginListening(follower)
    }

    func endReading(_ follower: FollowerID, now: Instant) {
        if let member = readers.removeValue(forKey: follower) { seats[member]?.endListening(follower, now: now) }
    }

    /// A number that was not used yet, for a ticket or a mark.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: - Rows

    /// Signs the rows of the guests who are here.
    private func signRows(_ host: any SeatsHost, _ now: Instant) {
        guard let giving else { return }
        for member in seats.keys.sorted() {
            guard let seat = seats[member], seat.isHere(now: now) else { continue }
            signRow(of: seat, in: giving.tour, host, now)
        }
    }

    /// None while the seat moves here: its log still names another host, which signs them. Where two sign by turns, the
    /// rows of the one whose clock is ahead can hide what those of the other say.
    private func signRow(of seat: Seat, in tour: TourID, _ host: any SeatsHost, _ now: Instant) {
        guard !seat.isMoving, let pair = seat.pair, seat.rows.mayBeDue(has: seat.has, read: seat.read, now: now),
            let facts = host.rowFacts(of: seat.member, has: seat.has, read: seat.read, in: tour),
            let row = seats[seat.member]?.rows.next(facts, now: now, using: &rng)
        else { return }
        let counter = max(UInt64(clamping: host.wallMicroseconds), facts.counter &+ 1)
        host.publish(row.signed(by: pair, of: seat.member, counter: counter, in: tour), in: tour)
    }

    /// The phone has everything up to this mark.
    package func got(_ mark: UInt64, for ticket: SeatTicket) {
        guard let host, isValid(ticket) else { return }
        seats[ticket.member]?.got(mark)
        if let seat = seats[ticket.member] { signRow(of: seat, in: ticket.tour, host, host.now) }
    }

    /// Whether a phone may still act for its seat.
    func isValid(_ ticket: SeatTicket) -> Bool {
        giving?.tour == ticket.tour && seats[ticket.member]?.tickets.contains(ticket.number) == true
    }

    /// The seats of these rights whose guests are in the tour no more: removed, or gone by themselves.
    package func ended(among tickets: [SeatTicket]) -> Set<String> {
        guard let host else { return [] }
        let ended = Dictionary(grouping: tickets, by: \.tour).flatMap { tour, tickets in
            let members = host.facts(of: tour)?.roster.members
            return tickets.filter { members?[$0.member]?.isActive != true }
        }
        return Set(ended.map(\.member.hex))
    }

    // MARK: - The door

    /// Why the door for guests does not listen for https though it should; nil: it does, or should not.
    private(set) var secureTrouble: String?

    /// The door for guests listens here, for https at `secure` (`NAME:PORT`), or no longer does.
    /// - Parameter trouble: why it does not listen for https though it should.
    package func doorOpened(port: Int?, secure: String? = nil, trouble: String? = nil) {
        secureTrouble = trouble
        listening.opened(port: port, secure: secure)
        guard let host else { return }
        host.announce(localName)
        tellAddresses(host)
    }

    /// The first label of the name by which phones find this node in the local network, as long as its door listens.
    var localName: String? {
        guard let giving, listening.port != nil, let facts = host?.facts(of: giving.tour) else { return nil }
        return SeatPage.name(of: facts.own, in: giving.tour)
    }

    /// Suspends until the door is open, but at most for some seconds: it opens by itself.
    func untilDoorIsOpen() async {
        guard listening.port == nil else { return }
        await withCheckedContinuation { listening.wait($0) }
    }

    /// Whether the door for guests is to be open.
    package var wantsDoor: Bool { giving != nil }

    /// From here on this is yielded to whenever `wantsDoor` changes.
    package func reportDoorWish(to wish: AsyncStream<Void>.Continuation) { doorWish = wish }

    /// Tells the tour where this node gives seats, when that has changed.
    private func tellAddresses(_ host: any SeatsHost) {
        guard let giving, let facts = host.facts(of: giving.tour), facts.isActive,
            facts.roster.mayGiveSeats(facts.own, wallMilliseconds: facts.wallMilliseconds),
            let key = try? channelKey().publicKey,
            let addresses = listening.news(host.addresses, said: facts.book.door(of: facts.own), key)
        else { return }
        Task {
            do {
                try await host.write(.seatHost(SeatHost(key: key, addresses: addresses)), in: giving.tour)
                if self.giving?.tour == giving.tour {
                    listening.told(addresses)
                } else {
                    try await host.write(.seatHost(SeatHost(key: nil, addresses: [])), in: giving.tour)
                }
            } catch {
                // The next second tries again.
            }
            listening.endTelling()
        }
    }
}
