import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// Goal: no machine waits for a guest, who makes no links.
/// Method: a device lets a guest in by a licence of its own.
@Suite struct GuestTests {
    private func tour(fullHistory: Bool = true) throws -> (tour: MemoryTour, guest: MemberID) {
        let tour = try MemoryTour(MemoryTour.Setup(members: 2, fullHistory: fullHistory))
        let (host, keys) = (tour.devices[0].id, try tour.stranger())
        let licence = SeatLicence(seed: .random(count: SigningKeyPair.seedBytes))
        let epoch = try #require(tour.devices[0].machine.group.currentEpoch)
        let body = licence.body(for: host, uses: 0, expiresAt: nil, under: epoch)
        _ = try #require(tour.write(0, body))
        let request = JoinRequest.ofSeat(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey, host: host,
            licence: licence.pair, tour: tour.tour)
        _ = try #require(tour.write(0, .admit(request)))
        return (tour, keys.memberID)
    }

    @Test func aGuestIsAMemberAndNoWitness() throws {
        let (tour, guest) = try tour()
        let machine = tour.devices[0].machine
        #expect(machine.group.roster.members[guest]?.isGuest == true)
        #expect(machine.group.roster.people.count == 3)
        #expect(machine.gossip.ownLogWitnesses.needed == 1)
    }

    /// Without full history an epoch names everybody whom it is for.
    @Test func aRekeyNamesNoGuest() throws {
        let (tour, guest) = try tour(fullHistory: false)
        tour.rekey(0)
        let graph = tour.devices[0].machine.group.keyring.graph
        let head = try #require(graph.heads.first.flatMap { graph.epochs[$0] })
        #expect(head.names(tour.devices[1].id) && !head.names(guest))
    }
}
