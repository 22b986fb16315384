import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourMailbox
import TourModel
import TourRuntime
import TourStore

/// One tour of a node, as its sync sees it.
struct SessionPeer: SyncPeer {
    let node: TourNode
    let tour: TourID

    func heads() async -> [MemberID: UInt64] { await node.syncHeads(tour) }

    func behind(_ heads: [MemberID: UInt64]) async -> [MemberID: UInt64] { await node.syncBehind(heads, tour) }

    func events(of author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int) async -> [Event] {
        await node.syncEvents(tour, author, from: first, through: last, bytesMax: bytesMax)
    }

    func controls(behind heads: [MemberID: UInt64]) async -> [Event] {
        await node.syncControls(behind: heads, tour)
    }

    func introduction() async -> Introduction {
        await node.syncIntroduction(tour)
    }

    func hasArchive() async -> Bool { await node.syncHasArchive(tour) }

    func keys(_ epochs: [EpochID], forArchive archive: MemberID) async -> [WrappedEpoch] {
        await node.syncKeys(epochs, forArchive: archive, tour)
    }

    func receive(controls: [[UInt8]]) async { await node.syncReceive(controls: controls, tour) }

    func receive(runs: [Run]) async { await node.syncReceive(runs: runs, tour) }

    func record(heads: [MemberID: UInt64], at time: ServerTime) async { await node.syncRecord(heads, at: time, tour) }

    func record(progress: SyncProgress) async { await node.syncRecord(progress, tour) }
}

extension TourNode {
    fileprivate func syncHeads(_ tour: TourID) -> [MemberID: UInt64] {
        guard let session = sessions[tour] else { return [:] }
        let ends = session.group.roster.ends
        return session.gossip.stored.heads.reduce(into: [:]) { heads, head in
            heads[head.key] = min(head.value, ends[head.key] ?? .max)
        }
    }

    func syncBehind(_ heads: [MemberID: UInt64], _ tour: TourID) -> [MemberID: UInt64] {
        guard let session = sessions[tour] else { return [:] }
        let roster = session.group.roster
        let stored = session.gossip.stored
        return heads.reduce(into: [:]) { lacking, head in
            guard roster.members[head.key] != nil else { return }
            let last = min(head.value, roster.ends[head.key] ?? .max)
            if stored[head.key] < last { lacking[head.key] = stored[head.key] }
        }
    }

    /// Reads off the loop, as for links.
    fileprivate func syncEvents(
        _ tour: TourID, _ author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int
    ) async -> [Event] {
        await withCheckedContinuation { answer in
            reader.submit { [store] in
                let events =
                    (try? store.events(tour, author: author, from: first, through: last, bytesMax: bytesMax)) ?? []
                return { answer.resume(returning: events) }
            }
        }
    }

    fileprivate func syncControls(behind heads: [MemberID: UInt64], _ tour: TourID) -> [Event] {
        sessions[tour]?.group.controls(behind: heads) ?? []
    }

    fileprivate func syncIntroduction(_ tour: TourID) -> Introduction {
        guard let session = sessions[tour] else {
            return Introduction(genesis: [], controls: [], leads: false)
        }
        let group = session.group
        return Introduction(
            genesis: group.genesisEvent.bytes, controls: group.introduction, leads: session.rank.leads)
    }

    fileprivate func syncHasArchive(_ tour: TourID) -> Bool { sessions[tour]?.group.roster.archive != nil }

    fileprivate func syncKeys(
        _ epochs: [EpochID], forArchive archive: MemberID, _ tour: TourID
    ) -> [WrappedEpoch] {
        guard let session = sessions[tour], session.isMember,
            let member = session.group.roster.members[archive], member.isArchive
        else { return [] }
        let keys = session.group.epochKeys(for: archive, among: Set(epochs)).prefix(Limits.epochKeysMax)
        // An archive never publishes another wrapping key than that of its admission.
        return keys.compactMap { key in
            member.wrappingKey.wrap(key.key).map { WrappedEpoch(epoch: key.id, wrapped: $0) }
        }
    }

    fileprivate func syncReceive(controls: [[UInt8]], _ tour: TourID) {
        guard let session = sessions[tour] else { return }
        feed(session, .controls(controls))
    }

    /// Returns once all runs are judged, and the sound ones are stored.
    fileprivate func syncReceive(runs: [Run], _ tour: TourID) async {
        guard let session = sessions[tour] else { return }
        for run in runs { feed(session, .fetched(run)) }
        // Both workers do their jobs in order, so everything submitted before is done.
        await withCheckedContinuation { done in verifier.submit { { done.resume() } } }
        await withCheckedContinuation { done in
            writer.submit(StoreWriter.Job(tour: tour, events: [], isDurable: true) { _ in done.resume() })
        }
    }

    fileprivate func syncRecord(_ heads: [MemberID: UInt64], at time: ServerTime, _ tour: TourID) {
        guard let session = sessions[tour] else { return }
        session.sync.answeredAt = time.milliseconds
        session.sync.heardAt = NodeClock.now
        recordSynced(heads, at: time.milliseconds, by: nil, session)
        let own = heads[session.own] ?? 0
        feed(session, .heldByServer(through: own))
    }

    fileprivate func syncRecord(_ progress: SyncProgress, _ tour: TourID) {
        guard let session = sessions[tour] else { return }
        session.sync.progress = progress
        report(session)
    }
}
