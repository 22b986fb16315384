import Testing
import TourCrypto
import TourGroup
import TourModel
import TourNode
import TourRuntime
import TourWire

/// Goal: nobody joins by a licence to let guests in: it has no code.
/// Method: a tour with a code and a licence; a request as a joiner makes it, signed by the licence, whose key pair
/// every member knows.
struct GuestLicenceTests {
    private static let wall: Int64 = 1_780_000_000_000

    @Test func aLicenceAnswersNobody() throws {
        let founding = Founding(
            keys: .random(), epochKey: .random(count: 32), fullHistory: true,
            salt: [UInt8](repeating: 1, count: 16), wallMilliseconds: Self.wall)
        var (group, author) = (founding.group, founding.author)
        let (code, licence) = (InviteSecret.random(), SeatLicence(seed: .random(count: SigningKeyPair.seedBytes)))
        let bodies = [
            group.inviteBody(code, uses: 0, expiresAt: nil, under: founding.epoch),
            licence.body(for: author.id, uses: 0, expiresAt: nil, under: founding.epoch),
        ]
        _ = group.add(controls: bodies.map { author.write($0, wallMilliseconds: Self.wall).bytes })
        #expect(group.roster.invites.count == 2)
        let answered = group.roster.answeredInvites(beside: 0, wallMilliseconds: Self.wall)
        #expect(answered.map(\.key) == [code.invitePair.publicKey])
        let facts = JoiningFacts(own: author.id, roster: group.roster, isActive: true)
        let keys = MemberKeys.random()
        let request = JoinRequest.signed(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: licence.pair, tour: group.tour, handshakeHash: [UInt8](repeating: 3, count: 64))
        #expect(facts.outcome(of: request, wallMilliseconds: Self.wall) == .refuse(.invalid))
    }
}
