import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// Goal: a member that is out and does not know it learns why on a link of its own, and can say nothing there.
/// Method: two machines, of which one has the other as a former member; a false bind.
struct FormerLinkTests {
    private let world = World()
    private let anna = World.keys(1)
    private let ben = World.keys(2)

    private static func id(_ keys: LinkKeys) -> MemberID { MemberID(identity: keys.identity.publicKey) }

    /// Anna dials Ben, and one of the two is out in the other's roster.
    private func open(isDiallerOut: Bool) -> (knows: Peer, out: Peer) {
        let here = Peer(world, dialling: .member(world.credential(anna)), knows: [anna, ben])
        let there = Peer(world, credentials: [world.credential(ben)], knows: [anna, ben])
        if isDiallerOut {
            there.roster[anna.link.publicKey] = .former([Self.id(anna)])
        } else {
            here.roster[ben.link.publicKey] = .former([Self.id(ben)])
        }
        Peer.pump(here, there)
        return isDiallerOut ? (there, here) : (here, there)
    }

    @Test(arguments: [true, false]) func whoIsOutIsToldSoAndNoMore(isDiallerOut: Bool) {
        let (knows, out) = open(isDiallerOut: isDiallerOut)
        guard case .former(let member)? = knows.opened.first?.kind, case .member? = out.opened.first?.kind else {
            Issue.record("the link opened as something else")
            return
        }
        #expect(member == Self.id(isDiallerOut ? anna : ben))
        let words: [LinkMessage] = [.control([[1]]), .bye(.removed)]
        for word in words { knows.send(word) }
        Peer.pump(knows, out)
        #expect(out.readMessages() == words)
        #expect(knows.fault == nil && out.fault == nil)
    }

    @Test func nothingThatItSaysPasses() {
        let (knows, out) = open(isDiallerOut: true)
        for message in [
            LinkMessage.have(Have()), .rows([]), .prune, .want(Want(id: 1, ranges: [], graft: false)),
            .served(id: 1, truncated: false), .epochAsk([]), .epochKeys([]), .synced([]), .positions([]),
            .blob(.got(BlobID(raw: .zero), [])),
            .controlIndex([]),
            .control([[1]]),
        ] { out.send(message) }
        out.send(.bye(.closing))
        Peer.pump(knows, out)
        #expect(knows.readMessages() == [.bye(.closing)])
        #expect(knows.fault == nil)
        // No roster makes it a member again on this link.
        knows.machine.recognise()
        out.send(.have(Have()))
        Peer.pump(knows, out)
        #expect(knows.readMessages().isEmpty)
    }

    @Test func itsLinkKeyWithAnotherIdentityIsRefused() throws {
        let here = Peer(world, dialling: .member(world.credential(anna)), knows: [anna])
        here.roster[ben.link.publicKey] = .former([Self.id(ben)])
        let man = try Adversary.answer(here, secret: world.memberSecret, link: ben.link)
        try man.send(man.bind(World.keys(3), role: .responder, tour: world.tour), to: here)
        #expect(here.fault == .badBind)
        #expect(here.opened.isEmpty)
    }
}
