import Foundation
import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: the same control events give the same roster, byte for byte, in any order and by way of any parts.
/// Method: tours whose members say all that they can, allowed or not, drawn from seeds; each fed to groups many times.
struct RosterPurityTests {
    /// One tour's events, drawn from a seed.
    private struct Draw {
        static let members = 8
        var party = Party()
        var generator: SeededGenerator
        let invites = [Party.invite(1), Party.invite(2), Party.invite(3)]
        var events = [Event]()
        var roles = [EventID]()

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            events = [party.open(invites[0])]
            for member in 2...Self.members {
                events.append(party.admit(member, invites[0], by: member > 5 ? member - 3 : nil))
            }
            for (member, rank) in [(2, Rank.admin), (3, .admin), (4, .guide), (5, .creator)] {
                let after = number(2)
                write(.role(.init(member: Party.id(member), rank: rank, sequence: after, replaces: [])), by: nil)
            }
            for _ in 0..<20 { act() }
        }

        mutating func number(_ below: UInt64) -> UInt64 { UInt64.random(in: 0..<below, using: &generator) }

        mutating func member() -> Int { Int(number(UInt64(Self.members))) + 1 }

        /// Nil is the creator.
        mutating func author() -> Int? {
            let author = member()
            return author == 1 ? nil : author
        }

        mutating func write(_ body: ControlBody, by author: Int?) {
            let before = party
            let wall = Int64(number(50))
            let event = party.write(body, by: author, at: wall)
            events.append(event)
            if case .role = body { roles.append(event.id) }
            // Now and then the next event takes the same place.
            if author != nil, number(25) == 0 { party = before }
        }

        mutating func part<Element>(of list: [Element]) -> [Element] {
            var part = [Element]()
            for element in list where number(2) == 0 { part.append(element) }
            return part
        }

        mutating func one<Element>(of list: [Element]) -> Element {
            let index = Int(number(UInt64(list.count)))
            return list[index]
        }

        mutating func act() {
            let target = Party.id(member())
            switch number(8) {
            case 0, 1, 2:
                let rank = one(of: Rank.allCases)
                let replaces = part(of: roles)
                let after = number(4)
                let author = author()
                let named = part(of: events).map { EventName($0.id) }
                write(
                    .role(.init(member: target, rank: rank, sequence: after, replaces: replaces, controls: named)),
                    by: author)
            case 3, 4:
                let admits = part(of: events).map { EventName($0.id) }
                let last = one(of: events).id
                let revoked = number(4) == 0 ? [invites[1].invitePair.publicKey] : []
                let cut = number(5)
                let named = part(of: events).map { EventName($0.id) }
                let author = author()
                write(
                    .remove(
                        .init(
                            member: target, sequence: cut, last: last, revoked: revoked, accepted: admits,
                            controls: named)),
                    by: author)
            case 5:
                let invite = one(of: invites)
                let uses = UInt32(number(3))
                let body = party.founding.group.inviteBody(invite, uses: uses, expiresAt: nil, under: party.epoch)
                let author = author()
                write(body, by: author)
            case 6:
                let accepted = part(of: events).map { EventName($0.id) }
                let invite = one(of: invites).invitePair.publicKey
                let author = author()
                write(.revoke(invite: invite, accepted: accepted), by: author)
            default:
                let newcomer = Self.members + Int(number(6))
                let invite = one(of: invites)
                let request = party.request(Party.keys(newcomer), invite)
                let author = author()
                write(.admit(request), by: author)
            }
        }
    }

    /// In `Scripts/soak` ten thousand orders and a thousand partitions, else about a twentieth.
    private static let isSoak = ProcessInfo.processInfo.environment["TOUR_SOAK"] != nil

    @Test func anyOrderGivesTheSameBytes() throws {
        for seed in 0..<UInt64(Self.isSoak ? 910 : 60) {
            let draw = Draw(seed: seed)
            var generator = draw.generator
            let expected = draw.party.group(of: draw.events).roster
            for round in 0..<11 {
                var group = draw.party.fresh
                var order = draw.events.shuffled(using: &generator)
                while !order.isEmpty {
                    let part = Array(order.prefix(Int.random(in: 5...30, using: &generator)))
                    order.removeFirst(part.count)
                    if round == 0 { _ = group.add(controls: part.map(\.bytes)) } else { _ = group.add(verified: part) }
                }
                #expect(group.roster.canonicalBytes == expected.canonicalBytes, "seed \(seed)")
                #expect(group.roster == expected, "seed \(seed)")
            }
        }
    }

    @Test func partsThatMeetHaveTheSameBytes() {
        for seed in 1_000..<UInt64(Self.isSoak ? 2_000 : 1_050) {
            let draw = Draw(seed: seed)
            var generator = draw.generator
            let expected = draw.party.group(of: draw.events).roster.stateHash
            var parts = [[Event]](repeating: [], count: 3)
            for event in draw.events { parts[Int.random(in: 0..<3, using: &generator)].append(event) }
            var groups = parts.map { draw.party.group(of: $0) }
            // Who explains whom may alternate between the parts: they compare until nothing is new.
            var grew = true
            while grew {
                grew = false
                for (left, right) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
                    let missing = groups[left].controls(missingFrom: groups[right].controlIndex)
                    let news = groups[right].add(controls: missing)
                    if !news.isEmpty { grew = true }
                }
            }
            #expect(Set(groups.map(\.controlCount)).count == 1, "seed \(seed)")
            #expect(groups.allSatisfy { $0.roster.stateHash == expected }, "seed \(seed)")
        }
    }

    @Test func differentRostersHaveDifferentBytes() {
        let draw = Draw(seed: 7)
        var hashes = Set<Bytes32>()
        var rosters = Set<Roster>()
        for count in 0...draw.events.count {
            let roster = draw.party.group(of: Array(draw.events.prefix(count))).roster
            hashes.insert(roster.stateHash)
            rosters.insert(roster)
        }
        #expect(rosters.count > 10)
        #expect(hashes.count == rosters.count)
    }
}
