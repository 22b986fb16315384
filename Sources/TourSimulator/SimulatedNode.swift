import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// One device: the production machines, a disk, and the state that a shell keeps between them.
package struct SimulatedNode {
    /// Its index among the nodes.
    package let number: Int
    /// Its identity, link and first wrapping key.
    package let keys: MemberKeys
    package let id: MemberID
    /// Hands its machine what happens.
    let runner: EffectRunner
    /// Signs for a node that breaks the rules; its machine is idle.
    var forger: Author
    /// Its disk.
    package internal(set) var store: SimulatedStore
    /// On, a member, and following the rules.
    package internal(set) var isAlive = false
    /// The behaviour of a node that breaks the rules: its answers to each message. Its machines are idle.
    package internal(set) var attack: ((LinkID, LinkMessage) -> [LinkMessage])?
    /// Rejected inputs, by fault.
    package internal(set) var faults: [GossipFault: Int] = [:]
    /// Whether it may write, as its disk records that.
    package internal(set) var ownLog: OwnLogState
    /// Own events that the user was told are kept.
    package internal(set) var acknowledged: [Event] = []
    /// How often the machine asked for its timer at once after handling an input: a loop.
    package internal(set) var tightTimers = 0
    /// The largest sizes that the machine ever had.
    package internal(set) var sizeMax = GossipSize()
    /// Everybody whom its roster ever named. A disk may lose the event that admitted a member, so that the roster names
    /// it no more after a restart until others bring the event again; what the member claimed stays.
    package internal(set) var met: Set<MemberID>
    /// How far the wall clock is ahead of the right time, in milliseconds.
    package internal(set) var clockOffset: Int64 = 0

    /// Incremented at each crash: answers to an earlier life are void.
    var life = 0
    var links: [LinkID: Int] = [:]
    var dialling = SimulatedDialling()
    var verifierFree = Instant(microseconds: 0)
    var unstored: [(run: VerifiedRun, isAhead: Bool)] = []
    var timer: Instant?
    /// The last counter with which it signed a false claim.
    var forgedCounter: UInt64 = 0
    /// The last counter with which it signed a position.
    var positionCounter: UInt64 = 0
    /// The highest clock that the node wrote, or accepted while it was credible: its next event comes after that.
    var known: LogicalClock

    /// A node that has started from its disk.
    init(
        number: Int, keys: MemberKeys, group: TourGroup, store: SimulatedStore, ownLog: OwnLogState = .ready,
        claimCounter: UInt64 = 0, wallMilliseconds: Int64
    ) {
        self.number = number
        self.ownLog = ownLog
        self.keys = keys
        self.store = store
        id = keys.memberID
        met = Set(group.roster.members.keys)
        let log = store.logs[id]
        // As in a real node, a clock that is too far ahead now is not believed either.
        let ahead = store.aheadEvents
        let credible = (store.logs.values.compactMap(\.last) + ahead).map(\.header.clock)
            .filter { $0.isCredible(wallMilliseconds: wallMilliseconds) }
        known = max(credible.max() ?? .zero, log?.last?.header.clock ?? .zero)
        forger = Author(
            identity: keys.identity, tour: group.tour,
            tail: Author.Tail(sequence: UInt64(log?.count ?? 0), id: log?.last?.id ?? .none),
            clock: known)
        var gossip = GossipMachine(
            own: id, members: group.roster.members.keys, leaders: group.roster.leaders, ends: group.roster.ends,
            heads: store.heads, sizes: store.sizes, ahead: ahead, ownLog: ownLog, share: store.share,
            people: Set(group.roster.linking.map(\.id)))
        gossip.restore(
            store.claims.keys.sorted().flatMap { store.claims[$0] ?? [] },
            through: store.logs.values.compactMap { $0.last?.header.clock }.max())
        let machine = TourMachine(
            TourStart(
                keys: keys,
                wrapping: store.wrapping
                    ?? WrappingKeys(admitted: keys.wrapping, wallMilliseconds: wallMilliseconds),
                group: group, author: forger, gossip: gossip, signs: SignsOfLife(own: id),
                receipts: ReceiptState(own: id, marks: [:]),
                claimCounter: claimCounter, startedAt: wallMilliseconds * 1_000))
        runner = EffectRunner(machine)
    }

    /// Decides what it does in the tour.
    package var machine: TourMachine { runner.machine }
    /// Its view of the tour's members.
    package var group: TourGroup { _read { yield machine.group } }
    /// Its replication.
    package var gossip: GossipMachine { _read { yield machine.gossip } }

    /// Its keys are on its disk from now on.
    mutating func saveKeys() {
        store.wrapping = machine.wrapping
        store.epochKeys = machine.group.keptKeys
    }

    /// Whether the user can write anything.
    var mayWrite: Bool { isAlive && isHonest && gossip.ownLogState == .ready }

    /// The last place of its log for which a node that breaks the rules wrote.
    package var forgedEnd: UInt64 { forger.tail.sequence }

    /// Whether the node follows the rules.
    package var isHonest: Bool { attack == nil }
}
