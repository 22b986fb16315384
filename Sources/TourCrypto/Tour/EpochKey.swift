import TourModel

/// The key of one epoch of a tour, and the keys derived from it. Source: `Protocol/05-events.md`, "Epochs".
package struct EpochKey: Sendable, Equatable {
    /// The key's length in bytes.
    package static let keyBytes = 32

    /// The id of the event that created the epoch.
    package let id: EpochID
    /// The key itself.
    package let key: SecretBytes

    /// - Returns: nil unless `key` has 32 bytes.
    package init?(id: EpochID, key: SecretBytes) {
        guard key.count == Self.keyBytes else { return nil }
        self.id = id
        self.key = key
    }

    /// The key that seals under several heads at once, so that nobody can open it without the key of every head. Its id
    /// is H("merged-epoch", the heads' ids), its key K(the first head's key, "merged", the heads' ids, the other heads'
    /// keys); heads in ascending order of their ids.
    ///
    /// - Parameter heads: two or more different epochs, in any order; fewer are a caller error.
    package init(merging heads: [EpochKey]) {
        precondition(heads.count > 1, "one epoch is not merged")
        let ordered = heads.sorted { $0.id < $1.id }
        let ids = ordered.flatMap(\.id.bytes)
        id = Self.mergedID(of: heads.map(\.id))
        key = Hash.keyed(ordered[0].key, .merged, ids, ordered.dropFirst().flatMap { $0.key.exposedCopy() })
    }

    /// The name with which an event's header states that it is sealed under all of these epochs.
    package static func mergedID(of heads: [EpochID]) -> EpochID {
        EpochID(raw: Hash.of(.mergedEpoch, heads.sorted().flatMap(\.bytes)))
    }

    /// A key for a new epoch: its event carries the commitment, so the key exists before the id.
    package static func randomKey() -> SecretBytes { .random(count: keyBytes) }

    /// K(epoch key, "link"): the PSK of links between members.
    package var linkSecret: SecretBytes { Hash.keyed(key, .link) }

    /// K(epoch key, "seal", author): the key for this author's bodies.
    package func bodyKey(author: MemberID) -> SecretBytes { Hash.keyed(key, .seal, author.bytes) }

    /// K(epoch key, "multicast"): the key for datagrams to all members.
    package var multicastKey: SecretBytes { Hash.keyed(key, .multicast) }

    /// The commitment to this key in the epoch's event.
    package func commitment(parents: [EpochID] = [], roster: Bytes32? = nil, author: SigningKey) -> Bytes32 {
        Self.commitment(of: key, parents: parents, roster: roster, author: author)
    }

    /// K(key, "commit", parents, roster, author's identity key).
    ///
    /// - Parameter key: 32 bytes; another length is a caller error.
    /// - Parameter parents: the epochs replaced, in any order; hashed in ascending order, 32 bytes each, as one part.
    /// - Parameter roster: H("roster-keys", …); nil, as in a genesis event, is an empty part.
    package static func commitment(
        of key: SecretBytes, parents: [EpochID] = [], roster: Bytes32? = nil, author: SigningKey
    ) -> Bytes32 {
        Hash.tag(key, .commit, parents.sorted().flatMap(\.bytes), roster?.bytes ?? [], author.bytes)
    }
}
