import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: nothing that rests on members' own devices waits for guests, and no guest gets a key.
/// Method: a tour with a host and its guest; the guest leaves, is removed, or its host is.
struct GuestDeviceTests {
    /// Member 2 lets guest 3 in by a licence; member 4 has a device of its own.
    private func tour() -> (party: Party, group: TourGroup, events: [Event]) {
        var party = Party()
        let (invite, licence) = (Party.invite(1), SeatLicence(seed: .random(count: SigningKeyPair.seedBytes)))
        var events = [party.open(invite), party.admit(2, invite), party.admit(4, invite)]
        events.append(party.write(licence.body(for: Party.id(2), uses: 0, expiresAt: nil, under: party.epoch)))
        let keys = Party.keys(3)
        let request = JoinRequest.ofSeat(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            host: Party.id(2), licence: licence.pair, tour: party.tour)
        events.append(party.write(.admit(request), by: 2))
        return (party, party.group(of: events), events)
    }

    private func reason(_ group: TourGroup, after milliseconds: Int64) -> RekeyReason? {
        group.rekeyReason(
            for: Party.id(1), wallMilliseconds: Party.wall + milliseconds, usedAt: Party.wall + milliseconds)
    }

    private func rekey(_ group: TourGroup) throws -> ControlBody.Rekey {
        let body = try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1))
        guard case .rekey(let rekey) = body else { throw EpochFault.notAllowed }
        return rekey
    }

    @Test func aGuestCountsAndMakesNoLinks() {
        let (_, group, _) = tour()
        #expect(group.roster.members[Party.id(3)]?.isGuest == true)
        #expect(Set(group.roster.people.map(\.id)) == Set([1, 2, 3, 4].map(Party.id)))
        #expect(Set(group.roster.linking.map(\.id)) == Set([1, 2, 4].map(Party.id)))
    }

    @Test func licencesAreNoCodes() {
        let (_, group, _) = tour()
        #expect(group.roster.invites.count == 2)
        #expect(group.roster.codes.map(\.key) == [Party.invite(1).invitePair.publicKey])
    }

    @Test func anEpochNamesNoGuestAndNoGuestGetsItsKey() throws {
        let (_, group, _) = tour()
        #expect(try rekey(group).recipients.map(\.member) == [1, 2, 4].map { Party.id($0).prefix }.sorted())
        #expect(group.epochKeys(for: Party.id(3)).isEmpty)
        #expect(!group.epochKeys(for: Party.id(4)).isEmpty)
    }

    /// A node that knows no guests names them: whoever follows must name them as well.
    @Test func aGuestWhomAParentNamesStaysNamed() throws {
        var (party, group, events) = tour()
        let named = [1, 2, 3, 4].map { (Party.id($0), Party.keys($0).wrapping.publicKey) }
        let ordered = named.sorted { $0.0.prefix < $1.0.prefix }
        let digest = Hash.of(.rosterKeys, ordered.flatMap { $0.0.bytes + $0.1.bytes })
        let key = EpochKey.randomKey()
        let parents = group.keyring.graph.heads
        let body = ControlBody.Rekey(
            parents: parents, roster: digest,
            commitment: EpochKey.commitment(
                of: key, parents: parents, roster: digest, author: Party.keys(1).identity.publicKey),
            recipients: ordered.map { .init(member: $0.0.prefix, generation: 0) },
            wraps: try ordered.flatMap { try #require($0.1.wrap(key)) }, excluded: [])
        events.append(party.write(.rekey(body)))
        group = party.group(of: events)
        #expect(group.keyring.graph.faults.isEmpty)
        #expect(try rekey(group).recipients.contains { $0.member == Party.id(3).prefix })
    }

    @Test func aGuestWhoLeavesEndsNoEpoch() throws {
        var (party, group, _) = tour()
        _ = group.add(controls: [party.write(.leave, by: 3, at: 1_000).bytes])
        #expect(group.roster.members[Party.id(3)]?.hasLeft == true)
        #expect(reason(group, after: 700_000) == nil)
        #expect(try rekey(group).excluded.isEmpty)
    }

    @Test func aGuestWhoIsRemovedIsShutOut() throws {
        var (party, group, events) = tour()
        _ = group.add(controls: [party.remove(3, seeing: events).bytes])
        #expect(reason(group, after: 1_000) == .removal)
        #expect(try rekey(group).excluded == [Party.id(3).prefix])
    }

    private func owed(_ group: TourGroup, _ party: Party) -> [ControlBody] {
        group.owedLicences(of: Party.id(1), under: party.epoch) { .random(count: SigningKeyPair.seedBytes) }
    }

    /// Somebody who is removed may have seen the code of any host: all licences end, guests stay, and the remover owes
    /// each host another one, beside the code for joining.
    @Test func aRemovalEndsAllLicencesAndOwesOthers() throws {
        var (party, group, events) = tour()
        let (own, host) = (Party.id(1), Party.id(2))
        events.append(party.remove(4, seeing: events))
        group = party.group(of: events)
        #expect(!group.roster.mayGiveSeats(host, wallMilliseconds: 0))
        #expect(group.roster.members[Party.id(3)]?.isActive == true)
        let owed = self.owed(group, party)
        #expect(owed.count == 1)
        events += owed.map { party.write($0) }
        group = party.group(of: events)
        #expect(group.roster.mayGiveSeats(host, wallMilliseconds: 0))
        #expect(self.owed(group, party).isEmpty)
        #expect(group.owesInvite(own), "a licence is no code")
        events.append(party.open(Party.invite(2)))
        #expect(!party.group(of: events).owesInvite(own))
    }

    /// A host whose licence was ended for good gets no other one by a removal.
    @Test func whoMayNotGiveSeatsAnyMoreIsOwedNothing() throws {
        var (party, group, events) = tour()
        let licence = try #require(group.roster.openLicences(of: Party.id(2)).first)
        events.append(party.write(group.revokeBody(licence)))
        events.append(party.remove(4, seeing: events))
        group = party.group(of: events)
        #expect(owed(group, party).isEmpty)
    }

    /// What a guest said stays when its host is removed, and so does the guest until it is removed as well; the licence
    /// has ended. The epoch that follows shuts out both.
    @Test func guestsAreRemovedBesideTheirHost() throws {
        var (party, group, events) = tour()
        events.append(party.remove(3, seeing: events))
        events.append(party.remove(2, seeing: events))
        group = party.group(of: events)
        #expect(group.roster.members[Party.id(3)]?.isRemoved == true)
        #expect(Set(group.roster.people.map(\.id)) == Set([1, 4].map(Party.id)))
        #expect(!group.roster.mayGiveSeats(Party.id(2), wallMilliseconds: 0))
        #expect(reason(group, after: 1_000) == .removal)
        #expect(try rekey(group).excluded == [2, 3].map { Party.id($0).prefix }.sorted())
    }
}
