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

    /// Reads or changes the tour on the node's loop.
    /// - Returns: nil once this node does not have the tour.
    private func onLoop<Value: Sendable>(
        _ work: @Sendable (isolated TourNode, TourSession) -> Value
    ) async -> Value? { await Self.onLoop(node, tour, work) }

    private static func onLoop<Value: Sendable>(
        _ node: isolated TourNode, _ tour: TourID, _ work: @Sendable (isolated TourNode, TourSession) -> Value
    ) -> Value? { node.sessions[tour].map { work(node, $0) } }

    func heads() async -> [MemberID: UInt64] { await onLoop { _, session in session.syncFacts.heads } ?? [:] }

    func behind(_ heads: [MemberID: UInt64]) async -> [MemberID: UInt64] {
        await onLoop { _, session in session.syncFacts.behind(heads) } ?? [:]
    }

    /// Reads off the loop, as for links.
    func events(of author: MemberID, from first: UInt64, through last: UInt64, bytesMax: Int) async -> [Event] {
        await withCheckedContinuation { answer in
            node.reader.submit { [store = node.store, tour] in
                let events =
                    (try? store.events(tour, author: author, from: first, through: last, bytesMax: bytesMax)) ?? []
                return { answer.resume(returning: events) }
            }
        }
    }

    func controls(behind heads: [MemberID: UInt64]) async -> [Event] {
        await onLoop { _, session in session.group.controls(behind: heads) } ?? []
    }

    func introduction() async -> Introduction {
        await onLoop { _, session in
            Introduction(
                genesis: session.group.genesisEvent.bytes, controls: session.group.introduction,
                leads: session.rank.leads)
        } ?? Introduction(genesis: [], controls: [], leads: false)
    }

    func hasArchive() async -> Bool { await onLoop { _, session in session.group.roster.archive != nil } ?? false }

    func keys(_ epochs: [EpochID], forArchive archive: MemberID) async -> [WrappedEpoch] {
        await onLoop { _, session in
            guard session.isMember, let member = session.group.roster.members[archive], member.isArchive else {
                return []
            }
            let keys = session.group.epochKeys(for: archive, among: Set(epochs)).prefix(Limits.epochKeysMax)
            // An archive never publishes another wrapping key than that of its admission.
            return keys.compactMap { key in
                member.wrappingKey.wrap(key.key).map { WrappedEpoch(epoch: key.id, wrapped: $0) }
            }
        } ?? []
    }

    func receive(controls: [[UInt8]]) async {
        await onLoop { node, session in node.feed(session, .controls(controls)) }
    }

    /// Returns once all runs are judged, and the sound ones are stored.
    func receive(runs: [Run]) async {
        let isKnown: Void? = await onLoop { node, session in
            for run in runs { node.feed(session, .fetched(run)) }
        }
        if isKnown != nil { await Self.settle(tour, node) }
    }

    /// Both workers do their jobs in order, so everything submitted before is done afterwards. The store's is given its
    /// jobs on the node's loop alone.
    private static func settle(_ tour: TourID, _ node: isolated TourNode) async {
        await withCheckedContinuation { done in node.verifier.submit { { done.resume() } } }
        await withCheckedContinuation { done in
            node.writer.submit(StoreWriter.Job(tour: tour, events: [], isDurable: true) { _ in done.resume() })
        }
    }

    func record(heads: [MemberID: UInt64], at time: ServerTime) async {
        await onLoop { node, session in session.sync.receive(heads, at: time.milliseconds, node.mailboxHost) }
    }

    func record(progress: SyncProgress) async {
        await onLoop { node, session in session.sync.record(progress, node.mailboxHost) }
    }
}
