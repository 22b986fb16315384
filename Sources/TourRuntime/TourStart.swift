import TourCrypto
import TourGossip
import TourGroup
import TourWire

/// What is stored of a tour, from which the machine starts.
package struct TourStart {
    /// Our identity, link and newest wrapping key.
    package var keys: MemberKeys
    /// Our wrapping keys; that of `keys` is one of them.
    package var wrapping: WrappingKeys
    /// The roster, ranks and epochs.
    package var group: TourGroup
    /// The writing end of our log.
    package var author: Author
    /// The replication.
    package var gossip: GossipMachine
    /// When members were last heard of.
    package var signs: SignsOfLife
    /// How far messages have come.
    package var receipts: ReceiptState
    /// The last counter with which we signed a claim, as far as it is stored.
    package var claimCounter: UInt64
    /// When this run of the node began, in microseconds since 1970.
    package var startedAt: Int64
    /// What this node shows its user, as its claims say.
    package var understands: Abilities

    package init(
        keys: MemberKeys, wrapping: WrappingKeys, group: TourGroup, author: Author, gossip: GossipMachine,
        signs: SignsOfLife, receipts: ReceiptState, claimCounter: UInt64, startedAt: Int64,
        understands: Abilities = .own
    ) {
        self.keys = keys
        self.wrapping = wrapping
        self.group = group
        self.author = author
        self.gossip = gossip
        self.signs = signs
        self.receipts = receipts
        self.claimCounter = claimCounter
        self.startedAt = startedAt
        self.understands = understands
    }
}
