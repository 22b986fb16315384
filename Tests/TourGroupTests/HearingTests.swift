import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: who is out hears of nobody who came later, whatever keys it comes with; who was let in elsewhere comes in.
/// Method: a member is removed and the rest rekeys; links under the secrets of before and after.
struct HearingTests {
    private static let invite = Party.invite(1)
    private var party = Party()
    private var group: TourGroup
    private let before: EpochID
    private let after: EpochID

    init() throws {
        var party = Party()
        let events = [party.open(Self.invite), party.admit(2, Self.invite), party.admit(3, Self.invite)]
        var group = party.group(of: events)
        before = party.epoch.id
        _ = group.add(controls: [party.remove(2, seeing: events).bytes])
        let secret = SecretBytes([UInt8](repeating: 9, count: 32))
        let rekey = party.write(try group.rekeyBody(key: secret, by: Party.id(1)))
        _ = group.add(controls: [rekey.bytes])
        after = EpochID(raw: rekey.id.raw)
        (self.party, self.group) = (party, group)
    }

    @Test func anOldSecretIsNoReasonToTell() {
        let unknown = Party.id(9)
        #expect(group.hearing(of: unknown, through: before) == .nothing)
        #expect(group.hearing(of: unknown, through: after) == .all)
        // A secret of no epoch that is known says nothing either.
        #expect(group.hearing(of: unknown, through: nil) == .nothing)
    }

    /// Under a new link key, with whatever secret: its identity says that it is out.
    @Test func whoIsOutIsToldWhy() {
        #expect(group.hearing(of: Party.id(2), through: before) == .ending)
        #expect(group.hearing(of: Party.id(2), through: after) == .ending)
        #expect(!group.ending(of: Party.id(2)).isEmpty)
    }

    /// As long as nobody is out, everybody who has the secret may hear who is in.
    @Test func whileNobodyIsOutEverySecretIsGood() {
        let group = party.fresh
        #expect(group.hearing(of: Party.id(9), through: before) == .all)
    }

    /// It brings what it has: then it is in the roster, and hears all.
    @Test func whoWasLetInElsewhereComesIn() {
        var (party, group) = (party, group)
        let admission = party.admit(9, Party.invite(2), by: 3)
        let invite = party.open(Party.invite(2))
        #expect(group.hearing(of: Party.id(9), through: before) == .nothing)
        _ = group.add(controls: [invite.bytes, admission.bytes])
        let keys = Party.keys(9)
        #expect(group.roster.standing(of: Party.id(9), on: keys.link.publicKey, isRestricted: true) == .begins)
        let missing = group.controls(missingFrom: [invite, admission].map { EventName($0.id) })
        #expect(missing.count == 5)
    }
}
