import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// One tour as its links see it: the secrets, the keys of some members, and a virtual clock.
final class World {
    let genesis: [UInt8]
    let tour: TourID
    let memberSecret = SecretBytes([UInt8](repeating: 0x11, count: 32))
    let invite = InviteSecret(seed: [UInt8](repeating: 0x22, count: 16))!
    var now = Instant(microseconds: 1_000_000)

    init(genesis: [UInt8] = [1, 2, 3, 4]) {
        self.genesis = genesis
        tour = TourID(genesis: genesis)
    }

    static func keys(_ name: UInt8) -> LinkKeys {
        LinkKeys(
            identity: SigningKeyPair(seed: SecretBytes([UInt8](repeating: name, count: 32))),
            link: LinkKeyPair(secret: SecretBytes([UInt8](repeating: name &+ 100, count: 32)))!)
    }

    func credential(_ keys: LinkKeys) -> LinkCredential {
        LinkCredential(tour: tour, purpose: .member, secret: memberSecret, keys: keys, genesis: genesis)
    }

    func inviteCredential(_ keys: LinkKeys) -> LinkCredential {
        LinkCredential(
            tour: tour, purpose: .invite(invite.invitePair.publicKey), secret: invite.joinSecret, keys: keys,
            genesis: genesis)
    }

    func ticket(_ keys: LinkKeys, tour other: TourID? = nil) -> JoinTicket {
        JoinTicket(
            secret: invite, tourPrefix: Array((other ?? tour).bytes.prefix(16)), keys: keys,
            wrappingKey: WrappingKeyPair(secret: SecretBytes([UInt8](repeating: 5, count: 32)))!.publicKey)
    }
}

/// A link machine with its surroundings: what it wrote, what it read, and why it ended.
final class Peer {
    let world: World
    var machine: LinkMachine
    var salts = HelloGuard()
    var roster: [LinkKey: PeerStanding] = [:]
    var credentials: [LinkCredential] = []
    private(set) var met: [LinkKey] = []
    private(set) var opened: [LinkPeer] = []
    private(set) var asking: [AskLink] = []
    private(set) var messages: [LinkMessage] = []
    private(set) var fault: LinkFault?
    /// Written and not taken yet.
    private(set) var outgoing: [UInt8] = []

    /// The side that was dialled.
    init(
        _ world: World, credentials: [LinkCredential], knows: [LinkKeys] = [], from address: String = "10.0.0.1"
    ) {
        self.world = world
        self.credentials = credentials
        machine = LinkMachine(acceptedAt: world.now, from: address)
        learn(knows)
    }

    /// The side that dials, with a salt of its own for each number.
    init(_ world: World, dialling intent: DialIntent, salt: UInt32 = 1, knows: [LinkKeys] = []) {
        self.world = world
        var outputs = [LinkMachine.Output]()
        let salt = withUnsafeBytes(of: salt) { [UInt8](repeating: 3, count: Hello.saltLength - 4) + $0 }
        machine = LinkMachine(dialling: intent, salt: salt, now: world.now, into: &outputs)
        take(outputs)
        learn(knows)
    }

    var isOpen: Bool { machine.isOpen }
    var isRestricted: Bool { machine.isRestricted }
    var queuedBytes: Int { machine.queuedBytes }

    func isSpent(now: Instant) -> Bool { machine.isSpent(now: now) }

    func learn(_ members: [LinkKeys]) {
        for keys in members {
            roster[keys.link.publicKey] = .members([MemberID(identity: keys.identity.publicKey)])
        }
    }

    private var surroundings: LinkMachine.Surroundings {
        LinkMachine.Surroundings(
            now: world.now, standing: { [unowned self] _, key in roster[key] ?? .unknown },
            credentials: { [unowned self] in credentials })
    }

    func receive(_ bytes: [UInt8]) {
        guard fault == nil else { return }
        var outputs = [LinkMachine.Output]()
        let surroundings = surroundings
        do { try machine.receive(bytes, in: surroundings, guarding: &salts, into: &outputs) } catch { fault = error }
        take(outputs)
    }

    func tick(through last: Lane = .blobs) {
        guard fault == nil else { return }
        do { try machine.tick(now: world.now) } catch { fault = error }
        drain(through: last)
    }

    func send(_ message: LinkMessage) { machine.enqueue(message) }

    func recordLifeElsewhere(quietMax: Duration = Limits.heardQuietMax) {
        machine.recordLifeElsewhere(at: world.now, quietMax: quietMax)
    }

    func drain(through last: Lane = .blobs, budget: Int = .max) {
        var outputs = [LinkMachine.Output]()
        do {
            try machine.drain(through: last, budget: budget, now: world.now, into: &outputs)
        } catch { fault = error }
        take(outputs)
    }

    /// What the machine wants written.
    func written(through last: Lane = .blobs) -> [UInt8] {
        drain(through: last)
        defer { outgoing = [] }
        return outgoing
    }

