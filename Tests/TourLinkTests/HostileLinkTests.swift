import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: whatever comes on a connection, nobody but a member is let in, nobody without a secret hears a byte, and bad
/// bytes end with a typed fault. Method: flipped, cut, replayed and reordered bytes; an adversary with stolen parts.
struct HostileLinkTests {
    private let world = World()
    private let anna = World.keys(1)
    private let ben = World.keys(2)
    private let eve = World.keys(3)

    private func dialler() -> Peer {
        Peer(world, dialling: .member(world.credential(anna)), knows: [anna, ben])
    }

    private func responder() -> Peer {
        Peer(world, credentials: [world.credential(ben), world.inviteCredential(ben)], knows: [anna, ben])
    }

    @Test func strangerHearsNothing() {
        var stranger = world.credential(eve)
        stranger.secret = SecretBytes([UInt8](repeating: 0x99, count: 32))
        let here = Peer(world, dialling: .member(stranger))
        let there = responder()
        there.receive(here.written())
        #expect(there.fault == .stranger)
        #expect(there.written().isEmpty)
        let nobody = Peer(world, credentials: [])
        nobody.receive(dialler().written())
        #expect(nobody.fault == .stranger)
        #expect(nobody.written().isEmpty)
    }

    @Test func replayedHelloIsRefused() {
        let flight = dialler().written()
        let first = responder()
        first.receive(flight)
        #expect(!first.written().isEmpty)
        let second = responder()
        second.salts = first.salts
        second.receive(flight)
        #expect(second.fault == .replayedHello)
        #expect(second.written().isEmpty)
        // Forgotten after its time.
        world.now = world.now + HelloGuard.saltLifetime + .microseconds(1)
        let third = responder()
        third.salts = second.salts
        third.receive(flight)
        #expect(third.fault == nil)
    }

    @Test func saltsAreBounded() {
        var salts = HelloGuard()
        func salt(_ number: Int) -> [UInt8] {
            var salt = [UInt8](repeating: 0, count: 8)
            salt.append(bigEndian: UInt64(number))
            return salt
        }
        for number in 0..<HelloGuard.saltsMax * 3 {
            let result = salts.isFresh(salt(number)[...], now: world.now)
            #expect(result)
        }
        let newestIsFresh = salts.isFresh(salt(HelloGuard.saltsMax * 3 - 1)[...], now: world.now)
        #expect(!newestIsFresh)
        let keptIsFresh = salts.isFresh(salt(HelloGuard.saltsMax * 2 + 1)[...], now: world.now)
        #expect(!keptIsFresh)
        let oldestIsFresh = salts.isFresh(salt(0)[...], now: world.now)
        #expect(oldestIsFresh)
    }

    @Test func unknownVersionIsRefused() {
        for version in [0, 2, 255] as [UInt8] {
            var flight = dialler().written()
            flight[2] = version
            let there = responder()
            there.receive(flight)
            #expect(there.fault == .unknownVersion)
            #expect(there.written().isEmpty)
        }
    }

    @Test func aHelloBelongsToItsHandshake() {
        let pendingRuns = [UInt32(1), 2].map { salt in
            Peer(world, dialling: .member(world.credential(anna)), salt: salt, knows: [anna, ben]).written()
        }
        for (hello, message, fault) in [(0, 0, nil), (0, 1, .handshakeFailed)] as [(Int, Int, LinkFault?)] {
            let there = responder()
            there.receive(Array(pendingRuns[hello].prefix(35) + pendingRuns[message].dropFirst(35)))
            #expect(there.fault == fault)
            #expect(there.written().isEmpty == (fault != nil))
        }
    }

    @Test func helloOfAnotherLengthIsRefused() {
        for count in [1, 32, 34, 1_000] {
            let there = responder()
            there.receive(FrameReader.frame([1] + [UInt8](repeating: 0, count: count - 1)))
            #expect(there.fault == .malformed)
        }
        let there = responder()
        there.receive([0, 0])
        #expect(there.fault == .malformed)
    }

    @Test func everyByteOfTheFirstFlightCounts() {
        let flight = dialler().written()
        #expect(flight.count == 2 + 33 + 2 + 48)
        for index in flight.indices {
            for mask in [0x01, 0x80] as [UInt8] {
                var changed = flight
                changed[index] ^= mask
                let there = responder()
                there.receive(changed)
                #expect(there.written().isEmpty, "byte \(index)")
                #expect(!there.isOpen)
                // A changed length may leave it waiting, but not for long.
                world.now = world.now + .seconds(6)
                there.tick()
                #expect(there.fault != nil)
            }
        }
    }

