import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: what keeps attackers small leaves an honest tour alone: a crowd of two hundred comes in, dozens are taken out
/// on one day, each with an epoch of its own, and their guide's share is hardly touched.
/// Method: a creator's log, with all that it writes of these.
struct HonestTourTests {
    private static let people = 200
    private static let removals = 46
    private static let invite = Party.invite(1)

    @Test func removalsOfADayTakeLittleOfAShare() throws {
        var party = Party()
        var group = party.fresh
        func add(_ event: Event) throws { #expect(group.add(controls: [event.bytes]) == [event]) }
        try add(party.open(Self.invite))
        let admissions = (2...Self.people).map { party.admit($0, Self.invite, at: Int64($0)) }
        #expect(group.add(controls: admissions.map(\.bytes)).count == admissions.count)
        for number in 2..<2 + Self.removals {
            let log = party.log(number, through: party.tail(number))
            try add(party.write(group.removeBody(Party.id(number), log: log), at: Int64(number) * 60_000))
            // Everybody has spoken: all who are in get a wrap.
            let body = try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(1))
            try add(party.write(body, at: Int64(number) * 60_000 + 1))
            // Each removal ends the codes that were open.
            try add(party.open(Party.invite(UInt8(number))))
        }
        #expect(group.roster.active.count == Self.people - Self.removals)
        #expect(group.keyring.graph.heads.count == 1)
        let own = group.controls(missingFrom: []).reduce(0) { $0 + $1.count }
        // A whole tour of such days before what is kept for governing is touched.
        #expect(own < LogShare.ordinary.control / 8, "\(own) bytes")
    }

    /// A leader whose share others have used up gives the tour into other hands, which have a share of their own.
    @Test func aSuccessorActsWhereAShareIsUsedUp() throws {
        var party = Party()
        var group = party.group(of: [party.open(Self.invite), party.admit(2, Self.invite), party.admit(3, Self.invite)])
        var size = LogSize.zero
        size.add(.control, byteCount: LogShare.ordinary.control)
        #expect(!LogShare.ordinary.hasRoom(for: .control, after: size))
        #expect(LogShare.ofTour.hasRoom(for: .control, after: size))
        let log = party.log(2, through: party.tail(2))
        let role = party.write(group.roleBody(Party.id(2), .admin, log: log))
        _ = group.add(controls: [role.bytes])
        let removal = party.write(
            group.removeBody(Party.id(3), log: party.log(3, through: party.tail(3))), by: 2, at: 10)
        _ = group.add(controls: [removal.bytes])
        let body = try group.rekeyBody(key: EpochKey.randomKey(), by: Party.id(2))
        #expect(group.add(controls: [party.write(body, by: 2, at: 20).bytes]).count == 1)
        #expect(group.roster.members[Party.id(3)]?.isRemoved == true)
    }
}