    func readMessages() -> [LinkMessage] {
        defer { messages = [] }
        return messages
    }

    private func take(_ outputs: [LinkMachine.Output]) {
        for output in outputs {
            switch output {
            case .write(let bytes): outgoing += bytes
            case .met(_, let key):
                #expect(opened.isEmpty, "met after the link opened")
                met.append(key)
            case .opened(let peer): opened.append(peer)
            case .openedForAsking(let link): asking.append(link)
            case .message(let message):
                #expect(!opened.isEmpty || !asking.isEmpty, "a message before the link opened")
                messages.append(message)
            }
        }
    }

    /// Carries bytes both ways until nobody has anything to say.
    static func pump(_ first: Peer, _ second: Peer, pieces: Int = .max) {
        while true {
            let forth = first.written()
            let back = second.written()
            if forth.isEmpty, back.isEmpty { return }
            deliver(forth, to: second, pieces)
            deliver(back, to: first, pieces)
        }
    }

    private static func deliver(_ bytes: [UInt8], to peer: Peer, _ pieces: Int) {
        guard pieces < bytes.count else { return peer.receive(bytes) }
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            peer.receive(Array(bytes[start..<min(start + pieces, bytes.count)]))
        }
    }
}

/// Somebody who speaks Noise by hand and says what no machine of ours would say.
final class Adversary {
    private var transport: TransportState
    private var reassembly = Reassembly()
    let handshakeHash: [UInt8]
    let remoteStatic: LinkKey

    private init(_ transport: consuming TransportState) {
        handshakeHash = transport.handshakeHash
        remoteStatic = transport.remoteStatic
        self.transport = transport
    }

    /// Dials a responder up to message 3.
    static func dial(_ peer: Peer, secret: SecretBytes, link: LinkKeyPair, salt: UInt8 = 77) throws -> Adversary {
        let hello = Hello(secret: secret, salt: [UInt8](repeating: salt, count: 16))
        var handshake = HandshakeState(
            pattern: .XXpsk0, role: .initiator, prologue: hello.prologue, psk: secret, localStatic: link)
        peer.receive(FrameReader.frame(hello.bytes) + FrameReader.frame(try handshake.writeMessage()))
        let answer = try #require(frames(peer.written()).first)
        _ = try handshake.readMessage(answer)
        peer.receive(FrameReader.frame(try handshake.writeMessage()))
        return Adversary(handshake.transport())
    }

    /// Answers an initiator up to message 3.
    static func answer(_ peer: Peer, secret: SecretBytes, link: LinkKeyPair) throws -> Adversary {
        let flight = try frames(peer.written())
        let hello = try Hello(decoding: flight[0])
        var handshake = HandshakeState(
            pattern: .XXpsk0, role: .responder, prologue: hello.prologue, psk: secret, localStatic: link)
        _ = try handshake.readMessage(flight[1])
        peer.receive(FrameReader.frame(try handshake.writeMessage()))
        let rest = try frames(peer.written())
        _ = try handshake.readMessage(try #require(rest.first))
        let adversary = Adversary(handshake.transport())
        // The peer's first bind, if it sent one.
        for frame in rest.dropFirst() { _ = try adversary.transport.decrypt(frame) }
        return adversary
    }

    static func frames(_ bytes: [UInt8]) throws -> [[UInt8]] {
        var reader = FrameReader()
        reader.feed(bytes)
        var frames = [[UInt8]]()
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    /// The frames of a message; each uses up a nonce, so they must be delivered, and in this order.
    func frames(_ message: LinkMessage) throws -> [[UInt8]] {
        try Slice.slices(of: message.encode(), lane: message.lane).map { try frame(plaintext: $0.encode()) }
    }

    func frame(plaintext: [UInt8]) throws -> [UInt8] { FrameReader.frame(try transport.encrypt(plaintext)) }

    func send(_ message: LinkMessage, to peer: Peer) throws {
        for frame in try frames(message) { peer.receive(frame) }
    }

    func read(from peer: Peer) throws -> [LinkMessage] {
        try Self.frames(peer.written()).compactMap {
            guard let bytes = try reassembly.add(try Slice(decoding: try transport.decrypt($0))) else { return nil }
            return try LinkMessage.decode(bytes)
        }
    }

    /// A bind for this channel, with any part of what is signed replaced.
    func bind(
        _ keys: LinkKeys, role: HandshakeState.Role, tour: TourID, linkKey: LinkKey? = nil,
        handshakeHash: [UInt8]? = nil, genesis: [UInt8]? = nil
    ) -> LinkMessage {
        let claim = BindMessage.claim(
            handshakeHash: handshakeHash ?? self.handshakeHash, role: role, tour: tour,
            linkKey: linkKey ?? keys.link.publicKey)
        return .bind(
            BindMessage(
                identity: keys.identity.publicKey, signature: keys.identity.sign(claim.bytes), datagramShare: .zero,
                genesis: genesis))
    }
}
