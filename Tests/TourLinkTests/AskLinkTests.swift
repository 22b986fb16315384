import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: an ask link opens for those who know a tag alone, shows neither side's keys, and lets nothing else through;
/// somebody who relays gets other words, and what strangers ask for costs members nothing.
/// Method: machines against each other, and exchanges on the links that they opened.
struct AskLinkTests {
    private let world = World()
    private let host = World.keys(1)
    private let tag = DiscoveryTag(value: 0x0123_4567_89ab_cdef)

    private func credential(for tag: DiscoveryTag) -> LinkCredential {
        LinkCredential(
            tour: world.tour, purpose: .asking(tag), secret: ComparedWords.psk(of: tag), keys: host, genesis: [])
    }

    private func responder() -> Peer { Peer(world, credentials: [world.credential(host), credential(for: tag)]) }

    private func open() -> (asker: Peer, member: Peer) {
        let (asker, member) = (Peer(world, dialling: .ask(AskTicket(tag: tag))), responder())
        Peer.pump(asker, member)
        return (asker, member)
    }

    @Test func bothSidesNameTheLinkAlike() throws {
        let (asker, member) = open()
        let (here, there) = (try #require(asker.asking.first), try #require(member.asking.first))
        #expect(here.handshakeHash == there.handshakeHash && here.handshakeHash.count == 64)
        #expect(here.isAsker && !there.isAsker)
        #expect(there.tour == world.tour && here.tour == nil)
        #expect(here.tag == tag && there.tag == tag)
        asker.send(.ask(.commit(.zero)))
        Peer.pump(asker, member)
        #expect(member.readMessages() == [.ask(.commit(.zero))])
    }

    @Test func anotherTagIsAStrangers() {
        let member = responder()
        let asker = Peer(world, dialling: .ask(AskTicket(tag: DiscoveryTag(value: 1))))
        Peer.pump(asker, member)
        #expect(member.fault == .stranger)
        #expect(asker.asking.isEmpty)
    }

    /// No member's key may be recognised by it.
    @Test func keysAreNewOnEachLink() throws {
        let hashes = try (0..<2).map { _ in try #require(open().member.asking.first).handshakeHash }
        #expect(hashes[0] != hashes[1])
        let ticket = AskTicket(tag: tag)
        #expect(ticket.link.publicKey != AskTicket(tag: tag).link.publicKey)
    }

    @Test(arguments: [
        LinkMessage.control([[1]]), .controlIndex([]), .have(Have()), .welcome([]), .joinRefusal(.full), .castAsks([]),
    ]) func nothingElsePasses(message: LinkMessage) {
        let (asker, member) = open()
        asker.send(message)
        Peer.pump(asker, member)
        // No asks of casts are no message at all.
        #expect(member.fault == (message == .castAsks([]) ? .malformed : .unexpectedMessage))
    }

    /// Also members do not ask on their own links.
    @Test func anAskOnAMembersLinkClosesIt() {
        let other = World.keys(2)
        let here = Peer(world, dialling: .member(world.credential(other)), knows: [host])
        let there = Peer(world, credentials: [world.credential(host)], knows: [other])
        Peer.pump(here, there)
        here.send(.ask(.nonce(.zero)))
        Peer.pump(here, there)
        #expect(there.fault == .unexpectedMessage)
    }

    @Test func aTalkerIsCutOff() {
        let (asker, member) = open()
        for _ in 0..<20_000 where member.fault == nil {
            asker.send(.ask(.commit(.zero)))
            Peer.pump(asker, member)
        }
        #expect(member.fault == .restrictedLimit)
    }

    /// The bound of askers is their own: members come in while it is used up.
    @Test func aFloodOfAskersShutsOutNoMember() {
        let member = responder()
        var faults = [LinkFault?]()
        for _ in 0..<60 {
            let one = Peer(world, credentials: [world.credential(host), credential(for: tag)])
            one.salts = member.salts
            Peer.pump(Peer(world, dialling: .ask(AskTicket(tag: tag))), one)
            member.salts = one.salts
            faults.append(one.fault)
        }
        #expect(faults.contains(.tooManyHandshakes))
        let last = Peer(world, credentials: [world.credential(host)], knows: [World.keys(2)])
        last.salts = member.salts
        Peer.pump(Peer(world, dialling: .member(world.credential(World.keys(2))), knows: [host]), last)
        #expect(last.fault == nil && last.opened.count == 1)
    }

    // MARK: Exchanges

    /// Plays the words' exchange on two links; with one link twice nobody is between.
    private func words(_ askers: AskLink, _ members: AskLink) throws -> (asker: ComparedWords?, member: ComparedWords?)
    {
        var here = [AskerExchange.Output]()
        var there = [MemberExchange.Output]()
        var asker = AskerExchange(askers, .words(name: "Anna"), into: &here)
        var member = MemberExchange(members)
        for case .send(let message) in here { try member.receive(message, into: &there) }
        for case .send(let message) in there { try asker.receive(message, into: &here) }
        let reveal = try #require(here.compactMap { if case .send(let message) = $0 { message } else { nil } }.last)
        try member.receive(reveal, into: &there)
        return (
            here.compactMap { if case .words(let words) = $0 { words } else { nil } }.first,
            there.compactMap { if case .asks(_, let words) = $0 { words } else { nil } }.first
        )
    }

    @Test func bothSidesShowTheSameWords() throws {
        let (asker, member) = open()
        let shown = try words(try #require(asker.asking.first), try #require(member.asking.first))
        #expect(shown.asker != nil && shown.asker == shown.member)
        #expect(shown.asker?.words.count == 4)
    }

    /// A relay passes everything on unchanged: its two links have two hashes, so the commitment fits on one only.
    @Test func aRelayCannotPassTheExchangeOn() throws {
        let (one, two) = (open(), open())
        let (askers, members) = (try #require(one.asker.asking.first), try #require(two.member.asking.first))
        #expect(throws: AskFault.badCommitment) { try words(askers, members) }
    }

    /// A relay that has both sides draw the same nonces would still show other words: the links differ.
    @Test func aRelayGetsOtherWords() throws {
        let links = try (0..<2).map { _ in try #require(open().member.asking.first) }
        let nonces = (AskerExchange.randomNonce, AskerExchange.randomNonce)
        let shown = links.map {
            ComparedWords(handshakeHash: $0.handshakeHash, asker: nonces.0, member: nonces.1)
        }
        #expect(shown[0] != shown[1])
    }

    @Test(arguments: [("40718259", "40718259"), ("40718259", "40718258")])
    func digitsAgreeOrNot(asked: String, known: String) throws {
        let (asker, member) = open()
        var here = [AskerExchange.Output]()
        var there = [MemberExchange.Output]()
        var newcomer = AskerExchange(
            try #require(asker.asking.first), .digits(try #require(SpokenDigits(parsing: asked))), into: &here)
        var exchange = MemberExchange(try #require(member.asking.first))
        for case .send(let message) in here { try exchange.receive(message, into: &there) }
        try exchange.begin(try #require(SpokenDigits(parsing: known)), into: &there)
        for case .send(let message) in there { try newcomer.receive(message, into: &here) }
        let proof = try #require(here.compactMap { if case .send(let message) = $0 { message } else { nil } }.last)
        try exchange.receive(proof, into: &there)
        let isKnown = there.contains { if case .knowsDigits = $0 { true } else { false } }
        #expect(isKnown == (asked == known))
        guard isKnown else { return }
        let answer = try #require(there.compactMap { if case .send(let message) = $0 { message } else { nil } }.last)
        try newcomer.receive(answer, into: &here)
        let code = InviteCode(secret: world.invite, tour: world.tour)
        try newcomer.receive(.admitted(code: code.bytes, tourName: "Museum"), into: &here)
        guard case .admitted(code, "Museum")? = here.last else {
            Issue.record("no code")
            return
        }
    }

    /// The member must prove that it knows the digits, before its answer counts.
    @Test func digitsWithoutTheMembersProofAdmitNobody() throws {
        var here = [AskerExchange.Output]()
        let link = AskLink(tag: tag, tour: nil, handshakeHash: [UInt8](repeating: 1, count: 64))
        var asker = AskerExchange(link, .digits(.random()), into: &here)
        let other = SpokenDigits.random().run(handshakeHash: link.handshakeHash, isAsker: false)
        try asker.receive(.share(other.share), into: &here)
        #expect(throws: AskFault.wrongCode) {
            try asker.receive(.proof([UInt8](repeating: 0, count: AskMessage.proofBytes)), into: &here)
        }
    }
}
