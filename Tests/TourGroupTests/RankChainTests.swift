import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: role events that replace one another in a long chain rank a member by the last, and cost no more than they are
/// many.
/// Method: an admin changes one member's rank again and again, each time replacing the one before.
struct RankChainTests {
    private static let invite = Party.invite(1)

    private struct Tour {
        var party = Party()
        var known = [Event]()
        var chain = [Event]()

        init(changes: Int) {
            known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
            known.append(party.write(.role(.init(member: Party.id(2), rank: .admin, sequence: 0, replaces: []))))
            for index in 0..<changes {
                let replaces = chain.last.map { [$0.id] } ?? []
                let rank: Rank = index % 2 == 0 ? .guide : .member
                chain.append(
                    party.write(.role(.init(member: Party.id(3), rank: rank, sequence: 0, replaces: replaces)), by: 2))
            }
        }
    }

    @Test func theLastOfAChainCounts() {
        for changes in [1, 2, 63, 64, Limits.rolesOnMemberMax] {
            let tour = Tour(changes: changes)
            let member = tour.party.group(of: tour.known + tour.chain).roster.members[Party.id(3)]
            #expect(member?.rank == (changes % 2 == 1 ? .guide : .member))
            #expect(member?.roles == tour.chain.suffix(1).map(\.id))
        }
    }

    /// What one author wrote on one member beyond the bound says nothing, in whatever order it came.
    @Test func thoseBeyondTheBoundAreWithoutEffect() {
        let tour = Tour(changes: Limits.rolesOnMemberMax + 300)
        let bounded = tour.party.group(of: tour.known + tour.chain.prefix(Limits.rolesOnMemberMax))
        var generator = SeededGenerator(seed: 8)
        let whole = tour.party.group(of: (tour.known + tour.chain).shuffled(using: &generator))
        #expect(whole.roster == bounded.roster)
        #expect(whole.roster.members[Party.id(3)]?.rank == .member)
    }
}
