import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a new epoch is made when it is due, by those who may, mostly by one; wrapping keys change and old ones are
/// wiped in time. Method: one reason at a time, just before and just after it holds.
struct RekeyTurnTests {
    private static let day: Int64 = 86_400_000

    private func tour(_ members: Int) -> (Party, TourGroup) {
        var party = Party()
        let invite = Party.invite(1)
        let events = [party.open(invite)] + (2...members).map { party.admit($0, invite) }
        return (party, party.group(of: events))
    }

    private func reason(
        _ group: TourGroup, after milliseconds: Int64, for number: Int = 1, usedAfter used: Int64? = nil
    ) -> RekeyReason? {
        group.rekeyReason(
            for: Party.id(number), wallMilliseconds: Party.wall + milliseconds,
            usedAt: Party.wall + (used ?? milliseconds))
    }

    private func rekeyed(_ group: inout TourGroup, _ party: inout Party, at milliseconds: Int64) throws {
        let body = try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1))
        _ = group.add(controls: [party.write(body, at: milliseconds).bytes])
        _ = group.unwrap(for: Party.id(1), by: [party.creatorKeys.wrapping])
    }

    @Test func theFirstUseOfADay() throws {
        var (party, group) = tour(3)
        // `Party.wall` is midnight.
        #expect(reason(group, after: 0) == nil)
        #expect(reason(group, after: Self.day - 1) == nil)
        #expect(reason(group, after: Self.day) == .day)
        #expect(reason(group, after: Self.day, usedAfter: Self.day - 1) == nil)
        #expect(reason(group, after: Self.day, for: 2) == nil)
        // A clock that is behind makes no epochs.
        #expect(reason(group, after: -Self.day) == nil)
        try rekeyed(&group, &party, at: Self.day)
        #expect(reason(group, after: Self.day * 2 - 1) == nil)
        #expect(reason(group, after: Self.day * 2) == .day)
    }

    @Test func whoLeavesIsShutOutAfterAWhile() throws {
        var (party, group) = tour(3)
        _ = group.add(controls: [party.write(.leave, by: 3, at: 1_000).bytes])
        #expect(reason(group, after: 599_999) == nil)
        #expect(reason(group, after: 600_000) == .leaving)
        try rekeyed(&group, &party, at: 600_000)
        #expect(reason(group, after: 1_200_000) == nil)
    }

    @Test func whoCameInByASpentCodeIsShutOut() throws {
        var (party, group) = tour(2)
        let scarce = Party.invite(2)
        let events = [party.open(scarce, uses: 1), party.admit(3, scarce), party.admit(4, scarce, by: 2)]
        _ = group.add(controls: events.map(\.bytes))
        #expect(group.roster.members.count == 3)
        #expect(reason(group, after: 600_000) == .leaving)
        try rekeyed(&group, &party, at: 600_000)
        let head = try #require(group.keyring.graph.heads.first)
        let void = try #require([3, 4].map(Party.id).first { group.roster.members[$0] == nil })
        #expect(group.keyring.graph.epochs[head]?.excludes(void) == true)
        #expect(reason(group, after: 1_200_000) == nil)
    }

    @Test func headsAreMergedAndBadOnesReplaced() throws {
        var (party, group) = tour(3)
        let bodies = try (0..<2).map { _ in try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1)) }
        let events = bodies.map { party.write($0, at: 1_000) }
        _ = group.add(controls: [events[0].bytes])
        #expect(reason(group, after: 2_000) == nil)
        var unlucky = group
        _ = unlucky.unwrap(for: Party.id(1), by: [Party.keys(9).wrapping])
        #expect(reason(unlucky, after: 2_000) == .unreadable)
        _ = group.add(controls: [events[1].bytes])
        #expect(group.keyring.graph.heads.count == 2)
        #expect(reason(group, after: 2_000) == .merge)
        try rekeyed(&group, &party, at: 3_000)
        #expect(group.keyring.graph.heads.count == 1)
        #expect(reason(group, after: 4_000) == nil)
        _ = group.add(controls: [party.write(.close, at: 5_000).bytes])
        #expect(reason(group, after: Self.day * 3) == nil)
    }

    @Test func theOnlyOneGoesFirst() {
        let (_, group) = tour(3)
        var generator = SeededGenerator(seed: 1)
        for reason in [RekeyReason.removal, .merge, .leaving, .unreadable, .day] {
            var delays = Set<Duration>()
            for _ in 0..<50 {
                let delay = group.rekeyDelay(of: Party.id(1), for: reason, using: &generator)
                #expect(delay >= .zero && delay < .seconds(15))
                delays.insert(delay)
            }
            #expect(delays.count > 10)
        }
    }

    @Test func wrappingKeysChangeAndAreWiped() throws {
        let first = Party.keys(1).wrapping
        let second = Party.keys(2).wrapping
        var keys = WrappingKeys(admitted: first, wallMilliseconds: 0)
        #expect(!keys.isNewDue(wallMilliseconds: Self.day - 1) && keys.isNewDue(wallMilliseconds: Self.day))
        keys.recordUse(of: [second.publicKey], wallMilliseconds: 5)
        #expect(!keys.isNewDue(wallMilliseconds: 5))
        keys.recordUse(of: [first.publicKey], wallMilliseconds: 5)
        #expect(keys.isNewDue(wallMilliseconds: 5))
        keys.add(second, wallMilliseconds: 6)
        #expect(keys.newest.publicKey == second.publicKey && !keys.isNewDue(wallMilliseconds: 6))
        #expect(keys.pairs.map(\.publicKey) == [second.publicKey, first.publicKey])
        // A newer one that nobody used yet keeps the old one.
        let isEarlyWiped = keys.wipe(wallMilliseconds: Self.day * 30)
        #expect(!isEarlyWiped)
        keys.recordUse(of: [second.publicKey], wallMilliseconds: 100)
        let wiped = [keys.wipe(wallMilliseconds: 99 + Self.day * 7), keys.wipe(wallMilliseconds: 100 + Self.day * 7)]
        #expect(wiped == [false, true])
        #expect(keys.pairs.map(\.publicKey) == [second.publicKey])
        #expect(WrappingKeys([]) == nil)
    }

    @Test func aHeadFromFarAheadEndsNoReason() throws {
        var (party, group) = tour(3)
        try rekeyed(&group, &party, at: Self.day * 3_000)
        #expect(reason(group, after: Self.day) == .day)
        _ = group.add(controls: [party.write(.leave, by: 3, at: 1_000).bytes])
        #expect(reason(group, after: Self.day) == .leaving)
    }
}
