import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: with a code one reaches that tour and no other, and a request counts on the very link it was made for.
/// Method: machines against each other; a man in the middle who knows the code.
struct JoinLinkTests {
    private let world = World()
    private let host = World.keys(1)
    private let joiner = World.keys(9)

    private func responder() -> Peer {
        Peer(world, credentials: [world.credential(host), world.inviteCredential(host)], knows: [host])
    }

    @Test(arguments: [Int.max, 1]) func joinRequestArrivesVerified(pieces: Int) throws {
        let here = Peer(world, dialling: .join(world.ticket(joiner)))
        let there = responder()
        Peer.pump(here, there, pieces: pieces)
        #expect(here.fault == nil && there.fault == nil)
        guard case .host(let identity, let genesis)? = here.opened.first?.kind,
            case .joiner(let request)? = there.opened.first?.kind
        else {
            Issue.record("the join link did not open")
            return
        }
        #expect(identity == host.identity.publicKey)
        #expect(genesis == world.genesis)
        #expect(here.opened.first?.tour == world.tour)
        #expect(request.identity == joiner.identity.publicKey)
        #expect(request.linkKey == joiner.link.publicKey)
        #expect(request.invite == world.invite.invitePair.publicKey)
        #expect(request.isSigned(tour: world.tour))
        #expect(request.handshakeHash == here.opened.first?.handshakeHash)

        there.send(.control([[1, 2, 3]]))
        there.send(.welcome([]))
        Peer.pump(here, there, pieces: pieces)
        #expect(here.readMessages() == [.control([[1, 2, 3]]), .welcome([])])
    }

    @Test func refusalArrives() {
        let here = Peer(world, dialling: .join(world.ticket(joiner)))
        let there = responder()
        Peer.pump(here, there)
        there.send(.joinRefusal(.usedUp))
        there.send(.bye(.closing))
        Peer.pump(here, there)
        #expect(here.readMessages() == [.joinRefusal(.usedUp), .bye(.closing)])
    }

    @Test func falseTourIsRefusedBeforeWeShowWhoWeAre() {
        let here = Peer(world, dialling: .join(world.ticket(joiner, tour: TourID(genesis: [9]))))
        let there = responder()
        Peer.pump(here, there)
        #expect(here.fault == .falseTour)
        #expect(here.opened.isEmpty && there.opened.isEmpty)
    }

    @Test func hostMustShowAGenesisAndSignForIt() throws {
        let other = TourID(genesis: [9])
        typealias Forge = (Adversary) -> LinkMessage
        let forgeries: [Forge] = [
            { $0.bind(host, role: .responder, tour: world.tour) },
            { $0.bind(host, role: .initiator, tour: world.tour, genesis: world.genesis) },
            { $0.bind(host, role: .responder, tour: other, genesis: world.genesis) },
            {
                $0.bind(
                    host, role: .responder, tour: world.tour, linkKey: joiner.link.publicKey, genesis: world.genesis)
            },
            {
                $0.bind(
                    host, role: .responder, tour: world.tour, handshakeHash: [UInt8](repeating: 0, count: 64),
                    genesis: world.genesis)
            },
        ]
        for forge in forgeries {
            let here = Peer(world, dialling: .join(world.ticket(joiner)))
            let man = try Adversary.answer(here, secret: world.invite.joinSecret, link: host.link)
            try man.send(forge(man), to: here)
            #expect(here.fault == .badBind)
            #expect(here.opened.isEmpty && here.written().isEmpty)
        }
    }

    /// What the joiner asks of a man in the middle who knows the code and the genesis.
    private func stolenRequest(_ man: LinkKeys) throws -> JoinRequest {
        let here = Peer(world, dialling: .join(world.ticket(joiner)))
        let middle = try Adversary.answer(here, secret: world.invite.joinSecret, link: man.link)
        try middle.send(middle.bind(man, role: .responder, tour: world.tour, genesis: world.genesis), to: here)
        guard case .joinRequest(let request)? = try middle.read(from: here).first else {
            throw VerificationFault.badSignature
        }
        #expect(request.isSigned(tour: world.tour))
        return request
    }

