import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: admissions that hang on one another backwards count as if all were gone through round by round.
/// Method: chains that are dated forwards, backwards and at random, against a reckoning by rounds.
struct AdmissionRoundsTests {
    private static let invite = Party.invite(1)

    /// Members by the rule as it is written, from who admits whom at which time.
    private func members(_ admissions: [(by: Int, newcomer: Int, at: Int64)]) -> Set<Int> {
        var members: Set<Int> = [1]
        var open = admissions.sorted { $0.at < $1.at }
        var grew = true
        while grew {
            grew = false
            for admission in open where members.contains(admission.by) && members.insert(admission.newcomer).inserted {
                grew = true
            }
            open.removeAll { members.contains($0.newcomer) }
        }
        return members
    }

    @Test(arguments: [1, 2, 3])
    func anyOrderOfDatesGivesTheSameMembers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var times = (0..<40).map { Int64($0) * 1_000 }
        if seed == 2 { times.reverse() }
        if seed == 3 { times.shuffle(using: &generator) }
        var admissions = [(by: Int, newcomer: Int, at: Int64)]()
        for (index, time) in times.enumerated() {
            let newcomer = index + 2
            admissions.append((Int.random(in: max(1, newcomer - 3)..<newcomer, using: &generator), newcomer, time))
        }
        var party = Party()
        var events = [party.open(Self.invite)]
        // Each of its author's own log, dated as it likes.
        for admission in admissions {
            let request = party.request(Party.keys(admission.newcomer), Self.invite)
            if admission.by == 1 {
                events.append(party.write(.admit(request), at: admission.at))
            } else {
                let place = UInt64(admission.newcomer)
                events.append(party.dateBack(.admit(request), by: admission.by, to: place, at: admission.at))
            }
        }
        let roster = party.group(of: events).roster
        let expected = members(admissions)
        #expect(Set(roster.members.keys) == Set(expected.map { $0 == 1 ? Party.id(1) : Party.id($0) }))
        #expect(expected.count == admissions.count + 1)
    }

    /// Sponsors and places are given in the order of the rounds.
    @Test func aSponsorIsFullInTheOrderOfTheRounds() {
        var party = Party()
        var events = [party.open(Self.invite), party.admit(2, Self.invite)]
        for newcomer in 3..<3 + Limits.sponsoredMax + 5 { events.append(party.admit(newcomer, Self.invite, by: 2)) }
        let roster = party.group(of: events).roster
        #expect(roster.members.count == 2 + Limits.sponsoredMax)
        #expect(roster.members[Party.id(3)] != nil)
        #expect(roster.members[Party.id(3 + Limits.sponsoredMax)] == nil)
    }
}
