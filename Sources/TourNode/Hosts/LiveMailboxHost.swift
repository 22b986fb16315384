import Logging
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourMailbox
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

/// What surrounds the syncs of a running node.
// Made, used and dropped on the node's loop. What comes later finds the tour again by its id.
struct LiveMailboxHost: MailboxHost {
    let node: TourNode

    var now: Instant { NodeClock.now }

    var rng: SplitMix64 {
        get { node.assumeIsolated { $0.rng } }
        nonmutating set { node.assumeIsolated { $0.rng = newValue } }
    }

    var hasServer: Bool { node.assumeIsolated { $0.mailbox.client != nil && !$0.isStopping } }

    func setting(_ name: String) throws -> String? {
        try node.store.setting(name).map { String(decoding: $0, as: UTF8.self) }
    }

    func setSetting(_ name: String, _ value: String?) throws {
        try node.store.setSetting(name, value: value.map { Array($0.utf8) })
    }

    func client(of base: MailboxBase, authority: String?) throws -> APIClient {
        try APIClient(
            base: base, authority: authority, tokens: SealedTokens(store: node.store), now: { NodeClock.now },
            wallMilliseconds: { NodeClock.wallMilliseconds })
    }

    func releaseMemory() {
        node.reader.submit { [store = node.store] in
            store.releaseMemory()
            return {}
        }
    }

    func facts(of tour: TourID) -> SyncFacts? { node.assumeIsolated { $0.sessions[tour]?.syncFacts } }

    func beginSync(of tour: TourID, from memory: SyncMemory) -> Task<Void, Never>? {
        node.assumeIsolated { $0.beginSync(of: tour, from: memory) }
    }

    func beginLive(of tour: TourID) -> Task<Void, Never>? { node.assumeIsolated { $0.beginLive(of: tour) } }

    func syncSucceeded() { node.notebook.assumeIsolated { $0.retrySync() } }

    func scheduleMemoryRelease() { node.assumeIsolated { $0.mailbox.scheduleMemoryRelease(self) } }

    func report(_ problem: APIError, of tour: TourID) {
        node.logger.debug("sync failed", metadata: ["tour": "\(tour)", "code": "\(problem.code)"])
    }

    func watchingEnd(_ watcher: Int, of tour: TourID) -> @Sendable () -> Void {
        { [weak node] in
            guard let node else { return }
            Task { await node.endWatching(watcher, of: tour) }
        }
    }

    func store(
        _ heads: [MemberID: UInt64], after before: [MemberID: UInt64], at time: Int64, by member: MemberID?,
        of tour: TourID
    ) {
        node.reader.submit { [node] in
            let written = Result { () throws(StoreError) in
                try node.store.recordSynced(tour, heads: heads, at: time, by: member)
            }
            return {
                node.assumeIsolated { node in
                    if case .failure(let error) = written { node.count(error) }
                    node.sessions[tour]?.sync.stored(heads, after: before, node.mailboxHost)
                }
            }
        }
    }

    func confirmHeld(through sequence: UInt64, in tour: TourID) {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return }
            node.feed(session, .heldByServer(through: sequence))
        }
    }

    func notifyOfChange(of author: MemberID, _ range: ClosedRange<UInt64>, in tour: TourID) {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return }
            node.notifyOfChange(author, range, session)
        }
    }

    func links(of tour: TourID) -> [LinkID: Instant] {
        node.assumeIsolated { $0.sessions[tour]?.connections.mapValues(\.openedAt) ?? [:] }
    }

    func send(_ rows: [ClaimRow], on link: LinkID, of tour: TourID) {
        node.assumeIsolated { node in
            guard let connection = node.sessions[tour]?.connections[link], case .member? = connection.peer?.kind else {
                return
            }
            connection.send(.synced(rows))
        }
    }

    func sign(_ digest: [UInt8], in tour: TourID) -> [UInt8]? {
        node.assumeIsolated { $0.sessions[tour]?.keys.identity.sign(digest) }
    }

    func count(_ fault: any Fault) { node.assumeIsolated { $0.count(fault) } }
}

extension TourSession {
    var syncFacts: SyncFacts {
        SyncFacts(own: own, isMember: isMember, roster: group.roster, stored: gossip.stored)
    }

    /// Proves our member to a server.
    var pass: MemberPass { MemberPass(tour: tour, identity: keys.identity) }

    /// Events stored here that no server is known to have.
    var unsynced: UInt64 { sync.unsynced(in: gossip.stored) }
}
