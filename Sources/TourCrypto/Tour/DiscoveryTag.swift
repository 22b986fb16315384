import TourModel

/// Eight bytes in a TXT record by which only holders of a secret recognise a node of their tour.
/// Source: `Protocol/02-discovery.md`.
package struct DiscoveryTag: Hashable, Sendable {
    /// The secret that made the tag.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// An epoch's link secret.
        case member
        /// An invite's join secret.
        case invite
        /// An epoch's link secret, for a tag that anybody may use to ask to join.
        case ask
    }

    /// A tag's length in bytes.
    package static let count = 8
    /// A tag's lifetime in seconds: a quarter of an hour.
    package static let slotSeconds: UInt64 = 900

    /// The bytes as a number, the first one most significant.
    package let value: UInt64

    package init(value: UInt64) { self.value = value }

    /// - Returns: nil unless there are exactly 8 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Parameter secret: the link secret or join secret, 16 to 64 bytes.
    /// - Parameter slot: see `slot(unixSeconds:)`.
    package init(secret: SecretBytes, kind: Kind, slot: UInt64) {
        let label: KeyLabel =
            switch kind {
            case .member: .mdnsMember
            case .invite: .mdnsInvite
            case .ask: .mdnsAsk
            }
        let tag = Hash.tag(secret, label, slot.bigEndianBytes)
        value = tag.bytes.prefix(Self.count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The tag's 8 bytes.
    package var bytes: [UInt8] { value.bigEndianBytes }

    /// The slot of a wall time; times before 1970 are slot 0.
    package static func slot(unixSeconds: Int64) -> UInt64 { UInt64(clamping: unixSeconds) / slotSeconds }
}
