import FuzzSupport
import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourWire

/// A link machine whose peer holds the keys and says what the input says, encrypted as it should be: so everything
/// behind the handshake is reached. Whatever the machine answers can be read.
enum LinkPeerHarness {
    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        let isJoin = program.flag()
        let isMachineDialling = program.flag()
        var machine =
            isMachineDialling
            ? LinkSide(dialling: isJoin ? .join(FuzzTour.ticket(2)) : .member(FuzzTour.credential(.of(2))))
            : LinkSide(accepting: [isJoin ? FuzzTour.inviteCredential(.of(2)) : FuzzTour.credential(.of(2))])
        let standings: [PeerStanding] = [
            .members([FuzzTour.memberKeys(3).memberID]), .unknown, .former([FuzzTour.memberKeys(3).memberID]),
            .members([FuzzTour.memberKeys(4).memberID]),
        ]
        machine.standing = standings[program.number(below: standings.count)]
        let secret = isJoin ? FuzzTour.invite(1).joinSecret : FuzzTour.memberSecret
        guard
            var puppet = isMachineDialling
                ? Puppet(answering: &machine, secret: secret) : Puppet(dialling: &machine, secret: secret)
        else { return check(machine.hasEnded, "an honest handshake failed") }
        puppet.read(machine.written())
        var steps = 0
        while !program.isAtEnd, !machine.hasEnded, steps < 200 {
            steps += 1
            step(&program, &machine, &puppet, isJoin: isJoin, isMachineDialling: isMachineDialling)
        }
        puppet.read(machine.written())
        check(
            machine.messages.isEmpty || machine.machine.isOpen || machine.hasEnded, "a message before the link opened")
    }

    private static func step(
        _ program: inout ByteProgram, _ machine: inout LinkSide, _ puppet: inout Puppet, isJoin: Bool,
        isMachineDialling: Bool
    ) {
        switch program.number(below: 9) {
        case 0: puppet.say(plaintext: program.chunk(), to: &machine)
        case 1: puppet.say(program.chunk(), lane: program.number(below: Lane.allCases.count), to: &machine)
        case 2:
            let message =
                isJoin && !isMachineDialling
                ? puppet.request() : puppet.bind(role: isMachineDialling ? .responder : .initiator, isJoin: isJoin)
            puppet.say(message.encode(), lane: 0, to: &machine)
        case 3: machine.receive(program.chunk())
        case 4: machine.tick(after: .milliseconds(Int(program.byte()) * 100))
        case 5:
            let head = TaggedHead(prefix: program.sequence(), sequence: program.sequence(), tag: 3)
            machine.enqueue(.have(Have(salt: 4, heads: [head])))
        case 6: puppet.read(machine.written(budget: Int(program.byte()) * 64))
        case 7: machine.recognise()
        default: machine.recordLifeElsewhere()
        }
    }
}

/// The peer: an honest handshake, then whatever it is told to say.
struct Puppet: ~Copyable {
    private var transport: TransportState
    private var reader = FrameReader()
    private var reassembly = Reassembly()
    private static let keys = FuzzTour.linkKeys(3)

    /// - Returns: nil when the machine ended the handshake.
    init?(dialling machine: inout LinkSide, secret: SecretBytes) {
        let hello = Hello(secret: secret, salt: [UInt8](repeating: 9, count: Hello.saltLength))
        var handshake = Self.handshake(.initiator, hello, secret)
        guard let first = try? handshake.writeMessage() else { return nil }
        machine.receive(FrameReader.frame(hello.bytes) + FrameReader.frame(first))
        reader.feed(machine.written())
        guard let second = try? reader.next(), (try? handshake.readMessage(second)) != nil,
            let third = try? handshake.writeMessage()
        else { return nil }
        machine.receive(FrameReader.frame(third))
        guard !machine.hasEnded else { return nil }
        transport = handshake.transport()
    }

    /// - Returns: nil when the machine ended the handshake.
    init?(answering machine: inout LinkSide, secret: SecretBytes) {
        reader.feed(machine.written())
        guard let bytes = try? reader.next(), let hello = try? Hello(decoding: bytes), let first = try? reader.next()
        else { return nil }
        var handshake = Self.handshake(.responder, hello, secret)
        guard (try? handshake.readMessage(first)) != nil, let second = try? handshake.writeMessage() else { return nil }
        machine.receive(FrameReader.frame(second))
        reader.feed(machine.written())
        guard let third = try? reader.next(), (try? handshake.readMessage(third)) != nil else { return nil }
        transport = handshake.transport()
    }

    private static func handshake(
        _ role: HandshakeState.Role, _ hello: Hello, _ secret: SecretBytes
    ) -> HandshakeState {
        HandshakeState(pattern: .XXpsk0, role: role, prologue: hello.prologue, psk: secret, localStatic: keys.link)
    }

    mutating func say(plaintext: [UInt8], to machine: inout LinkSide) {
        guard let frame = try? transport.encrypt(plaintext) else { return check(false, "a frame was not encrypted") }
        machine.receive(FrameReader.frame(frame))
    }

    mutating func say(_ message: [UInt8], lane: Int, to machine: inout LinkSide) {
        for slice in Slice.slices(of: message, lane: Lane.allCases[lane]) {
            say(plaintext: slice.encode(), to: &machine)
        }
    }

    /// Reads everything that the machine wrote; the end of it may be missing.
    mutating func read(_ stream: [UInt8]) {
        reader.feed(stream)
        do {
            while let frame = try reader.next() {
                let slice = try Slice(decoding: try transport.decrypt(frame))
                guard let message = try reassembly.add(slice) else { continue }
                check(try LinkMessage.decode(message) != nil, "a machine says what it does not know")
            }
        } catch { check(false, "what a machine writes cannot be read: \(error)") }
    }

    func bind(role: HandshakeState.Role, isJoin: Bool) -> LinkMessage {
        let claim = BindMessage.claim(
            handshakeHash: transport.handshakeHash, role: role, tour: FuzzTour.tour,
            linkKey: Self.keys.link.publicKey)
        return .bind(
            BindMessage(
                identity: Self.keys.identity.publicKey, signature: Self.keys.identity.sign(claim.bytes),
                datagramShare: .zero, genesis: isJoin ? FuzzTour.genesis : nil))
    }

    func request() -> LinkMessage {
        .joinRequest(
            .signed(
                identity: Self.keys.identity, linkKey: Self.keys.link.publicKey,
                wrappingKey: FuzzTour.memberKeys(3).wrapping.publicKey, invite: FuzzTour.invite(1).invitePair,
                tour: FuzzTour.tour, handshakeHash: transport.handshakeHash))
    }
}
