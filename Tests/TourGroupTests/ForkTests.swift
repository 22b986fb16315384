import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: who writes two events for one place in its log is held to what came before it, on every node alike.
/// Method: proofs that hold and proofs that do not, and two control events at one place.
struct ForkTests {
    private var party = Party()
    private let invite = Party.invite(1)
    private var known = [Event]()
    /// What 2 wrote first, and then twice.
    private var first: Event
    private var branches = [Event]()

    init() {
        var party = Party()
        known = [party.open(invite), party.admit(2, invite), party.admit(3, invite)]
        first = party.admit(4, invite, by: 2)
        for newcomer in [5, 6] {
            var copy = party
            branches.append(copy.admit(newcomer, invite, by: 2))
        }
        self.party = party
    }

    private var identity: SigningKey { Party.keys(2).identity.publicKey }

    private func proof() throws -> ForkProof {
        try #require(ForkProof(identity: identity, branches[0], branches[1]))
    }

    @Test func aProofEndsTheLogBeforeTheFork() throws {
        var party = party
        let event = party.write(.fork(try proof()), by: 3)
        let roster = party.group(of: known + [first, branches[0], event]).roster
        let member = try #require(roster.members[Party.id(2)])
        #expect(member.isForked && !member.isActive && !member.isRemoved)
        #expect(member.end?.sequence == 1)
        #expect(roster.members[Party.id(4)] != nil && roster.members[Party.id(5)] == nil)
        #expect(ForkProof(identity: identity, first, branches[0]) == nil)
        #expect(ForkProof(identity: identity, first, first) == nil)
    }

    @Test func twoControlEventsAtOnePlaceAreAProof() {
        let roster = party.group(of: known + [first] + branches).roster
        #expect(roster.members[Party.id(2)]?.isForked == true)
        #expect(roster.members[Party.id(4)] != nil)
        #expect(roster.members[Party.id(5)] == nil && roster.members[Party.id(6)] == nil)
        let one = party.group(of: known + [first, branches[1]]).roster
        #expect(one.members[Party.id(2)]?.isForked == false && one.members[Party.id(6)] != nil)
    }

    @Test func aControlEventInThePlaceOfWordsProvesAFork() throws {
        var party = party
        var author = party.author(2)
        let words = author.write(.text("Here", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall)
        let group = party.group(of: known + [first, branches[0]])
        let rival = try #require(group.rival(of: words))
        #expect(rival.id == branches[0].id)
        let proof = try #require(ForkProof(identity: identity, tour: party.tour, between: [words], and: [rival]))
        let roster = party.group(of: known + [first, branches[0], party.write(.fork(proof), by: 3)]).roster
        #expect(roster.members[Party.id(2)]?.isForked == true && roster.members[Party.id(2)]?.end?.sequence == 1)
        // Two control events show it by themselves; and what stands where nothing else does has no rival.
        #expect(group.rival(of: branches[1]) == nil)
        let next = author.write(.text("There", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall)
        #expect(group.rival(of: next) == nil)
    }

    /// Found by the fuzzer: a log of somebody who is no member forked, which no welcome tells.
    @Test func theForkOfAStrangerIsNoPartOfTheRoster() {
        var party = party
        let unknown = Party.invite(9)
        let void = party.admit(7, unknown)
        let copies = [10, 11].map { newcomer in
            var copy = party
            return copy.admit(newcomer, invite, by: 7)
        }
        let group = party.group(of: known + [void] + copies)
        var joiner = party.fresh
        _ = joiner.add(controls: group.welcome)
        #expect(joiner.roster == group.roster)
    }

    /// Found by the fuzzer: a wrapping key that nobody needs any more was left out when nodes compared what they hold,
    /// also where it shows that its log forks.
    @Test func aSupersededKeyThatShowsAForkIsTold() {
        var party = party
        let keys = [20, 21].map { party.write(.wrappingKey(Party.keys($0).wrapping.publicKey), by: 2) }
        let needless = party.group(of: known + [first] + keys)
        #expect(!needless.controls(missingFrom: []).contains(keys[0].bytes))
        let knowing = party.group(of: known + [first, branches[0]] + keys)
        var other = party.group(of: known + [first, branches[0], keys[1]])
        #expect(other.roster.members[Party.id(2)]?.isForked == false)
        _ = other.add(controls: knowing.controls(missingFrom: other.controlIndex))
        #expect(other.roster.members[Party.id(2)]?.isForked == true)
        #expect(other.roster == knowing.roster)
    }

    @Test func falseProofsAreNotTaken() throws {
        let good = try proof()
        var stranger = good
        stranger.identity = Party.keys(3).identity.publicKey
        var unsigned = good
        unsigned.second.signature[0] ^= 1
        var changed = good
        changed.second.header[100] ^= 1
        let same = ForkProof(identity: identity, first: good.first, second: good.first)
        let apart = ForkProof(identity: identity, first: .init(first), second: good.second)
        for proof in [stranger, unsigned, changed, same, apart] {
            var party = party
            var group = party.group(of: known)
            let taken = group.add(controls: [party.write(.fork(proof), by: 3).bytes])
            #expect(taken.isEmpty)
            #expect(group.roster.members[Party.id(2)]?.isForked == false)
        }
    }

    /// The author put rubbish where the signature of the first differing event stands: the chain proves it, to us.
    @Test func whatIsNotSignedProvesNothing() throws {
        var party = party
        let second = party.admit(7, invite, by: 2)
        let third = party.admit(8, invite, by: 2)
        var other = self.party
        _ = other.admit(9, invite, by: 2)
        let soundThird = other.admit(10, invite, by: 2)
        let rubbish = Event(second.header, signature: [UInt8](repeating: 1, count: 64), body: second.body)
        let stored = [first, second, third]
        #expect(ForkProof(identity: identity, tour: party.tour, between: stored, and: [first, rubbish]) == nil)
        let proof = try #require(
            ForkProof(identity: identity, tour: party.tour, between: stored, and: [first, rubbish, soundThird]))
        #expect(proof.place(in: party.tour)?.sequence == third.header.sequence)
        let taken = party.group(of: known + [party.write(.fork(proof), by: 3)])
        #expect(taken.roster.members[Party.id(2)]?.isForked == true)
    }

    @Test func aProofOfAnotherTourIsNone() throws {
        var other = Party(salt: 9)
        var group = other.group(of: [other.open(invite), other.admit(2, invite)])
        let taken = group.add(controls: [other.write(.fork(try proof())).bytes])
        #expect(taken.isEmpty)
    }
}
