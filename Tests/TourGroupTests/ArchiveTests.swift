import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: everybody who has the log sees that a member is a server's archive, and nobody is one by mistake.
/// Method: requests with the mark, without it, and with the mark of another tour or device.
struct ArchiveTests {
    private let invite = InviteSecret.random()

    private func tour() -> (group: TourGroup, author: Author) {
        let founding = Founding(
            keys: .random(), epochKey: .random(count: 32), fullHistory: true,
            salt: [UInt8](repeating: 1, count: 16), wallMilliseconds: 1_780_000_000_000)
        var (group, author) = (founding.group, founding.author)
        let body = group.inviteBody(invite, uses: 0, expiresAt: nil, under: founding.epoch)
        _ = group.add(controls: [author.write(body, wallMilliseconds: 1_780_000_000_000).bytes])
        return (group, author)
    }

    private func request(_ keys: MemberKeys, _ mark: [UInt8], _ tour: TourID) -> JoinRequest {
        .signed(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite.invitePair, tour: tour, handshakeHash: mark)
    }

    private func archiveRequest(_ keys: MemberKeys, _ tour: TourID) -> JoinRequest {
        .ofArchive(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite.invitePair.publicKey, tour: tour, challenge: JoinRequest.archiveChallenge())
    }

    @Test func archiveIsAMemberAndNobodysDevice() {
        var (group, author) = tour()
        let (keys, person) = (MemberKeys.random(), MemberKeys.random())
        let mark = archiveRequest(keys, group.tour).handshakeHash
        for request in [request(keys, mark, group.tour), request(person, [UInt8](repeating: 3, count: 64), group.tour)]
        {
            _ = group.add(controls: [author.write(.admit(request), wallMilliseconds: 1_780_000_000_000).bytes])
        }
        #expect(group.roster.archive?.id == keys.memberID)
        #expect(Set(group.roster.people.map(\.id)) == [author.id, person.memberID])
        #expect(group.roster.active.count == 3)
        let log = KnownLog(tail: Author.Tail(sequence: 0, id: .none), controls: [])
        let removal = author.write(group.removeBody(keys.memberID, log: log), wallMilliseconds: 1_780_000_000_000)
        _ = group.add(controls: [removal.bytes])
        #expect(group.roster.archive == nil)
    }

    @Test func markOfAnotherTourOrDeviceIsNone() {
        let (group, _) = tour()
        let (other, _) = tour()
        let (keys, thief) = (MemberKeys.random(), MemberKeys.random())
        let own = archiveRequest(keys, group.tour)
        #expect(own.isArchive(of: group.tour) && !own.isArchive(of: other.tour))
        #expect(!request(thief, own.handshakeHash, group.tour).isArchive(of: group.tour))
        var changed = own.handshakeHash
        changed[40] ^= 1
        #expect(!request(keys, changed, group.tour).isArchive(of: group.tour))
    }

    @Test func halfARequestLetsNobodyIn() {
        var (group, author) = tour()
        let half = archiveRequest(.random(), group.tour)
        #expect(!half.isSigned(tour: group.tour))
        _ = group.add(controls: [author.write(.admit(half), wallMilliseconds: 1_780_000_000_000).bytes])
        #expect(group.roster.members.count == 1)
    }
}
