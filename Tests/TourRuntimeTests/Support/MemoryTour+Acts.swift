import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

// What members do, and what tests ask for.
extension MemoryTour {
    static func keys(using rng: inout SplitMix64) throws -> MemberKeys {
        guard let link = LinkKeyPair(secret: SecretBytes(rng.bytes(LinkKeyPair.secretBytes))),
            let wrapping = WrappingKeyPair(secret: SecretBytes(rng.bytes(WrappingKeyPair.secretBytes)))
        else { throw Missing() }
        let identity = SigningKeyPair(seed: SecretBytes(rng.bytes(SigningKeyPair.seedBytes)))
        return MemberKeys(identity: identity, link: link, wrapping: wrapping)
    }

    static func admission(of keys: MemberKeys, under invite: InviteSecret, tour: TourID) -> ControlBody {
        .admit(
            JoinRequest.signed(
                identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
                invite: invite.invitePair, tour: tour,
                handshakeHash: [UInt8](repeating: 0, count: JoinRequest.handshakeHashLength)))
    }

    /// Leaves the effects with these names to the test, on every device.
    func hold(_ names: String...) { held.formUnion(names) }

    /// Carries out the effects with these names again, from now on.
    func release(_ names: String...) { held.subtract(names) }

    /// The keys of a device that nobody has admitted.
    func stranger() throws -> MemberKeys { try Self.keys(using: &rng) }

    /// The peer of a link, as its handshake shows it.
    /// - Parameter kind: nil: a member.
    func peer(of keys: MemberKeys, as kind: LinkPeer.Kind? = nil, epoch: EpochID? = nil) -> LinkPeer {
        LinkPeer(
            tour: tour, kind: kind ?? .member(keys.memberID), linkKey: keys.link.publicKey, handshakeHash: [],
            epoch: epoch, isInitiator: true)
    }

    /// Opens a link to a member that the test plays.
    @discardableResult
    func link(_ device: Int, toward other: Int) -> LinkID { link(device, toward: devices[other].keys) }

    // MARK: - Acts

    /// A device writes a control event.
    /// - Returns: the event; nil if the device cannot write.
    @discardableResult
    func write(_ device: Int, _ body: ControlBody, governs: Bool = false) -> Event? {
        guard let own = (try? compose(device, governs: governs) { [$0.write(body, wallMilliseconds: $1)] }) ?? nil
        else { return nil }
        finish(own, device)
        return own.events.first
    }

    /// A device admits another.
    @discardableResult
    func admit(_ keys: MemberKeys, by device: Int) throws -> Event {
        try #require(write(device, Self.admission(of: keys, under: invite, tour: tour)))
    }

    /// A leader removes a member.
    @discardableResult
    func remove(_ target: Int, by device: Int) throws -> Event {
        let id = devices[target].id
        let log = devices[device].logs[id] ?? []
        let tail = log.last.map { Author.Tail(sequence: $0.header.sequence, id: $0.id) }
        let known = devices[device].machine.group.knownLog(
            of: id, stored: tail ?? Author.Tail(sequence: 0, id: .none)
        ) { log[Int($0) - 1].id }
        let body = devices[device].machine.group.removeBody(id, log: known)
        return try #require(write(device, body, governs: true))
    }

    /// A member writes a message.
    @discardableResult
    func write(_ device: Int, text: String) throws -> Event {
        let own = try #require(try draft(device, text: text))
        finish(own, device)
        return own.events[0]
    }

    /// Signs a message of a member, which `finish` stores.
    func draft(_ device: Int, text: String) throws -> OwnEvents? {
        let epoch = try #require(devices[device].machine.group.currentEpoch)
        return try compose(device) {
            [$0.write(.text(text, replyTo: nil), under: epoch, wallMilliseconds: $1)]
        }
    }

    /// The writing end of a member's log, as an intruder with its keys has it.
    /// - Parameter last: the event behind which it writes; nil: at the beginning.
    func forger(of device: Int, behind last: Event? = nil) -> Author {
        Author(
            identity: devices[device].keys.identity, tour: tour,
            tail: Author.Tail(sequence: last?.header.sequence ?? 0, id: last?.id ?? .none),
            clock: LogicalClock(milliseconds: Self.startMilliseconds))
    }

    /// Messages of a member that no device has.
    func texts(
        _ count: Int, of device: Int, behind last: Event? = nil, saying text: String = "so far"
    ) throws -> [Event] {
        let epoch = try #require(devices[device].machine.group.currentEpoch)
        var author = forger(of: device, behind: last)
        return (0..<count).map {
            author.write(
                .text("\(text) \($0)", replyTo: nil), under: epoch, wallMilliseconds: Self.startMilliseconds)
        }
    }

    /// The device writes a new epoch, if it may.
    func rekey(_ device: Int) {
        let (key, time) = (SecretBytes(rng.bytes(EpochKey.keyBytes)), reading(device))
        let rekey = call(device) { try? $0.rekeyBody(key: key, at: time) }
        let event = rekey.flatMap { write(device, $0.body, governs: $0.isRemoval) }
        feed(device, .rekeyed(isWritten: event != nil))
    }

