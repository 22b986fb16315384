import Testing
import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourWire

/// `trace.json`: a member's first minute, every byte of two links, made and read again by both sides of this code.
enum TraceVectors {
    static func trace(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "code": try JoinVectors.compactCode(vector)
        case "join": try join(vector)
        case "member": try member(vector)
        default: throw VectorCase.Missing(field: "a kind that is run")
        }
        return nil
    }

    /// What one side said, and from which side.
    private struct Said {
        let isInitiator: Bool
        let message: LinkMessage
    }

    private static func join(_ vector: VectorCase) throws {
        let tour: TourID = try vector.id("tour")
        let genesis = try vector.bytes("genesis")
        let (said, hash, keys) = try said(on: vector)
        guard said.map(\.isInitiator) == [false, true, false, false, true],
            case .bind(let bind) = said[0].message, case .joinRequest(let request) = said[1].message,
            case .control(let controls) = said[2].message, case .welcome(let secrets) = said[3].message
        else { throw VectorCase.Missing(field: "a join from bind to welcome") }
        #expect(said[4].message == .bye(.closing))
        #expect(bind.genesis == genesis && TourID(genesis: genesis) == tour && bind.datagramPort == 0)
        #expect(bind.isSigned(handshakeHash: hash, role: .responder, tour: tour, linkKey: keys.responder))
        let identity = SigningKeyPair(seed: SecretBytes(try vector.bytes("identitySeed")))
        let wrapping = try #require(WrappingKeyPair(secret: SecretBytes(try vector.bytes("wrappingSecretKey"))))
        let invite = try #require(InviteSecret(seed: try vector.bytes("inviteSeed")))
        let again = JoinRequest.signed(
            identity: identity, linkKey: keys.initiator, wrappingKey: wrapping.publicKey, invite: invite.invitePair,
            tour: tour, handshakeHash: hash)
        #expect(request == again)
        var group = try TourGroup(genesis: genesis)
        #expect(group.add(controls: controls).count == controls.count)
        let own = MemberID(identity: identity.publicKey)
        #expect(group.roster.members.keys.sorted() == [group.roster.creator, own].sorted())
        #expect(group.roster.members[own]?.linkKey == keys.initiator)
        #expect(try secrets.map(\.epoch) == [vector.id("epoch")])
        #expect(try secrets.map(\.key) == [vector.bytes32("epochKey")])
        let isLearnt = secrets.allSatisfy { group.learn(epoch: $0.epoch, key: SecretBytes($0.key.bytes)) }
        #expect(isLearnt)
    }

    private static func member(_ vector: VectorCase) throws {
        let tour: TourID = try vector.id("tour")
        let (said, hash, keys) = try said(on: vector)
        var group = try TourGroup(genesis: vector.bytes("genesis"))
        #expect(group.add(controls: try vector.byteLists("controls")).count == 2)
        let key = SecretBytes(try vector.bytes("epochKey"))
        let isLearnt = try group.learn(epoch: vector.id("epoch"), key: key)
        #expect(isLearnt)
        #expect(try group.epochKeys.map(\.linkSecret) == [SecretBytes(vector.bytes("psk"))])
        guard said.map(\.isInitiator) == [true, false, true, false, false, true, true, false, false, true],
            case .bind(let own) = said[0].message, case .bind(let peer) = said[1].message,
            case .controlIndex(let ownIndex) = said[2].message, case .controlIndex(let index) = said[3].message,
            case .have(let have) = said[4].message, case .want(let want) = said[6].message,
            case .run(let answer) = said[7].message, case .run(let first) = said[9].message
        else { throw VectorCase.Missing(field: "a link from bind to the first run") }
        #expect(own.isSigned(handshakeHash: hash, role: .initiator, tour: tour, linkKey: keys.initiator))
        #expect(peer.isSigned(handshakeHash: hash, role: .responder, tour: tour, linkKey: keys.responder))
        #expect(Set(index) == Set(group.controlIndex) && ownIndex == index)
        #expect(said[5].message == .have(Have()) && said[8].message == .served(id: want.id, truncated: false))
        let guide = group.roster.creator
        #expect(want.graft && want.ranges == [Want.Range(author: guide, first: 1, last: 3)])
        let pulled = try VerifiedRun(answer, tour: tour, identity: peer.identity)
        #expect(try pulled.events.map(\.bytes) == [vector.bytes("genesis")] + vector.byteLists("controls"))
        let tag = try HeadTag.of(#require(pulled.events.last).id, salt: have.salt)
        #expect(have.heads == [TaggedHead(prefix: guide.prefix, sequence: 3, tag: tag)])
        #expect(!answer.pushed && first.pushed && first.hops == 0)
        let event = try VerifiedRun(first, tour: tour, identity: own.identity).events[0]
        #expect(try event.bytes == vector.bytes("event"))
        #expect(try group.open(event) == Content(decoding: vector.bytes("content")))
    }

    /// Plays the handshake and the frames with both sides of our code, and holds each byte against the vector's.
    private static func said(
        on vector: VectorCase
    ) throws -> (said: [Said], hash: [UInt8], keys: (initiator: LinkKey, responder: LinkKey)) {
        let psk = SecretBytes(try vector.bytes("psk"))
        let hello = Hello(secret: psk, salt: try vector.bytes("salt"))
        #expect(try hello.bytes == vector.bytes("hello") && hello.prologue == vector.bytes("prologue"))
        let statics = (try pair("initiatorLinkSecretKey", vector), try pair("responderLinkSecretKey", vector))
        var initiator = HandshakeState(
            pattern: .XXpsk0, role: .initiator, prologue: hello.prologue, psk: psk, localStatic: statics.0,
            fixedEphemeralForVectorsOnly: try pair("initiatorEphemeralSecretKey", vector))
        var responder = HandshakeState(
            pattern: .XXpsk0, role: .responder, prologue: hello.prologue, psk: psk, localStatic: statics.1,
            fixedEphemeralForVectorsOnly: try pair("responderEphemeralSecretKey", vector))
        let pendingRuns = try vector.cases("handshake")
        #expect(try pendingRuns.map { try $0.text("from") } == ["initiator", "initiator", "responder", "initiator"])
        #expect(try pendingRuns[0].bytes("bytes") == FrameReader.frame(hello.bytes))
        for flight in pendingRuns.dropFirst() {
            let isInitiator = try flight.text("from") == "initiator"
            let message = try isInitiator ? initiator.writeMessage() : responder.writeMessage()
            #expect(try FrameReader.frame(message) == flight.bytes("bytes"))
            let payload = try isInitiator ? responder.readMessage(message) : initiator.readMessage(message)
            #expect(payload.isEmpty)
        }
        var first = initiator.transport()
        var second = responder.transport()
        #expect(try first.handshakeHash == vector.bytes("handshakeHash"))
        var reassembly = (Reassembly(), Reassembly())
        var said = [Said]()
        for fields in try vector.cases("messages") {
            let isInitiator = try fields.text("from") == "initiator"
            let plaintext = try fields.bytes("plaintext")
            let frame = try isInitiator ? first.encrypt(plaintext) : second.encrypt(plaintext)
            #expect(try FrameReader.frame(frame) == fields.bytes("bytes"))
            let opened = try isInitiator ? second.decrypt(frame) : first.decrypt(frame)
            let slice = try Slice(decoding: opened)
            let whole = try isInitiator ? reassembly.0.add(slice) : reassembly.1.add(slice)
            let bytes = try #require(whole)
            let decoded = try LinkMessage.decode(bytes)
            let message = try #require(decoded)
            #expect(try message.encode() == fields.bytes("message") && slice.encode() == plaintext)
            #expect(try Int(slice.lane.rawValue) == fields.count("lane") && message.lane == slice.lane)
            said.append(Said(isInitiator: isInitiator, message: message))
        }
        return (said, first.handshakeHash, (statics.0.publicKey, statics.1.publicKey))
    }

    private static func pair(_ field: String, _ vector: VectorCase) throws -> LinkKeyPair {
        try #require(LinkKeyPair(secret: SecretBytes(try vector.bytes(field))))
    }
}