    @Test func everyTruncationWaitsAndThenEnds() {
        let flight = dialler().written()
        for count in 0..<flight.count {
            let there = responder()
            there.receive(Array(flight.prefix(count)))
            #expect(there.fault == nil)
            #expect(there.written().isEmpty)
            world.now = world.now + .seconds(6)
            there.tick()
            #expect(there.fault == .handshakeTimeout)
        }
    }

    @Test func everyByteOfTheAnswerCounts() {
        let here = dialler()
        let there = responder()
        there.receive(here.written())
        let count = there.written().count
        #expect(count == 2 + 96)
        for index in 2..<count {
            let here = dialler()
            let there = responder()
            there.receive(here.written())
            var answer = there.written()
            answer[index] ^= 1
            here.receive(answer)
            #expect(here.fault == .handshakeFailed)
            #expect(here.written().isEmpty, "our key was shown after a changed byte \(index)")
        }
    }

    @Test func everyByteOfTheThirdMessageAndTheBindCounts() {
        var count = 2
        var index = 0
        while index < count {
            let here = dialler()
            let there = responder()
            there.receive(here.written())
            here.receive(there.written())
            var flight = here.written()
            count = flight.count
            if index < 2 || index == 66 || index == 67 {
                index += 1
                continue
            }
            flight[index] ^= 1
            there.receive(flight)
            #expect(there.fault == (index < 66 ? .handshakeFailed : .decryptionFailed), "byte \(index)")
            #expect(there.opened.isEmpty)
            index += 1
        }
        #expect(count == 2 + 64 + 2 + 256 + 16)
    }

    @Test func handshakeMessagesOfOtherLengthsAreRefused() {
        for extra in [-1, 1, 500] {
            let here = dialler()
            let there = responder()
            let flight = here.written()
            var message = Array(flight[37...])
            message = extra < 0 ? message.dropLast() : message + [UInt8](repeating: 0, count: extra)
            there.receive(Array(flight[..<35]) + FrameReader.frame(message))
            #expect(there.fault == .handshakeFailed)
            #expect(there.written().isEmpty)
        }
    }

    @Test func bindOfAnotherChannelIsRefused() throws {
        let other = TourID(genesis: [9])
        let earlierLink = try Adversary.dial(responder(), secret: world.memberSecret, link: anna.link)
        typealias Forge = (Adversary) -> LinkMessage
        let forgeries: [(Forge, LinkFault?)] = [
            ({ $0.bind(anna, role: .initiator, tour: world.tour) }, nil),
            ({ _ in earlierLink.bind(anna, role: .initiator, tour: world.tour) }, .badBind),
            ({ $0.bind(anna, role: .responder, tour: world.tour) }, .badBind),
            ({ $0.bind(anna, role: .initiator, tour: other) }, .badBind),
            ({ $0.bind(anna, role: .initiator, tour: world.tour, linkKey: ben.link.publicKey) }, .badBind),
            // A copied link key: Eve holds Anna's link key and binds it by her own identity.
            ({ $0.bind(eve, role: .initiator, tour: world.tour, linkKey: anna.link.publicKey) }, .badBind),
            // Ben's own bind sent back to him.
            ({ $0.bind(ben, role: .responder, tour: world.tour) }, .badBind),
        ]
        for (forge, fault) in forgeries {
            let there = responder()
            let man = try Adversary.dial(there, secret: world.memberSecret, link: anna.link)
            try man.send(forge(man), to: there)
            #expect(there.fault == fault)
            #expect(there.opened.isEmpty == (fault != nil))
        }
    }

    @Test func copiedLinkKeyOfTheResponderIsRefused() throws {
        let here = dialler()
        let man = try Adversary.answer(here, secret: world.memberSecret, link: ben.link)
        try man.send(man.bind(eve, role: .responder, tour: world.tour, linkKey: ben.link.publicKey), to: here)
        #expect(here.fault == .badBind)
        #expect(here.opened.isEmpty)
    }

