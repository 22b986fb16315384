import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// A tour made of fixed keys, and members who write its control events.
struct Party {
    static let wall: Int64 = 1_767_225_600_000
    static let fix: Fix = {
        guard let place = Coordinate(latitude: 488_584_000, longitude: 22_945_000), let fix = Fix(place) else {
            preconditionFailure("the sample is in range")
        }
        return fix
    }()

    static func keys(_ number: Int) -> MemberKeys {
        func bytes(_ kind: UInt8) -> [UInt8] {
            [kind] + (0..<31).map { UInt8(truncatingIfNeeded: number >> ($0 % 3 * 8)) &+ UInt8($0) }
        }
        return MemberKeys(
            identity: SigningKeyPair(seed: SecretBytes(bytes(1))), link: LinkKeyPair(secret: SecretBytes(bytes(2)))!,
            wrapping: WrappingKeyPair(secret: SecretBytes(bytes(3)))!)
    }

    static func invite(_ number: UInt8) -> InviteSecret { InviteSecret(seed: [UInt8](repeating: number, count: 16))! }

    let creatorKeys: MemberKeys
    let epochKey: SecretBytes
    let founding: Founding
    var creator: Author
    private(set) var authors: [Int: Author] = [:]
    /// What `write` made, by the number of its author; 0: the creator.
    private var written: [Int: [Event]] = [:]

    init(creator number: Int = 1, salt: UInt8 = 1, fullHistory: Bool = true) {
        creatorKeys = Self.keys(number)
        epochKey = SecretBytes([UInt8](repeating: salt &+ 60, count: 32))
        founding = Founding(
            keys: creatorKeys, epochKey: epochKey, fullHistory: fullHistory, salt: [UInt8](repeating: salt, count: 16),
            wallMilliseconds: Self.wall)
        creator = founding.author
    }

    var tour: TourID { founding.group.tour }
    var epoch: EpochKey { founding.epoch }
    var genesis: [UInt8] { founding.group.genesisEvent.bytes }

    /// A group that knows the genesis and its key only.
    var fresh: TourGroup { founding.group }

    static func id(_ number: Int) -> MemberID { keys(number).memberID }

    /// The log of a member, which starts when first used.
    func author(_ number: Int) -> Author {
        authors[number]
            ?? Author(
                identity: Self.keys(number).identity, tour: tour, tail: .init(sequence: 0, id: .none), clock: .zero)
    }

    mutating func write(_ body: ControlBody, by number: Int? = nil, at milliseconds: Int64 = 0) -> Event {
        var author = number.map { self.author($0) } ?? creator
        let event = author.write(body, wallMilliseconds: Self.wall + milliseconds)
        if let number { authors[number] = author } else { creator = author }
        written[number ?? 0, default: []].append(event)
        return event
    }

    /// A member says something: the place is taken, and there is no control event there.
    mutating func say(by number: Int) {
        var author = author(number)
        _ = author.write(Content.text("Here", replyTo: nil), under: epoch, wallMilliseconds: Self.wall)
        authors[number] = author
    }

    /// Signs a control event for a place of a log where another event stands.
    func dateBack(_ body: ControlBody, by number: Int, to place: UInt64, at milliseconds: Int64 = 0) -> Event {
        var author = author(number)
        let previous = written[number, default: []].last { $0.header.sequence < place }?.id
        author.rewind(to: .init(sequence: place - 1, id: previous ?? .none))
        return author.write(body, wallMilliseconds: Self.wall + milliseconds)
    }

    /// All of a log up to this place.
    func log(_ number: Int, through tail: Author.Tail) -> KnownLog {
        let events = written[number, default: []].filter { $0.header.sequence <= tail.sequence }
        return KnownLog(tail: tail, controls: Set(events.map(\.id)))
    }

    mutating func open(_ invite: InviteSecret, uses: UInt32 = 0) -> Event {
        write(founding.group.inviteBody(invite, uses: uses, expiresAt: nil, under: epoch))
    }

    func request(_ keys: MemberKeys, _ invite: InviteSecret, tour other: TourID? = nil) -> JoinRequest {
        .signed(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite.invitePair, tour: other ?? tour, handshakeHash: [UInt8](repeating: 3, count: 64))
    }

    /// `member` lets `newcomer` in; nil is the creator.
    mutating func admit(
        _ newcomer: Int, _ invite: InviteSecret, by member: Int? = nil, at milliseconds: Int64 = 0
    ) -> Event {
        write(.admit(request(Self.keys(newcomer), invite)), by: member, at: milliseconds)
    }

    /// Where a log ends that `write` made; nil is the creator's.
    func tail(_ number: Int?) -> Author.Tail { number.map { author($0).tail } ?? creator.tail }

    /// `member` gives a rank, having seen these events and the target's log up to `after`, or all of it.
    mutating func role(
        _ target: Int, _ rank: Rank, by member: Int? = nil, seeing events: [Event], after: UInt64? = nil
    ) -> Event {
        let end = after.map { Author.Tail(sequence: $0, id: .none) } ?? tail(target)
        let body = group(of: events).roleBody(Self.id(target), rank, log: log(target, through: end))
        return write(body, by: member)
    }

    /// `member` removes somebody, having seen these events and the target's log up to `tail`, or all of it.
    mutating func remove(
        _ target: Int, by member: Int? = nil, seeing events: [Event], tail: Author.Tail? = nil
    ) -> Event {
        let log = log(target, through: tail ?? self.tail(target))
        return write(group(of: events).removeBody(Self.id(target), log: log), by: member)
    }

    func group(of events: [Event]) -> TourGroup {
        var group = fresh
        _ = group.add(controls: events.map(\.bytes))
        return group
    }
}

/// The same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
