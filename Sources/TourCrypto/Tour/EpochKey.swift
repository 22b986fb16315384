import TourModel

/// The key of one epoch of a tour and what is derived from it. Source: `Protocol/05-events.md`, "Epochs".
package struct EpochKey: Sendable, Equatable {
    package static let keyBytes = 32

    /// The event that made the epoch.
    package let id: EpochID
    package let key: SecretBytes

    /// - Returns: nil unless `key` has 32 bytes.
    package init?(id: EpochID, key: SecretBytes) {
        guard key.count == Self.keyBytes else { return nil }
        self.id = id
        self.key = key
    }

    /// A key for an epoch that is being made: its event carries the commitment, so the key comes before the id.
    package static func randomKey() -> SecretBytes { .random(count: keyBytes) }

    /// K(epoch key, "link"): the PSK of links between members.
    package var linkSecret: SecretBytes { Hash.keyed(key, .link) }

    /// K(epoch key, "seal", author): what seals this author's bodies.
    package func bodyKey(author: MemberID) -> SecretBytes { Hash.keyed(key, .seal, author.bytes) }

    /// K(epoch key, "multicast"): what seals datagrams to all members.
    package var multicastKey: SecretBytes { Hash.keyed(key, .multicast) }

    /// What the epoch's event says of this key.
    package func commitment(parents: [EpochID] = [], roster: Bytes32? = nil, author: SigningKey) -> Bytes32 {
        Self.commitment(of: key, parents: parents, roster: roster, author: author)
    }

    /// K(key, "commit", parents, roster, author's identity key).
    ///
    /// - Parameter key: 32 bytes; another length is a mistake of the caller.
    /// - Parameter parents: the epochs replaced, in any order; hashed in ascending order, 32 bytes each, as one part.
    /// - Parameter roster: H("roster-keys", …); nil, as in a genesis event, is an empty part.
    package static func commitment(
        of key: SecretBytes, parents: [EpochID] = [], roster: Bytes32? = nil, author: SigningKey
    ) -> Bytes32 {
        Hash.tag(key, .commit, parents.sorted().flatMap(\.bytes), roster?.bytes ?? [], author.bytes)
    }
}
