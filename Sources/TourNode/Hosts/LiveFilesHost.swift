import NIOCore
import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

/// What surrounds the files of one tour in a running node. Results of jobs and timers find the tour again by its id, so
/// that they go to its present membership, and to nobody once it is gone.
// Made, used and dropped on the node's loop, to which the session belongs.
struct LiveFilesHost: FilesHost, @unchecked Sendable {
    // It is the session's own.
    unowned let session: TourSession

    private var node: TourNode? { session.node }

    var now: Instant { NodeClock.now }
    var isStopping: Bool { node?.assumeIsolated { $0.isStopping } ?? true }
    var policy: FilePolicy { node?.assumeIsolated { $0.filePolicy } ?? .ask }

    var own: MemberID { session.own }
    var isMember: Bool { session.isMember }
    var wantsLinks: Bool { session.wantsLinks }
    var deliveredThrough: UInt64 { session.machine.receipts.state.marks[session.own]?.deliveredThrough ?? 0 }
    var sendingKey: EpochKey? { session.group.keyring.sending }
    var receivingKeys: [EpochKey] { session.group.keyring.heardKeys }
    var keyRevision: Int { session.group.keyring.revision }

    func content(of event: Event) -> Content? { try? session.group.open(event) }

    func isWithdrawn(_ message: EventID, by author: MemberID) -> Bool {
        session.withdrawals.contains(Withdrawal(event: message, author: author))
    }

    // MARK: - Links and segments

    var neighbours: [LinkID: MemberID] { session.gossip.neighbours }
    var segments: [SegmentID] { session.segments }

    func listeners(on segment: SegmentID) -> Listeners { session.gossip.listeners(on: segment, now: NodeClock.now) }

    func carriesCasts(on segment: SegmentID) -> Bool { port(on: segment)?.takesCasts == true }

    func send(_ message: LinkMessage, on link: LinkID) { session.connections[link]?.send(message) }

    func send(_ ask: CastAsk, on segment: SegmentID) {
        node?.assumeIsolated { $0.feed(session, .castAsks(segment, [ask])) }
    }

    func cast(_ batch: [[UInt8]], on segment: SegmentID, sent: @escaping @Sendable (TourFiles) -> Void) -> Bool {
        guard let node, let accepted = port(on: segment)?.cast(batch) else { return false }
        let report = Self.report(to: node, session.tour, sent)
        // In a turn of the loop of its own: a socket that accepts datagrams at once would otherwise recurse ever
        // deeper.
        accepted.whenComplete { [loop = node.loop] _ in loop.execute(report) }
        return true
    }

    private func port(on segment: SegmentID) -> MulticastPort? {
        node?.assumeIsolated { $0.multicast.ports[segment]?.port }
    }

    // MARK: - Timers and the disk

    func schedule(after delay: Duration, _ work: @escaping @Sendable (TourFiles) -> Void) -> FilesTimer {
        guard let node else { return FilesTimer {} }
        let report = Self.report(to: node, session.tour, work)
        let task = node.loop.scheduleTask(in: .microseconds(max(0, delay.microseconds))) { () -> Void in report() }
        return FilesTimer { task.cancel() }
    }

    /// Does work on the files that a tour has by then.
    private static func report(
        to node: TourNode, _ tour: TourID, _ work: @escaping @Sendable (TourFiles) -> Void
    ) -> @Sendable () -> Void {
        { [weak node] in node?.assumeIsolated { node in _ = node.withFiles(of: tour, work) } }
    }

    func submit(_ work: @escaping @Sendable () -> @Sendable (TourFiles) -> Void) {
        guard let node else { return }
        let tour = session.tour
        node.files.submit {
            let completion = work()
            return { node.assumeIsolated { node in _ = node.withFiles(of: tour, completion) } }
        }
    }

    func open(
        _ manifest: BlobManifest, isAsked: Bool, keeping kept: Set<BlobID>,
        _ done: @escaping @Sendable (TourFiles, Result<BlobFile, StoreError>) -> Void
    ) {
        guard let store = node?.store else { return }
        let tour = session.tour
        let isRanked = session.group.roster.rank(of: manifest.author)?.leads == true || manifest.author == own
        let quota = BlobQuota.quota(isRanked: isRanked, isBounded: policy != .always)
        submit {
            let result = Result { () throws(StoreError) -> BlobFile in
                try store.addBlob(manifest, to: tour, quota: quota, isAsked: isAsked) {
                    kept.contains($0.manifest.id)
                }
            }
            return { done($0, result) }
        }
    }

    func remove(_ id: BlobID) {
        guard let store = node?.store else { return }
        let tour = session.tour
        submit {
            try? store.removeBlob(id, of: tour)
            return { _ in }
        }
    }

    // MARK: - The server

    var reachesServer: Bool {
        guard session.sync.problem == nil, session.sync.answeredAt != nil else { return false }
        return node?.assumeIsolated { $0.mailbox.client != nil } ?? false
    }

    func beginTransfer(_ work: OnlineFiles.Work) -> Task<Void, Never>? {
        node?.assumeIsolated { $0.beginTransfer(work, session) }
    }

    // MARK: - Notifications

    func notifyOfChange(_ author: MemberID, _ sequence: UInt64) {
        node?.assumeIsolated { $0.notifyOfChange(author, sequence...sequence, session) }
    }

    func count(_ fault: any Fault) { node?.assumeIsolated { $0.count(fault) } }
}

/// The files of a tour in a running node, for a task.
struct LiveFilesAccess: FilesAccess {
    let node: TourNode
    let tour: TourID

    func perform<Value: Sendable>(_ work: @Sendable (TourFiles) -> Value) async -> Value? {
        await node.withFiles(of: tour, work)
    }

    func settle() async { await node.settleFiles() }
}
