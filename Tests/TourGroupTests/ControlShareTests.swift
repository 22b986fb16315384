import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: of a member's control events no more are held than its share, and the same ones whatever order they came in.
/// Method: a guide who writes twice its share of revocations without effect, people let in before and behind them.
struct ControlShareTests {
    private static let invite = Party.invite(1)

    private struct Tour {
        var party = Party()
        var events = [Event]()
        /// The last place that is within the share.
        var end: UInt64 = 0

        init() {
            events = [party.open(invite), party.admit(2, invite)]
            events.append(party.role(2, .guide, seeing: events))
            events.append(party.admit(3, invite, by: 2))
            let names = [EventName](repeating: EventName(.none), count: 1_000)
            let idle = ControlBody.revoke(invite: Party.invite(9).invitePair.publicKey, accepted: names)
            var size = events[3].bytes.count
            while size < 2 * Limits.controlLogBytesMax {
                let event = party.write(idle, by: 2)
                if size < Limits.controlLogBytesMax { end = event.header.sequence }
                size += event.bytes.count
                events.append(event)
            }
            events.append(party.admit(4, invite, by: 2))
            // Whom only the excess let in is nobody, and what it wrote with it.
            events.append(party.admit(5, invite, by: 4))
        }
    }

    @Test func anyOrderLeavesTheSame() throws {
        let tour = Tour()
        var rosters = Set<[UInt8]>()
        var generator = SeededGenerator(seed: 3)
        for round in 0..<4 {
            var group = tour.party.fresh
            var rest = tour.events
            if round == 1 { rest.reverse() }
            if round > 1 { rest.shuffle(using: &generator) }
            // What came before its author was known may have made room for others: it comes again, as everything does.
            for _ in 0..<2 {
                for start in stride(from: 0, to: rest.count, by: 400) {
                    _ = group.add(controls: rest[start..<min(start + 400, rest.count)].map(\.bytes))
                }
            }
            rosters.insert(group.roster.canonicalBytes)
            #expect(group.roster.members[Party.id(3)] != nil && group.roster.members[Party.id(4)] == nil)
            #expect(group.roster.members[Party.id(5)] == nil)
            let held = Set(group.controls(missingFrom: []))
            let theirs = tour.events.filter { $0.header.author == Party.id(2) && held.contains($0.bytes) }
            #expect(theirs.map(\.header.sequence) == Array(1...tour.end))
        }
        #expect(rosters.count == 1)
    }

    @Test func whatIsDroppedIsNamedOnce() {
        let tour = Tour()
        var group = tour.party.fresh
        let (first, second) = (tour.events.suffix(100), tour.events.dropLast(100))
        _ = group.add(controls: first.map(\.bytes))
        _ = group.add(controls: second.map(\.bytes))
        let dropped = group.drainDropped()
        #expect(dropped.isSuperset(of: first.dropLast().filter { $0.header.author == Party.id(2) }.map(\.id)))
        #expect(group.drainDropped().isEmpty)
        // It comes again, and is refused at once.
        #expect(group.add(controls: [first.first!.bytes]).isEmpty && group.drainDropped().isEmpty)
    }

    /// Who has not written that much is not touched by it.
    @Test func othersKeepTheirs() {
        var tour = Tour()
        tour.events.append(tour.party.admit(6, Self.invite, by: 3))
        let group = tour.party.group(of: tour.events)
        #expect(group.roster.members[Party.id(6)] != nil)
    }
}