    @Test func relayedRequestIsRefused() throws {
        let man = World.keys(5)
        let request = try stolenRequest(man)
        let there = responder()
        let relay = try Adversary.dial(there, secret: world.invite.joinSecret, link: man.link)
        try relay.send(.joinRequest(request), to: there)
        #expect(there.fault == .badJoinRequest)
        #expect(there.opened.isEmpty)
        // Nor does it help to write this link's hash into it.
        var changed = request
        changed.handshakeHash = relay.handshakeHash
        let again = responder()
        let second = try Adversary.dial(again, secret: world.invite.joinSecret, link: man.link, salt: 78)
        changed.handshakeHash = second.handshakeHash
        changed.linkKey = man.link.publicKey
        try second.send(.joinRequest(changed), to: again)
        #expect(again.fault == .badJoinRequest)
    }

    @Test func requestMustFitItsLink() throws {
        let wrapping = world.ticket(joiner).wrappingKey
        let stranger = InviteSecret(seed: [UInt8](repeating: 7, count: 16))!
        func refused(_ make: (Adversary) -> JoinRequest) throws -> LinkFault? {
            let there = responder()
            let here = try Adversary.dial(there, secret: world.invite.joinSecret, link: joiner.link)
            try here.send(.joinRequest(make(here)), to: there)
            #expect((there.fault == nil) == (there.opened.count == 1))
            return there.fault
        }
        func request(_ link: Adversary, key: LinkKey, _ invite: InviteSecret, _ tour: TourID) -> JoinRequest {
            .signed(
                identity: joiner.identity, linkKey: key, wrappingKey: wrapping, invite: invite.invitePair,
                tour: tour, handshakeHash: link.handshakeHash)
        }
        let own = joiner.link.publicKey
        #expect(try refused { request($0, key: own, world.invite, world.tour) } == nil)
        #expect(try refused { request($0, key: host.link.publicKey, world.invite, world.tour) } == .badJoinRequest)
        #expect(try refused { request($0, key: own, stranger, world.tour) } == .badJoinRequest)
        #expect(try refused { request($0, key: own, world.invite, TourID(genesis: [9])) } == .badJoinRequest)
        // By the same keys, and made for an earlier link.
        let earlier = try Adversary.dial(responder(), secret: world.invite.joinSecret, link: joiner.link)
        #expect(try refused { _ in request(earlier, key: own, world.invite, world.tour) } == .badJoinRequest)
    }

    @Test func joinerSaysOneThingOnly() throws {
        let secret = world.invite.joinSecret
        for message in [LinkMessage.have(Have()), .control([]), .controlIndex([]), .welcome([]), .prune, .epochAsk([])]
        {
            let there = responder()
            let first = try Adversary.dial(there, secret: secret, link: joiner.link)
            try first.send(message, to: there)
            #expect(there.fault == .unexpectedMessage)

            let here = Peer(world, dialling: .join(world.ticket(joiner)))
            let second = responder()
            Peer.pump(here, second)
            here.send(message)
            Peer.pump(here, second)
            #expect(second.fault == .unexpectedMessage)
            #expect(second.readMessages().isEmpty)
        }
        // A bind proves membership of a member link; here it proves nothing.
        let there = responder()
        let man = try Adversary.dial(there, secret: secret, link: joiner.link)
        try man.send(man.bind(joiner, role: .initiator, tour: world.tour), to: there)
        #expect(there.fault == .unexpectedMessage)
    }

    @Test func hostSaysOnlyWhatAJoinNeeds() {
        let index = LinkMessage.controlIndex([])
        for message in [LinkMessage.have(Have()), index, .prune, .epochKeys([]), .served(id: 1, truncated: false)] {
            let here = Peer(world, dialling: .join(world.ticket(joiner)))
            let there = responder()
            Peer.pump(here, there)
            there.send(message)
            Peer.pump(here, there)
            #expect(here.fault == .unexpectedMessage)
        }
    }
}