    @Test func nothingBeforeTheBind() throws {
        let refused: [LinkMessage] = [
            .ping, .have(Have()), .control([]), .controlIndex([]), .rows([]), .bye(.closing), .welcome([]),
            .joinRequest(
                .signed(
                    identity: anna.identity, linkKey: anna.link.publicKey,
                    wrappingKey: world.ticket(anna).wrappingKey, invite: world.invite.invitePair, tour: world.tour,
                    handshakeHash: [UInt8](repeating: 0, count: 64))),
        ]
        for message in refused {
            let there = responder()
            let man = try Adversary.dial(there, secret: world.memberSecret, link: anna.link)
            try man.send(message, to: there)
            #expect(there.fault == .unexpectedMessage)
            #expect(there.opened.isEmpty && there.readMessages().isEmpty)
        }
    }

    /// An open link whose far end says what it likes.
    private func open() throws -> (Adversary, Peer) {
        let there = responder()
        let man = try Adversary.dial(there, secret: world.memberSecret, link: anna.link)
        try man.send(man.bind(anna, role: .initiator, tour: world.tour), to: there)
        #expect(there.opened.count == 1)
        return (man, there)
    }

    @Test func messagesThatOnlyOpenALinkAreRefusedLater() throws {
        for make in [
            { $0.bind(anna, role: .initiator, tour: world.tour) }, { _ in .welcome([]) }, { _ in .joinRefusal(.full) },
        ] as [(Adversary) -> LinkMessage] {
            let (man, there) = try open()
            try man.send(make(man), to: there)
            #expect(there.fault == .unexpectedMessage)
        }
    }

    @Test func badFramesEndTheLink() throws {
        let slice = Slice(lane: .chat, more: false, payload: LinkMessage.prune.encode()[...]).encode()
        var flagged = slice
        flagged[0] |= 0x80
        var padded = slice
        padded[200] = 1
        let cases: [([UInt8], LinkFault)] = [
            (flagged, .malformed), (padded, .malformed), ([], .malformed), (Array(slice.dropLast()), .malformed),
            (Slice(lane: .chat, more: false, payload: [0xFF, 0xFF]).encode(), .malformed),
        ]
        for (plaintext, fault) in cases {
            let (man, there) = try open()
            there.receive(try man.frame(plaintext: plaintext))
            #expect(there.fault == fault)
        }
        for garbage in [[UInt8](repeating: 7, count: 300), [1], [UInt8](repeating: 0, count: 65_535)] {
            let (_, there) = try open()
            there.receive(FrameReader.frame(garbage))
            #expect(there.fault == .decryptionFailed)
        }
    }

    @Test func oversizedMessageEndsTheLink() throws {
        let (man, there) = try open()
        let slice = Slice(lane: .catchUp, more: true, payload: [UInt8](repeating: 1, count: 16_384)[...]).encode()
        for _ in 0..<6 { there.receive(try man.frame(plaintext: slice)) }
        #expect(there.fault == nil)
        there.receive(try man.frame(plaintext: slice))
        #expect(there.fault == .malformed)
    }

    @Test func replayedAndReorderedFramesEndTheLink() throws {
        let (man, there) = try open()
        let frame = try man.frames(.prune)[0]
        there.receive(frame)
        #expect(there.readMessages() == [.prune])
        there.receive(frame)
        #expect(there.fault == .decryptionFailed)
        #expect(there.readMessages().isEmpty)

        let (other, here) = try open()
        let first = try other.frames(.prune)[0]
        let second = try other.frames(.have(Have()))[0]
        here.receive(second + first)
        #expect(here.fault == .decryptionFailed)
        #expect(here.readMessages().isEmpty)
    }

    @Test func unknownKindsArePassedOver() throws {
        let (man, there) = try open()
        let later = Slice(lane: .chat, more: false, payload: [0xF2, 0x01, 0x00]).encode()
        there.receive(try man.frame(plaintext: later))
        try man.send(.prune, to: there)
        #expect(there.fault == nil)
        #expect(there.readMessages() == [.prune])
    }

    @Test func aClosedMachineStaysClosed() throws {
        let (man, there) = try open()
        there.receive(FrameReader.frame([UInt8](repeating: 7, count: 300)))
        #expect(there.fault == .decryptionFailed)
        var outputs = [LinkMachine.Output]()
        let frame = try man.frames(.prune)[0]
        let surroundings = LinkMachine.Surroundings(
            now: world.now, standing: { _, _ in .unknown }, credentials: { [] })
        try there.machine.receive(frame, in: surroundings, guarding: &there.salts, into: &outputs)
        there.machine.enqueue(.prune)
        try there.machine.drain(budget: .max, now: world.now, into: &outputs)
        #expect(outputs.isEmpty)
        #expect(!there.isOpen)
    }
}
