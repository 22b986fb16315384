import TourCrypto
import TourModel
import TourWire

/// The state after the handshake: each side signs a bind of its link key. Source: `Protocol/03-handshake.md`, "Bind".
struct Binding: ~Copyable {
    var transport: TransportState
    let party: Handshaking.Party
    var reassembly = Reassembly()
    private var own: BindMessage?

    /// Writes our own bind at once, unless we are a joiner: a joiner sends nothing before the genesis arrives.
    init(transport: consuming TransportState, party: Handshaking.Party, outputs: inout [LinkMachine.Output]) {
        self.transport = transport
        self.party = party
        switch party {
        case .initiator(.member(let credential)): writeBind(credential, role: .initiator, &outputs)
        // An ask link has no bind, and never comes here.
        case .initiator(.join), .initiator(.ask): break
        case .responder(let credential): writeBind(credential, role: .responder, &outputs)
        }
    }

    consuming func receive(
        _ frame: [UInt8], _ surroundings: LinkMachine.Surroundings, _ outputs: inout [LinkMachine.Output]
    ) throws(LinkFault) -> LinkMachine.State {
        guard let message = try transport.open(frame, &reassembly) else { return .binding(self) }
        let peer: LinkPeer
        switch (party, message) {
        case (.initiator(.member(let credential)), .bind(let bind)):
            peer = try member(bind, credential, isInitiator: true, surroundings)
        case (.responder(let credential), .bind(let bind)) where credential.purpose == .member:
            peer = try member(bind, credential, isInitiator: false, surroundings)
        case (.responder(let credential), .joinRequest(let request)) where credential.purpose != .member:
            peer = try joiner(request, credential)
        case (.initiator(.join(let ticket)), .bind(let bind)):
            peer = try host(bind, ticket)
            write(.joinRequest(request(ticket, tour: peer.tour)), &outputs)
        default:
            throw .unexpectedMessage
        }
        outputs.append(.opened(peer))
        return .open(
            OpenLink(transport: transport, reassembly: reassembly, audience: LinkAudience(peer.kind)))
    }

    private func member(
        _ bind: BindMessage, _ credential: LinkCredential, isInitiator: Bool, _ surroundings: LinkMachine.Surroundings
    ) throws(LinkFault) -> LinkPeer {
        let peerRole: HandshakeState.Role = isInitiator ? .responder : .initiator
        guard isSigned(bind, role: peerRole, tour: credential.tour) else { throw .badBind }
        let claimed = MemberID(identity: bind.identity)
        let kind: LinkPeer.Kind
        switch surroundings.standing(credential.tour, transport.remoteStatic) {
        case .members(let known):
            guard known.contains(claimed) else { throw .badBind }
            kind = .member(claimed)
        case .unknown: kind = .restricted(claimed)
        case .former(let known):
            guard known.contains(claimed) else { throw .badBind }
            kind = .former(claimed)
        }
        return LinkPeer(
            tour: credential.tour, kind: kind, linkKey: transport.remoteStatic,
            handshakeHash: transport.handshakeHash, epoch: credential.epoch, isInitiator: isInitiator,
            datagrams: DatagramAgreement(own: own, peer: bind, isInitiator: isInitiator))
    }

    private func joiner(_ request: JoinRequest, _ credential: LinkCredential) throws(LinkFault) -> LinkPeer {
        guard request.linkKey == transport.remoteStatic, request.handshakeHash == transport.handshakeHash,
            credential.purpose == .invite(request.invite), request.isSigned(tour: credential.tour)
        else { throw .badJoinRequest }
        return LinkPeer(
            tour: credential.tour, kind: .joiner(request), linkKey: transport.remoteStatic,
            handshakeHash: transport.handshakeHash, isInitiator: false)
    }

    private func host(_ bind: BindMessage, _ ticket: JoinTicket) throws(LinkFault) -> LinkPeer {
        guard let genesis = bind.genesis else { throw .badBind }
        let tour = TourID(genesis: genesis)
        guard tour.bytes.starts(with: ticket.tourPrefix) else { throw .falseTour }
        guard isSigned(bind, role: .responder, tour: tour) else { throw .badBind }
        return LinkPeer(
            tour: tour, kind: .host(identity: bind.identity, genesis: genesis), linkKey: transport.remoteStatic,
            handshakeHash: transport.handshakeHash, isInitiator: true)
    }

    private func request(_ ticket: JoinTicket, tour: TourID) -> JoinRequest {
        .signed(
            identity: ticket.keys.identity, linkKey: ticket.keys.link.publicKey, wrappingKey: ticket.wrappingKey,
            invite: ticket.secret.invitePair, tour: tour, handshakeHash: transport.handshakeHash)
    }

    private func isSigned(_ bind: BindMessage, role: HandshakeState.Role, tour: TourID) -> Bool {
        bind.isSigned(
            handshakeHash: transport.handshakeHash, role: role, tour: tour, linkKey: transport.remoteStatic)
    }

    private mutating func writeBind(
        _ credential: LinkCredential, role: HandshakeState.Role, _ outputs: inout [LinkMachine.Output]
    ) {
        let claim = BindMessage.claim(
            handshakeHash: transport.handshakeHash, role: role, tour: credential.tour,
            linkKey: credential.keys.link.publicKey)
        let share = Bytes32(Randomness.bytes(Bytes32.count)) ?? .zero
        let isMember = credential.purpose == .member
        let path = Randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
        let bind = BindMessage(
            identity: credential.keys.identity.publicKey, signature: credential.keys.identity.sign(claim.bytes),
            datagramShare: share, genesis: isMember ? nil : credential.genesis,
            datagramPort: isMember ? credential.datagramPort : 0, path: path)
        own = bind
        write(.bind(bind), &outputs)
    }

    private mutating func write(_ message: LinkMessage, _ outputs: inout [LinkMachine.Output]) {
        for slice in Slice.slices(of: message.encode(), lane: message.lane) {
            guard let frame = try? transport.encrypt(slice.encode()) else {
                preconditionFailure("the first frames of a link always encrypt")
            }
            outputs.append(.write(FrameReader.frame(frame)))
        }
    }
}

extension TransportState {
    /// Decrypts a frame and adds it to its message.
    /// - Returns: the message once it is complete; nil before, and for a kind that this version does not know.
    mutating func open(_ frame: [UInt8], _ reassembly: inout Reassembly) throws(LinkFault) -> LinkMessage? {
        let plaintext: [UInt8]
        do { plaintext = try decrypt(frame) } catch { throw .decryptionFailed }
        do {
            guard let message = try reassembly.add(try Slice(decoding: plaintext)) else { return nil }
            return try LinkMessage.decode(message)
        } catch { throw .malformed }
    }
}
