import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: whoever holds the tour's secret but is not in our roster may only bring control events, for a short time and
/// few bytes, until the roster knows the key. Method: a member and a newcomer whom only one side knows.
struct RestrictedLinkTests {
    private let world = World()
    private let anna = World.keys(1)
    private let ben = World.keys(2)

    /// Anna does not know Ben, who knows Anna.
    private func open() -> (anna: Peer, ben: Peer) {
        let here = Peer(world, dialling: .member(world.credential(anna)), knows: [anna])
        let there = Peer(world, credentials: [world.credential(ben)], knows: [anna, ben])
        Peer.pump(here, there)
        return (here, there)
    }

    @Test func opensRestrictedOnOneSideOnly() {
        let (anna, ben) = open()
        guard case .restricted(let claimed)? = anna.opened.first?.kind, case .member? = ben.opened.first?.kind else {
            Issue.record("the link opened as something else")
            return
        }
        #expect(claimed == MemberID(identity: self.ben.identity.publicKey))
        #expect(anna.isOpen && anna.isRestricted)
        #expect(!ben.isRestricted)
    }

    /// Who was away has an old secret: the roster names it, and the link is one like all others.
    @Test func aMemberWithAnOldSecretComesIn() throws {
        let (old, new) = (EpochID(raw: World(genesis: [5]).tour.raw), EpochID(raw: World(genesis: [6]).tour.raw))
        var mine = world.credential(ben)
        mine.epoch = old
        let theirs = [(new, [UInt8](repeating: 7, count: 32)), (old, mine.secret.exposedCopy())].map { epoch, secret in
            var credential = world.credential(anna)
            (credential.epoch, credential.secret) = (epoch, SecretBytes(secret))
            return credential
        }
        let there = Peer(world, dialling: .member(mine), knows: [anna, ben])
        let here = Peer(world, credentials: theirs, knows: [anna, ben])
        Peer.pump(there, here)
        let (seen, dialled) = (try #require(here.opened.first), try #require(there.opened.first))
        guard case .member = seen.kind, case .member = dialled.kind else {
            Issue.record("the link opened as something else")
            return
        }
        #expect(seen.epoch == old && dialled.epoch == old && !here.isRestricted)
        // Whom the roster does not name is known by the secret that it showed.
        let stranger = Peer(world, credentials: theirs, knows: [anna])
        let again = Peer(world, dialling: .member(mine), knows: [anna, ben])
        Peer.pump(again, stranger)
        #expect(stranger.isRestricted && stranger.opened.first?.epoch == old)
    }

    @Test func onlyControlPasses() {
        let (anna, ben) = open()
        for message in [
            LinkMessage.have(Have()), .rows([]), .prune, .want(Want(id: 1, ranges: [], graft: false)),
            .served(id: 1, truncated: false), .epochAsk([]), .epochKeys([]), .synced([]), .positions([]),
            .blob(.got(BlobID(raw: .zero), [])),
        ] { ben.send(message) }
        let passing: [LinkMessage] = [.controlIndex([]), .control([[1]]), .bye(.closing)]
        for message in passing { ben.send(message) }
        ben.send(.ping)
        Peer.pump(anna, ben)
        #expect(anna.readMessages() == passing)
        #expect(anna.fault == nil && ben.fault == nil)
    }

    @Test func everythingPassesOnceTheKeyIsKnown() {
        let (anna, ben) = open()
        anna.machine.recognise()
        #expect(anna.isOpen && !anna.isRestricted)
        ben.send(.have(Have()))
        Peer.pump(anna, ben)
        #expect(anna.readMessages() == [.have(Have())])
        world.now = world.now + .seconds(6)
        anna.tick()
        #expect(anna.fault == nil)
    }

    @Test func endsAfterItsTime() {
        let (anna, ben) = open()
        world.now = world.now + Limits.restrictedLinkTimeout
        anna.tick()
        #expect(anna.fault == nil)
        world.now = world.now + .microseconds(1)
        anna.tick()
        #expect(anna.fault == .restrictedLimit)
        ben.tick()
        #expect(ben.fault == nil)
    }

    @Test func endsAfterItsBytes() {
        let (anna, ben) = open()
        let batch = LinkMessage.control([[UInt8](repeating: 1, count: 60_000)])
        var passed = 0
        for _ in 0..<20 {
            ben.send(batch)
            Peer.pump(anna, ben)
            passed += anna.readMessages().count
        }
        #expect(anna.fault == .restrictedLimit)
        #expect(passed == 17)
    }

    @Test func bytesBeforeTheRosterGrewDoNotCountLater() {
        let (anna, ben) = open()
        let batch = LinkMessage.control([[UInt8](repeating: 1, count: 60_000)])
        for _ in 0..<10 { ben.send(batch) }
        Peer.pump(anna, ben)
        anna.machine.recognise()
        for _ in 0..<30 { ben.send(batch) }
        Peer.pump(anna, ben)
        #expect(anna.readMessages().count == 40)
        #expect(anna.fault == nil)
    }

    @Test func bindMustBeTheSignersOwn() throws {
        let here = Peer(world, dialling: .member(world.credential(anna)), knows: [anna])
        let man = try Adversary.answer(here, secret: world.memberSecret, link: ben.link)
        try man.send(man.bind(ben, role: .responder, tour: TourID(genesis: [9])), to: here)
        #expect(here.fault == .badBind)
    }
}
