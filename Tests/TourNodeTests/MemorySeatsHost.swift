import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourNode
import TourWire

/// Runs work where the seats run.
actor SeatsLoop {
    private nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: any SerialExecutor) { self.executor = executor }

    func run<Result: Sendable>(_ work: @Sendable () throws -> Result) rethrows -> Result { try work() }
}

/// A device of a tour in memory, around its seats: a clock that stands until it is set, a disk that stores at once
/// unless a test lets it wait, and others of whom it hears when a test says so.
// Used on the loop of its seats alone.
final class MemorySeatsHost: SeatsHost, @unchecked Sendable {
    /// When tours begin, in milliseconds since 1970.
    static let start: Int64 = 1_767_225_600_000
    struct Refused: Error {}

    let keys: MemberKeys
    let name: String
    let epoch: EpochKey
    private let genesis: [UInt8]
    private let executor: any SerialExecutor
    private let loop: SeatsLoop
    private(set) var seats: NodeSeats

    var now = Instant(microseconds: 1_000_000)
    let addresses: [String] = []
    /// By which phones find it in the local network.
    private(set) var localName: String?
    private(set) var group: TourGroup
    private(set) var book = SeatBook()
    private var names = NameState()
    private var clock = LogicalClock.zero
    /// What is on the disk.
    private(set) var logs: [MemberID: [Event]] = [:]
    private(set) var settings: [String: [UInt8]] = [:]
    /// How much of each log other devices have, as far as they have said.
    private var stated: [MemberID: [MemberID: UInt64]] = [:]
    /// The members whose rows its seats signed, in order.
    private(set) var rows: [MemberID] = []
    /// What is on its way to the disk; nil: the disk stores at once.
    private(set) var waiting: [Run]?
    /// Whether nothing of our own can be written.
    var refuses = false
    /// Another epoch than that of `epoch` has begun.
    var newEpoch: EpochID?

    init(
        _ keys: MemberKeys, _ name: String, genesis: [UInt8], epoch: EpochKey, executor: any SerialExecutor
    ) throws {
        (self.keys, self.name, self.genesis, self.epoch, self.executor) = (keys, name, genesis, epoch, executor)
        loop = SeatsLoop(executor)
        seats = NodeSeats(executor: executor)
        group = try Self.group(genesis, epoch)
    }

    private static func group(_ genesis: [UInt8], _ epoch: EpochKey) throws -> TourGroup {
        var group = try TourGroup(genesis: genesis)
        _ = group.learn(epoch: epoch.id, key: epoch.key)
        return group
    }

    var own: MemberID { keys.memberID }

    func announce(_ name: String?) { localName = name }
    var wallMilliseconds: Int64 { Self.start + now.microseconds / 1_000 }
    var wallMicroseconds: Int64 { wallMilliseconds * 1_000 }

    // MARK: - What tests do

    /// The device starts again, with what is on its disk; what was on the way there is lost.
    /// - Parameter kept: what it was restored from; nil: nothing is missing.
    func restart(from kept: [MemberID: [Event]]? = nil) async throws {
        await seats.stop()
        try await loop.run { try self.load(kept ?? self.logs) }
        await seats.begin(self)
    }

    private func load(_ events: [MemberID: [Event]]) throws {
        (logs, book, names, stated, waiting) = ([:], SeatBook(), NameState(), [:], nil)
        group = try Self.group(genesis, epoch)
        seats = NodeSeats(executor: executor)
        read(events)
    }

    /// The disk takes its time.
    func holdDisk() { waiting = waiting ?? [] }

    /// The disk has everything that waits, or lost it.
    func releaseDisk(losing isLost: Bool = false) {
        let runs = waiting ?? []
        waiting = nil
        if !isLost { for run in runs { deliver(run, in: group.tour) } }
    }

