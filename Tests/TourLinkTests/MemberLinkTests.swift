import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: two members' machines open a link to each other, know who is there, and carry every message in order of
/// urgency. Method: two machines whose bytes are carried by hand, whole or one at a time, under a virtual clock.
struct MemberLinkTests {
    private let world = World()
    private let anna = World.keys(1)
    private let ben = World.keys(2)

    private func pair() -> (Peer, Peer) {
        let knows = [anna, ben]
        return (
            Peer(world, dialling: .member(world.credential(anna)), knows: knows),
            Peer(world, credentials: [world.inviteCredential(ben), world.credential(ben)], knows: knows)
        )
    }

    private func open(pieces: Int = .max) -> (Peer, Peer) {
        let (dialler, responder) = pair()
        Peer.pump(dialler, responder, pieces: pieces)
        return (dialler, responder)
    }

    @Test(arguments: [Int.max, 1, 7]) func opensBothWays(pieces: Int) throws {
        let (dialler, responder) = open(pieces: pieces)
        let there = try #require(dialler.opened.first)
        let here = try #require(responder.opened.first)
        #expect(dialler.opened.count == 1 && responder.opened.count == 1)
        #expect(dialler.fault == nil && responder.fault == nil)
        guard case .member(let reached) = there.kind, case .member(let caller) = here.kind else {
            Issue.record("a member's link opened as something else")
            return
        }
        #expect(reached == MemberID(identity: ben.identity.publicKey))
        #expect(caller == MemberID(identity: anna.identity.publicKey))
        #expect(there.linkKey == ben.link.publicKey && here.linkKey == anna.link.publicKey)
        #expect(there.handshakeHash == here.handshakeHash && there.handshakeHash.count == 64)
        #expect(there.isInitiator && !here.isInitiator)
        #expect(there.tour == world.tour && here.tour == world.tour)
        #expect(dialler.isOpen && !dialler.isRestricted)
        #expect(responder.isOpen && !responder.isRestricted)
        #expect(dialler.met == [ben.link.publicKey] && responder.met.isEmpty)
    }

    @Test func bothSidesAgreeOnDatagrams() throws {
        var (mine, theirs) = (world.credential(anna), world.credential(ben))
        (mine.datagramPort, theirs.datagramPort) = (4_001, 4_002)
        let dialler = Peer(world, dialling: .member(mine), knows: [anna, ben])
        let responder = Peer(world, credentials: [theirs], knows: [anna, ben])
        Peer.pump(dialler, responder, pieces: .max)
        let there = try #require(dialler.opened.first?.datagrams)
        let here = try #require(responder.opened.first?.datagrams)
        #expect(there.peerPort == 4_002 && here.peerPort == 4_001)
        #expect(there.own == here.peer && there.peer == here.own && there.own != there.peer)
        #expect(there.isInitiator && !here.isInitiator)
    }

    @Test func withoutAPortOfBothThereAreNone() {
        var mine = world.credential(anna)
        mine.datagramPort = 4_001
        let dialler = Peer(world, dialling: .member(mine), knows: [anna, ben])
        let responder = Peer(world, credentials: [world.credential(ben)], knows: [anna, ben])
        Peer.pump(dialler, responder, pieces: .max)
        #expect(dialler.opened.count == 1 && responder.opened.count == 1)
        #expect(dialler.opened.first?.datagrams == nil && responder.opened.first?.datagrams == nil)
    }

    /// Two members named one link key: the bind says which of them is there.
    @Test func oneLinkKeyOfTwoMembers() {
        let (dialler, responder) = pair()
        let here = MemberID(identity: anna.identity.publicKey)
        let named = MemberID(identity: ben.identity.publicKey)
        responder.roster[anna.link.publicKey] = .members([here, named])
        Peer.pump(dialler, responder, pieces: .max)
        guard case .member(here)? = responder.opened.first?.kind else {
            Issue.record("the link did not open to who is there")
            return
        }
        let (other, strict) = pair()
        strict.roster[anna.link.publicKey] = .members([named])
        Peer.pump(other, strict, pieces: .max)
        #expect(strict.fault == .badBind && strict.opened.isEmpty)
    }

    @Test func handshakesAreAllDifferent() {
        let hashes = (0..<5).compactMap { _ in open().0.opened.first?.handshakeHash }
        #expect(Set(hashes).count == 5)
    }

    private static func run(bytes: Int, pushed: Bool) -> LinkMessage {
        // Bodies as large as a class allows, so that one run can fill a message.
        var rest = bytes
        var events = [RunEvent]()
        repeat {
            let body = min(rest, Limits.sealedBodyBytesMax)
            events.append(
                RunEvent(
                    eventClass: .chat, clock: .zero, epoch: .none, signature: [UInt8](repeating: 1, count: 64)[...],
                    body: [UInt8](repeating: UInt8(truncatingIfNeeded: body), count: body)[...]))
            rest -= body
        } while rest > 0
        let author = MemberID(raw: .zero)
        return .run(Run(author: author, first: 1, previous: .none, events: events, hops: 0, pushed: pushed))
    }

