import TourCrypto
import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourNode
import TourWire

/// A node around one tour's syncs, in memory, with a server that answers only when a test says so.
final class MemoryMailboxHost: MailboxHost {
    var now = Instant(microseconds: 1_000_000_000)
    var rng = SplitMix64(seed: 1)
    var hasServer = true

    let keys: MemberKeys
    /// What the tour is here; nil: this node does not have it any more.
    var facts: SyncFacts?
    var links: [LinkID: Instant] = [:]
    private(set) var syncs = 0
    private(set) var streams = 0
    private(set) var stored: [(heads: [MemberID: UInt64], member: MemberID?)] = []
    private(set) var held: [UInt64] = []
    private(set) var sent: [LinkID: [ClaimRow]] = [:]
    private(set) var faults: [String] = []
    private(set) var shown: [ClosedRange<UInt64>] = []
    private(set) var successes = 0
    private(set) var problems: [String] = []

    init(keys: MemberKeys, roster: Roster, stored: [MemberID: UInt64] = [:]) {
        self.keys = keys
        facts = SyncFacts(own: keys.memberID, isMember: true, roster: roster, stored: Frontier(stored))
    }

    func setting(_ name: String) throws -> String? { nil }

    func setSetting(_ name: String, _ value: String?) throws {}

    func client(of base: MailboxBase, authority: String?) throws -> APIClient { throw APIError.invalidURL }

    func releaseMemory() {}

    func facts(of tour: TourID) -> SyncFacts? { facts }

    func beginSync(of tour: TourID, from memory: SyncMemory) -> Task<Void, Never>? {
        guard hasServer else { return nil }
        syncs += 1
        return Task {}
    }

    func beginLive(of tour: TourID) -> Task<Void, Never>? {
        streams += 1
        return Task {}
    }

    func syncSucceeded() { successes += 1 }

    func scheduleMemoryRelease() {}

    func report(_ problem: APIError, of tour: TourID) { problems.append(problem.code) }

    func watchingEnd(_ watcher: Int, of tour: TourID) -> @Sendable () -> Void { {} }

    func store(
        _ heads: [MemberID: UInt64], after before: [MemberID: UInt64], at time: Int64, by member: MemberID?,
        of tour: TourID
    ) { stored.append((heads, member)) }

    func confirmHeld(through sequence: UInt64, in tour: TourID) { held.append(sequence) }

    func notifyOfChange(of author: MemberID, _ range: ClosedRange<UInt64>, in tour: TourID) { shown.append(range) }

    func links(of tour: TourID) -> [LinkID: Instant] { links }

    func send(_ rows: [ClaimRow], on link: LinkID, of tour: TourID) { sent[link, default: []] += rows }

    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]? { keys.identity.sign(digest) }

    func count(_ fault: any Fault) { faults.append(fault.code) }

    /// - Returns: what was sent since the last call.
    func drainSent() -> [LinkID: [ClaimRow]] {
        defer { sent = [:] }
        return sent
    }
}