    /// Both devices get what the other has.
    func meet(_ other: MemorySeatsHost) {
        let (ours, theirs) = (logs, other.logs)
        read(theirs)
        other.read(ours)
        stated[other.own] = other.logs.mapValues { UInt64($0.count) }
        other.stated[own] = logs.mapValues { UInt64($0.count) }
    }

    /// Takes in the events that continue a log here.
    func read(_ others: [MemberID: [Event]]) {
        _ = group.add(controls: others.values.joined().filter { $0.header.eventClass == .control }.map(\.bytes))
        for author in others.keys.sorted() { store((others[author] ?? []).dropFirst(logs[author]?.count ?? 0)) }
    }

    /// What a guest wrote, in the order of its log.
    func texts(of member: String) -> [String] {
        let log = MemberID(hex: member).flatMap { logs[$0] } ?? []
        return log.compactMap {
            guard case .text(let text, _)? = try? group.open($0, beyondCut: true) else { return nil }
            return text
        }
    }

    /// The secret of the code that this device shows.
    var pass: [UInt8] { Array((settings["seat-pass"] ?? []).prefix(SeatPass.secretBytes)) }

    // MARK: - The disk

    private func store(_ events: some Sequence<Event>) {
        var stored = [Event]()
        for event in events {
            let log = logs[event.header.author] ?? []
            guard event.header.sequence == UInt64(log.count) + 1, event.header.previous == log.last?.id ?? .none else {
                continue
            }
            logs[event.header.author] = log + [event]
            clock = max(clock, event.header.clock)
            stored.append(event)
            guard event.header.eventClass != .control else { continue }
            switch try? group.open(event) {
            case .seat(let record): book.record(record, event.header)
            case .seatHost(let host): book.record(host, event.header)
            case .profile(let name): names.set(name, of: event.header.author, at: event.header.clock)
            default: break
            }
        }
        seats.assumeIsolated { $0.stored(stored, in: group.tour) }
    }

    private func append(_ write: (inout Author) -> Event) throws {
        guard !refuses else { throw Refused() }
        let last = logs[own]?.last
        var author = Author(
            identity: keys.identity, tour: group.tour,
            tail: Author.Tail(sequence: last?.header.sequence ?? 0, id: last?.id ?? .none), clock: clock)
        let event = write(&author)
        _ = group.add(verified: [event])
        store([event])
    }

    private func append(_ body: ControlBody) throws {
        try append { $0.write(body, wallMilliseconds: wallMilliseconds) }
    }

    // MARK: - SeatsHost

    func tour(named name: String?) throws -> TourID { group.tour }

    func facts(of tour: TourID) -> SeatFacts? {
        guard tour == group.tour else { return nil }
        return SeatFacts(
            own: own, ownName: name, tourName: "Museum",
            isActive: group.roster.members[own]?.isActive == true && !group.roster.isClosed, roster: group.roster,
            book: book, names: names, wallMilliseconds: wallMilliseconds, clock: clock)
    }

    func setting(_ name: String) -> [UInt8]? { settings[name] }
    func setSetting(_ name: String, _ value: [UInt8]?) throws { settings[name] = value }
    func key(of epoch: EpochID, in tour: TourID) -> EpochKey? { epoch == self.epoch.id ? self.epoch : nil }
    func sendingEpoch(in tour: TourID) -> EpochID? { newEpoch ?? epoch.id }
    func sealingKey(in tour: TourID) async throws -> EpochKey { epoch }

    func write(_ body: ControlBody, in tour: TourID) async throws { try await loop.run { try self.append(body) } }

    func write(_ content: Content, in tour: TourID) async throws {
        try await loop.run {
            try self.append { $0.write(content, under: self.epoch, wallMilliseconds: self.wallMilliseconds) }
        }
    }

    func removeGuests(since milliseconds: Int64, from tour: TourID) async throws {
        try await loop.run {
            for guest in self.group.roster.active
            where guest.admittedBySeatHost == self.own && guest.admittedAt.milliseconds >= milliseconds {
                try self.remove(guest.id)
            }
        }
    }

