import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a member that makes up devices fills its own share and nobody else's, and all nodes hold the same of it.
/// Method: a member admits devices under a code that nobody opened; these admit others, and all write.
struct IntroducedShareTests {
    private static let invite = Party.invite(1)
    private static let unopened = Party.invite(9)
    private static let member = 2
    private static let introduced = 10...17

    private struct Tour {
        var party = Party()
        var events = [Event]()
        /// That 3 wrote two logs, as the last of the devices tells.
        var proof: Event

        init() throws {
            events = [party.open(invite), party.admit(member, invite), party.admit(3, invite)]
            var copy = party
            let branches = [copy.admit(4, invite, by: 3), party.admit(5, invite, by: 3)]
            // The one at the end, and the last but one, are known by what the one before wrote.
            for device in introduced {
                let introducer = device > introduced.upperBound - 2 ? device - 1 : member
                events.append(party.admit(device, unopened, by: introducer))
            }
            let fork = try #require(
                ForkProof(identity: Party.keys(3).identity.publicKey, branches[0], branches[1]))
            // Of each a quarter of a share: more than two in all. Nobody leaves twice, and these devices are not in.
            for author in [member] + introduced {
                var size = 0
                while size < Limits.plainControlBytesMax / 4 {
                    events.append(party.write(.leave, by: author))
                    size += events[events.count - 1].bytes.count
                }
            }
            proof = party.write(.fork(fork), by: introduced.upperBound)
            events.append(proof)
            // An author whom a member did not introduce has a share of its own.
            events.append(party.write(.revoke(invite: Party.invite(8).invitePair.publicKey, accepted: [])))
        }

        func isBelow(_ event: Event) -> Bool {
            ([member] + introduced).contains { Party.id($0) == event.header.author }
        }
    }

    @Test func whatADeviceBelowAMemberWritesIsTheMembers() throws {
        let tour = try Tour()
        let group = tour.party.group(of: tour.events)
        let bytesHeld = Set(group.controls(missingFrom: []))
        let held = tour.events.filter { bytesHeld.contains($0.bytes) }
        let below = held.filter(tour.isBelow)
        let bytes = below.reduce(0) { $0 + $1.bytes.count }
        let longest = tour.events.map(\.bytes.count).max() ?? 0
        // The member's first leave, the proof, and the admissions that explain it are kept in any case.
        #expect(bytes >= Limits.plainControlBytesMax && bytes < Limits.plainControlBytesMax + longest + 3_500)
        // What the member wrote itself comes first.
        let own = tour.events.filter { $0.header.author == Party.id(Self.member) }
        #expect(Set(own.map(\.id)).isSubset(of: Set(below.map(\.id))))
        #expect(held.count - below.count == tour.events.count { !tour.isBelow($0) })
    }

    /// Whatever became of the device that wrote it, a proof proves: it is not among what goes.
    @Test func theRosterRestsOnNothingThatGoes() throws {
        let tour = try Tour()
        let group = tour.party.group(of: tour.events)
        #expect(group.roster.members[Party.id(3)]?.isForked == true)
        let held = Set(group.controls(missingFrom: []))
        let again = tour.party.group(of: tour.events.filter { held.contains($0.bytes) })
        #expect(held.contains(tour.proof.bytes))
        #expect(again.roster == group.roster)
        let without = tour.party.group(of: tour.events.filter { !tour.isBelow($0) || $0.id == tour.proof.id })
        #expect(without.roster.members[Party.id(3)]?.isForked == false)
    }

    @Test func anyOrderLeavesTheSame() throws {
        let tour = try Tour()
        var generator = SeededGenerator(seed: 5)
        let expected = Set(tour.party.group(of: tour.events).controls(missingFrom: []))
        for round in 0..<3 {
            var group = tour.party.fresh
            var events = tour.events
            if round == 1 { events.reverse() }
            if round == 2 { events.shuffle(using: &generator) }
            // What waited too long for its author comes again, as it does from links.
            for _ in 0..<3 {
                for start in stride(from: 0, to: events.count, by: 500) {
                    _ = group.add(controls: events[start..<min(start + 500, events.count)].map(\.bytes))
                }
            }
            #expect(Set(group.controls(missingFrom: [])) == expected)
        }
    }

    /// A device that the roster comes to name has a share of its own.
    @Test func whoIsLetInHasAShareOfItsOwn() throws {
        var tour = try Tour()
        tour.events.append(tour.party.open(Self.unopened))
        let group = tour.party.group(of: tour.events)
        #expect(group.roster.members[Party.id(Self.introduced.upperBound)] != nil)
        #expect(group.controls(missingFrom: []).count == tour.events.count)
    }
}
