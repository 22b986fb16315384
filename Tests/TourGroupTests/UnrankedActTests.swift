import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: what takes a rank is held of those to whom somebody gave one, whatever order it came in, and of nobody else.
/// Method: a member without a rank writes removals, and is made a guide before or afterwards.
struct UnrankedActTests {
    private static let invite = Party.invite(1)

    private struct Tour {
        var party = Party()
        var known = [Event]()
        var acts = [Event]()

        init(acts count: Int) {
            known = [party.open(invite)] + (2...4).map { party.admit($0, invite) }
            for _ in 0..<count {
                let removal = ControlBody.remove(
                    .init(member: Party.id(4), sequence: 0, last: .none, revoked: [], accepted: [], controls: []))
                acts.append(party.write(removal, by: 2))
            }
        }
    }

    @Test func aMemberWithoutARankMakesNobodyHoldItsActs() {
        let tour = Tour(acts: 3_000)
        let group = tour.party.group(of: tour.known + tour.acts)
        #expect(group.controlCount == tour.known.count + 1)
        #expect(group.roster.members[Party.id(4)]?.isActive == true)
        // In a log as well.
        var other = tour.party.group(of: tour.known)
        let added = other.add(verified: tour.acts)
        #expect(added.isEmpty)
        #expect(other.controlCount == tour.known.count + 1)
    }

    @Test func aRankThatComesToBeKnownLaterBringsThemBack() {
        var tour = Tour(acts: 0)
        let rank = tour.party.write(.role(.init(member: Party.id(2), rank: .guide, sequence: 0, replaces: [])))
        let removal = tour.party.remove(4, by: 2, seeing: tour.known + [rank])
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<8 {
            var group = tour.party.fresh
            for event in (tour.known + [rank, removal]).shuffled(using: &generator) {
                _ = group.add(controls: [event.bytes])
            }
            #expect(group.roster.members[Party.id(4)]?.isRemoved == true)
            let missing = group.drainMissingActs()
            #expect(missing.isEmpty)
        }
    }

    /// More than wait are in their author's log: the shell is told whose to read.
    @Test func whoseActsAreMissingIsSaid() {
        var tour = Tour(acts: 200)
        let rank = tour.party.write(.role(.init(member: Party.id(2), rank: .guide, sequence: 0, replaces: [])))
        var group = tour.party.group(of: tour.known)
        _ = group.add(verified: tour.acts)
        var missing = [group.drainMissingActs()]
        _ = group.add(controls: [rank.bytes])
        missing += [group.drainMissingActs(), group.drainMissingActs()]
        #expect(missing == [[], [Party.id(2)], []])
        _ = group.add(controls: tour.acts.map(\.bytes))
        #expect(group.controlCount == tour.known.count + 2 + tour.acts.count)
        #expect(group.roster.members[Party.id(4)]?.isRemoved == true)
        // All at once, as at a start, none is missing.
        let whole = tour.party.group(of: [rank] + tour.acts + tour.known)
        #expect(whole.controlCount == group.controlCount && whole.roster == group.roster)
    }

    /// Who was made a guide by somebody without a rank has none either.
    @Test func aRankByNobodyIsNone() {
        var tour = Tour(acts: 0)
        let void = tour.party.write(.role(.init(member: Party.id(3), rank: .guide, sequence: 0, replaces: [])), by: 2)
        let closing = tour.party.write(.close, by: 3)
        let group = tour.party.group(of: tour.known + [void, closing])
        #expect(group.controlCount == tour.known.count + 1)
    }
}