    func endLicences(of member: MemberID, in tour: TourID) async throws {
        try await loop.run {
            for licence in self.group.roster.openLicences(of: member) {
                try self.append(self.group.revokeBody(licence))
            }
            let known = self.book.everWith(member)
            for guest in self.group.roster.active.filter(\.isGuest)
            where known.contains(guest.id) || guest.admittedBySeatHost == member { try self.remove(guest.id) }
        }
    }

    func remover(of member: MemberID, in tour: TourID) -> String? {
        group.remover(of: member).flatMap { $0 == own ? name : names[$0] }
    }

    /// This device's owner takes a guest out.
    func remove(_ member: String) throws {
        if let member = MemberID(hex: member) { try remove(member) }
    }

    private func remove(_ member: MemberID) throws {
        let log = logs[member] ?? []
        let tail = Author.Tail(sequence: UInt64(log.count), id: log.last?.id ?? .none)
        try append(group.removeBody(member, log: group.knownLog(of: member, stored: tail) { log[Int($0) - 1].id }))
        let owed = group.owedLicences(of: own, under: epoch) { .random(count: SigningKeyPair.seedBytes) }
        for licence in owed { try append(licence) }
    }

    func beginEpoch(for newcomer: MemberID, in tour: TourID) async {}

    func tail(of member: MemberID, in tour: TourID) -> Author.Tail? {
        guard waiting?.contains(where: { $0.author == member }) != true else { return nil }
        let last = logs[member]?.last
        return Author.Tail(sequence: last?.header.sequence ?? 0, id: last?.id ?? .none)
    }

    func event(_ tour: TourID, of member: MemberID, at sequence: UInt64) -> Event? {
        logs[member]?.first { $0.header.sequence == sequence }
    }

    func hasRoom(for event: Event, in tour: TourID) -> Bool { true }

    func deliver(_ run: Run, in tour: TourID) {
        guard waiting == nil else { return waiting?.append(run) ?? () }
        guard let identity = group.roster.members[run.author]?.identity,
            let sound = try? VerifiedRun(run, tour: tour, identity: identity)
        else { return }
        _ = group.add(verified: sound.events)
        store(sound.events)
    }

    func claim(_ blob: BlobID, for event: EventID, in tour: TourID) throws {}

    func rowFacts(of member: MemberID, has: Frontier, read: LogicalClock, in tour: TourID) -> SeatRows.Facts? {
        SeatRows.Facts(
            has: has, known: [:], stated: [:], settled: nil, read: read, members: group.roster.people.count)
    }

    func stated(by member: MemberID, of author: MemberID, in tour: TourID) -> UInt64 {
        stated[member]?[author] ?? 0
    }

    func publish(_ claim: VerifiedClaim, in tour: TourID) { rows.append(claim.claim.member) }

    func frontier(of tour: TourID) -> Frontier { Frontier(logs.mapValues { UInt64($0.count) }) }

    func member(named name: String, in tour: TourID) throws -> MemberID {
        guard let member = MemberID(hex: name) else { throw NodeError.unknownMember(name) }
        return member
    }

    func place(of id: String, as member: MemberID, in tour: TourID) -> UInt64? {
        EventID(hex: id).flatMap { id in logs[member]?.first { $0.id == id }?.header.sequence }
    }

    func programme(of tour: TourID) async -> GuestProgramme? { nil }

    func content(of act: SeatAct, by member: MemberID, in tour: TourID) throws -> SeatContent {
        switch act {
        case .text(let text, _), .alarm(let text, _, _): .content(.text(text, replyTo: nil), nil)
        case .leave: .leave
        default: throw Refused()
        }
    }

    func picture(
        _ path: String, caption: String, replyTo: String?, by member: MemberID, in tour: TourID
    ) async throws -> SeatContent { throw Refused() }
}
