import TourCrypto
import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourWire

/// What the syncs with a server need of the node around them. A tour is named by its id, so that nothing here keeps
/// one that was left.
package protocol MailboxHost {
    /// The clock that never steps.
    var now: Instant { get }
    /// Spreads syncs; makes no secrets.
    var rng: SplitMix64 { get nonmutating set }
    /// Whether the node has a server, and is not about to stop.
    var hasServer: Bool { get }

    /// - Returns: nil for a setting that is not stored.
    /// - Throws: `StoreError`.
    func setting(_ name: String) throws -> String?
    /// - Parameter value: nil: removes the setting.
    /// - Throws: `StoreError`.
    func setSetting(_ name: String, _ value: String?) throws
    /// - Parameter authority: a file with the certificates to trust; nil: those of the system.
    /// - Throws: `APIError`.
    func client(of base: MailboxBase, authority: String?) throws -> APIClient
    /// Releases memory that requests have used.
    func releaseMemory()

    /// - Returns: nil for a tour that this node does not have.
    func facts(of tour: TourID) -> SyncFacts?
    /// Begins a sync. `TourSync.record`, `receive` and at last `ended` follow.
    /// - Returns: nil without a server.
    func beginSync(of tour: TourID, from memory: SyncMemory) -> Task<Void, Never>?
    /// Follows the server's live stream. `TourSync.receiveLive` and at last `endedLive` follow.
    /// - Returns: nil without a server.
    func beginLive(of tour: TourID) -> Task<Void, Never>?
    /// A sync succeeded: other things can reach the server as well.
    func syncSucceeded()
    /// Requests used memory, which can be released in a while.
    func scheduleMemoryRelease()
    /// Reports why a sync failed to the log.
    func report(_ problem: APIError, of tour: TourID)
    /// - Returns: calls `TourSync.endWatching`.
    func watchingEnd(_ watcher: Int, of tour: TourID) -> @Sendable () -> Void

    /// Stores how far the server has logs, and then calls `TourSync.stored`.
    /// - Parameters:
    ///   - heads: those that rose.
    ///   - before: what was known before.
    ///   - time: the server's, milliseconds since 1970.
    ///   - member: who says so; nil: the server itself.
    func store(
        _ heads: [MemberID: UInt64], after before: [MemberID: UInt64], at time: Int64, by member: MemberID?,
        of tour: TourID)
    /// The server itself says that it has our own log through this event.
    func confirmHeld(through sequence: UInt64, in tour: TourID)
    /// Events of a log are shown otherwise from now on.
    func notifyOfChange(of author: MemberID, _ range: ClosedRange<UInt64>, in tour: TourID)
    /// The open links, and when each was opened.
    func links(of tour: TourID) -> [LinkID: Instant]
    /// Sends rows on a link, if it leads to a member.
    func send(_ rows: [ClaimRow], on link: LinkID, of tour: TourID)
    /// Our member's signature.
    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]?
    /// Counts a rejected input.
    func count(_ fault: any Fault)
}

/// One tour as its syncs see it.
package struct SyncFacts: Sendable {
    /// Our id in the tour.
    package var own: MemberID
    /// Whether we are in it.
    package var isMember: Bool
    /// Its members, and where their logs end.
    package var roster: Roster
    /// How far the logs are stored here.
    package var stored: Frontier

    package init(own: MemberID, isMember: Bool, roster: Roster, stored: Frontier) {
        self.own = own
        self.isMember = isMember
        self.roster = roster
        self.stored = stored
    }

    /// Each author's head on the disk, cut where its log ends.
    var heads: [MemberID: UInt64] {
        let ends = roster.ends
        return stored.heads.reduce(into: [:]) { heads, head in
            heads[head.key] = min(head.value, ends[head.key] ?? .max)
        }
    }

    /// Of these logs the ones that are behind here, with the last event held: only of authors that the roster knows.
    func behind(_ heads: [MemberID: UInt64]) -> [MemberID: UInt64] {
        let ends = roster.ends
        return heads.reduce(into: [:]) { lacking, head in
            guard roster.members[head.key] != nil else { return }
            let last = min(head.value, ends[head.key] ?? .max)
            if stored[head.key] < last { lacking[head.key] = stored[head.key] }
        }
    }

    /// The members by the first eight bytes of their ids; two members who share these bytes are left out.
    var membersByPrefix: [UInt64: MemberID] {
        let pairs = roster.members.keys.map { ($0.prefix, Optional($0)) }
        return Dictionary(pairs) { _, _ in nil }.compactMapValues { $0 }
    }
}