    private static func messages(_ bytes: Int) -> [LinkMessage] {
        let row = ClaimRow(
            row: [UInt8](repeating: 2, count: bytes),
            signature: [UInt8](repeating: 1, count: 64), hops: 0)
        return [
            .control([[UInt8](repeating: 3, count: bytes)]), run(bytes: bytes, pushed: true), .rows([row]),
            run(bytes: bytes, pushed: false),
        ]
    }

    @Test(arguments: [0, 1, 200, 253, 16_000, 16_384, 40_000, 97_000])
    func messagesOfAllLanesPass(bytes: Int) {
        let (dialler, responder) = open()
        let messages = Self.messages(bytes)
        #expect(Set(messages.map(\.lane)).count == 4)
        for message in messages {
            dialler.send(message)
            responder.send(message)
        }
        Peer.pump(dialler, responder, pieces: bytes < 1_000 ? 1 : .max)
        #expect(responder.readMessages() == messages)
        #expect(dialler.readMessages() == messages)
        #expect(dialler.queuedBytes == 0)
        #expect(dialler.fault == nil && responder.fault == nil)
    }

    @Test func largestMessagePasses() throws {
        let (dialler, responder) = open()
        var count = Limits.linkMessageBytesMax
        func message() -> LinkMessage { .control([[UInt8](repeating: 4, count: count)]) }
        while message().encode().count > Limits.linkMessageBytesMax { count -= 1 }
        #expect(message().encode().count == Limits.linkMessageBytesMax)
        dialler.send(message())
        Peer.pump(dialler, responder)
        #expect(responder.readMessages() == [message()])
    }

    @Test func urgentOvertakesCatchUpBetweenSlices() {
        let (dialler, responder) = open()
        let history = Self.run(bytes: 90_000, pushed: false)
        let chat = Self.run(bytes: 10, pushed: true)
        dialler.send(history)
        dialler.drain(budget: 1)
        // One slice is out, five wait; now something urgent comes.
        dialler.send(chat)
        dialler.send(.prune)
        Peer.pump(dialler, responder)
        #expect(responder.readMessages() == [.prune, chat, history])
    }

    @Test func budgetBoundsOneDrain() throws {
        let (dialler, responder) = open()
        for _ in 0..<20 { dialler.send(Self.run(bytes: 15_000, pushed: false)) }
        let queued = dialler.queuedBytes
        #expect(queued > 300_000)
        dialler.drain(budget: 50_000)
        #expect(dialler.outgoing.count < 50_000 + 18_000)
        #expect(dialler.queuedBytes > queued - 70_000)
        Peer.pump(dialler, responder)
        #expect(responder.readMessages().count == 20)
    }

    @Test func nothingIsQueuedBeforeTheLinkIsOpen() {
        let (dialler, responder) = pair()
        dialler.send(.prune)
        responder.send(.prune)
        #expect(dialler.queuedBytes == 0)
        Peer.pump(dialler, responder)
        #expect(dialler.readMessages().isEmpty && responder.readMessages().isEmpty)
    }

    @Test func keepAlive() {
        let (dialler, responder) = open()
        world.now = world.now + Limits.keepAliveInterval
        dialler.tick()
        #expect(dialler.outgoing.isEmpty)
        // Pings for an hour: nobody dies, nothing piles up.
        for _ in 0..<360 {
            world.now = world.now + .seconds(10) + .microseconds(1)
            dialler.tick()
            Peer.pump(dialler, responder)
            responder.tick()
            Peer.pump(dialler, responder)
        }
        #expect(dialler.fault == nil && responder.fault == nil)
        #expect(dialler.readMessages().isEmpty && responder.readMessages().isEmpty)
    }

    @Test func silentPeerIsDeadAfterItsTime() {
        let (dialler, responder) = open()
        world.now = world.now + Limits.deadPeerTimeout
        dialler.tick()
        #expect(dialler.fault == nil)
        world.now = world.now + .microseconds(1)
        dialler.tick()
        #expect(dialler.fault == .deadPeer)
        responder.tick()
        #expect(responder.fault == .deadPeer)
    }

    @Test func whoIsHeardElsewhereIsAskedSeldom() {
        let (dialler, responder) = open()
        for _ in 0..<30 {
            world.now = world.now + .seconds(10)
            dialler.recordLifeElsewhere()
            dialler.tick()
            #expect(dialler.outgoing.isEmpty)
        }
        // The link itself is tried now and then all the same.
        world.now = world.now + .seconds(1)
        dialler.recordLifeElsewhere()
        dialler.tick()
        #expect(!dialler.outgoing.isEmpty)
        Peer.pump(dialler, responder)
        #expect(dialler.fault == nil && responder.fault == nil)
        world.now = world.now + .seconds(10)
        dialler.recordLifeElsewhere()
        dialler.tick()
        #expect(dialler.outgoing.isEmpty)
    }