    func publishWrappingKey(_ device: Int) {
        let (bytes, time) = (rng.bytes(WrappingKeyPair.secretBytes), reading(device))
        guard let fresh = WrappingKeyPair(secret: SecretBytes(bytes)) else { return }
        let key = call(device) { $0.prepareWrappingKey(at: time) { fresh } }
        write(device, .wrappingKey(key))
        feed(device, .publishedKey)
    }

    func makeInvite(_ device: Int) {
        defer { feed(device, .madeInvite) }
        let group = devices[device].machine.group
        guard let epoch = group.keyring.sending, let secret = InviteSecret(seed: rng.bytes(InviteSecret.seedBytes))
        else { return }
        write(device, group.inviteBody(secret, uses: 0, expiresAt: nil, under: epoch), governs: true)
    }

    // MARK: - Rows

    /// A member's row, signed.
    /// - Parameter signer: nil: the member itself.
    func row(of device: Int, counter: UInt64, signedBy signer: Int? = nil, isAsleep: Bool = false) -> ClaimRow {
        let row = FrontierClaim(member: devices[device].id, counter: counter, heads: [], isAsleep: isAsleep).encode()
        let digest = ClaimSigner.digest(row, of: devices[device].id, tour: tour)
        let signature = devices[signer ?? device].keys.identity.sign(digest)
        return ClaimRow(row: row, signature: signature, hops: 0)
    }

    /// The counter of a row that is signed now, by the right time.
    var rightCounter: UInt64 {
        UInt64(Self.startMilliseconds * 1_000 + (now - Self.start).microseconds)
    }

    // MARK: - Looking

    /// Reads what the device's store holds.
    func stored(by device: Int) -> StoredLogs {
        StoredLogs(
            heads: devices[device].logs.compactMapValues { log in log.last.map { ($0.header.sequence, $0.id) } },
            sizes: devices[device].logs.mapValues { log in
                log.reduce(into: .zero) { $0.add($1.header.eventClass, byteCount: $1.bytes.count) }
            }, ahead: [])
    }

    /// What a device's store holds at the places of a question.
    func branch(known question: ForkQuestion, to device: Int) -> [Event] {
        switch question.known {
        case .events(let events): events
        case .stored(let places):
            (devices[device].logs[question.author] ?? []).filter { places.contains($0.header.sequence) }
        }
    }

    /// How often the device's machine asked for an effect of this name.
    func count(_ name: String, _ device: Int) -> Int { devices[device].effects.count { $0.name == name } }

    /// The messages that the device's machine sent on a link, those that it owes left out.
    func sent(_ device: Int, on link: LinkID) -> [LinkMessage] { devices[device].effects.sent(on: link) }

    /// Does to a fresh machine what was done to a device's.
    /// - Returns: what it asks for, in words.
    func replay(_ device: Int) -> [String] {
        var machine = TourMachine(devices[device].start)
        return devices[device].journal.flatMap { $0(&machine) }.map(\.words)
    }
}

extension SplitMix64 {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

extension TourEffect {
    /// The case's name.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }

    /// Everything in it, in one order.
    var words: String {
        switch self {
        case .keepControls(let events, let dropped): "keep \(events.map(\.id)), \(dropped.sorted())"
        case .loadActs(let authors): "load \(authors.sorted())"
        case .keysLearnt(let epochs): "learnt \(epochs.sorted())"
        // What a claim implies has no order.
        case .claimed(let claim): "claimed \(claim.row), \(claim.claim.heads.map { "\($0)" }.sorted())"
        default: "\(self)"
        }
    }
}

extension [TourEffect] {
    /// The names of the effects, in order.
    var names: [String] { map(\.name) }

    func count(_ name: String) -> Int { count { $0.name == name } }

    func sent(on link: LinkID) -> [LinkMessage] {
        compactMap { if case .send(link, let message) = $0 { message } else { nil } }
    }

    /// The runs that are to be verified.
    var runChecks: [RunCheck] { compactMap { if case .verify(let check) = $0 { check } else { nil } } }

    /// The runs that are to be stored.
    var runsToStore: [VerifiedRun] { compactMap { if case .store(let run) = $0 { run } else { nil } } }

    /// The claims that are to be verified.
    var claimChecks: [ClaimCheck] { compactMap { if case .verifyClaims(let check) = $0 { check } else { nil } } }

    /// Which links are to be read, or no longer.
    var readings: [LinkID: Bool] {
        reduce(into: [:]) { if case .setReading(let link, let isReading) = $1 { $0[link] = isReading } }
    }

    /// The links that are closed, each with its reason.
    var closed: [LinkID: ByeReason] {
        reduce(into: [:]) { if case .close(let link, let reason) = $1 { $0[link] = reason } }
    }

    /// The links that are owed something.
    var owing: Set<LinkID> { reduce(into: []) { if case .sendOwed(let link) = $1 { $0.insert(link) } } }
}

extension [LinkMessage] {
    /// The control events in these messages.
    var controls: [[UInt8]] { flatMap { if case .control(let events) = $0 { events } else { [[UInt8]]() } } }

    /// The epochs that these messages ask for, by message.
    var asked: [[EpochID]] { compactMap { if case .epochAsk(let epochs) = $0 { epochs } else { nil } } }
}

/// A value that a test needs is not there.
struct Missing: Error {}