    @Test func whoIsHeardElsewhereAndFallsSilentIsDeadAfterTheSameTime() {
        let (dialler, _) = open()
        world.now = world.now + .seconds(15)
        dialler.recordLifeElsewhere()
        world.now = world.now + Limits.heardQuietMax
        dialler.tick()
        #expect(dialler.outgoing.isEmpty)
        world.now = world.now + .seconds(1)
        dialler.tick()
        #expect(!dialler.outgoing.isEmpty)
        world.now = world.now + (Limits.deadPeerTimeout - Limits.heardQuietMax - .seconds(1))
        dialler.tick()
        #expect(dialler.fault == nil)
        world.now = world.now + .microseconds(1)
        dialler.tick()
        #expect(dialler.fault == .deadPeer)
    }

    @Test func whereSignsOfLifeAreLostMoreOfThemAreWaitedFor() {
        let (dialler, _) = open()
        world.now = world.now + .seconds(15)
        dialler.recordLifeElsewhere(quietMax: Limits.heardQuietMaxWhenVeryLossy)
        world.now = world.now + Limits.heardQuietMaxWhenVeryLossy
        dialler.tick()
        #expect(dialler.fault == nil && dialler.outgoing.isEmpty)
        world.now = world.now + .seconds(1)
        dialler.tick()
        #expect(!dialler.outgoing.isEmpty)
        // The answer has as much time as on a link whose peer is heard nowhere else.
        world.now = world.now + (Limits.deadPeerTimeout - Limits.keepAliveInterval - .seconds(1))
        dialler.tick()
        #expect(dialler.fault == nil)
        world.now = world.now + .microseconds(1)
        dialler.tick()
        #expect(dialler.fault == .deadPeer)
    }

    @Test func aWordOnTheLinkItselfEndsThePatience() {
        let (dialler, responder) = open()
        dialler.recordLifeElsewhere(quietMax: Limits.heardQuietMaxWhenVeryLossy)
        world.now = world.now + .seconds(1)
        responder.send(.pong)
        Peer.pump(dialler, responder)
        world.now = world.now + Limits.keepAliveInterval + .microseconds(1)
        dialler.tick()
        #expect(!dialler.outgoing.isEmpty)
    }

    @Test func aDeadLinkIsFoundThoughThePeerIsHeardElsewhere() {
        let (dialler, _) = open()
        dialler.send(.prune)
        dialler.drain()
        var seconds = 0
        while dialler.fault == nil, seconds < 60 {
            seconds += 1
            world.now = world.now + .seconds(1)
            dialler.recordLifeElsewhere()
            dialler.tick()
        }
        #expect(seconds == 26)
    }

    @Test func whoGotSomethingAnswersOnce() {
        let (dialler, responder) = open()
        dialler.send(.prune)
        Peer.pump(dialler, responder)
        world.now = world.now + Limits.answerDelay
        responder.tick()
        #expect(responder.outgoing.isEmpty)
        world.now = world.now + .microseconds(1)
        responder.tick()
        #expect(!responder.outgoing.isEmpty)
        Peer.pump(dialler, responder)
        // That is an answer, and wants none.
        for _ in 0..<200 {
            world.now = world.now + .seconds(1)
            for peer in [dialler, responder] {
                peer.recordLifeElsewhere()
                peer.tick()
                #expect(peer.outgoing.isEmpty)
            }
        }
        #expect(responder.readMessages() == [.prune] && dialler.readMessages().isEmpty)
    }

    @Test func pingsDoNotPileUpBeforeAStalledReader() {
        let (dialler, _) = open()
        world.now = world.now + .seconds(11)
        var faults = 0
        for _ in 0..<1_000 {
            do { try dialler.machine.tick(now: world.now) } catch { faults += 1 }
        }
        #expect(faults == 0)
        #expect(dialler.queuedBytes <= Limits.paddedPlaintextBytesMin)
    }

    @Test func handshakeHasATime() {
        let (dialler, responder) = pair()
        world.now = world.now + Limits.handshakeTimeout
        dialler.tick()
        responder.tick()
        #expect(dialler.fault == nil && responder.fault == nil)
        world.now = world.now + .microseconds(1)
        dialler.tick()
        responder.tick()
        #expect(dialler.fault == .handshakeTimeout)
        #expect(responder.fault == .handshakeTimeout)
    }

    @Test func keysServeTheirTime() {
        let (dialler, _) = open()
        #expect(!dialler.isSpent(now: world.now + Limits.sessionLifetime))
        #expect(dialler.isSpent(now: world.now + Limits.sessionLifetime + .microseconds(1)))
    }
}
