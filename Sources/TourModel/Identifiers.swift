/// A 32-byte name of one kind of thing. The kinds are separate types so that no tour is mistaken for a member.
@usableFromInline
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    var raw: Bytes32 { get }
    init(raw: Bytes32)
}

extension Identifier {
    package init?(_ bytes: some Collection<UInt8>) {
        guard let raw = Bytes32(bytes) else { return nil }
        self.init(raw: raw)
    }

    package init?(hex: String) {
        guard let raw = Bytes32(hex: hex) else { return nil }
        self.init(raw: raw)
    }

    @inlinable package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }

    package var bytes: [UInt8] { raw.bytes }
    package var hex: String { raw.hex }
    /// The first eight digits: enough for a log line, never for a decision.
    @usableFromInline package var description: String { String(hex.prefix(8)) }
}

/// `H("genesis", exact bytes of the creator's first event)`. Source: `Protocol/01-identity.md`.
@usableFromInline
package struct TourID: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
    /// The value in the genesis event itself, since it cannot contain its own hash.
    package static let none = TourID(raw: .zero)
}

/// `H("member", Ed25519 identity key)`: one device in one tour. Source: `Protocol/01-identity.md`.
@usableFromInline
package struct MemberID: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
}

/// `H("event-id", header, signature)`. Source: `Protocol/05-events.md`.
@usableFromInline
package struct EventID: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
    /// The `previous` of a log's first event.
    package static let none = EventID(raw: .zero)
}

/// The id of the event that created an epoch (genesis or rekey). Source: `Protocol/05-events.md`.
@usableFromInline
package struct EpochID: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
    /// The value in an event that is not sealed.
    package static let none = EpochID(raw: .zero)
}

/// An X25519 public key that identifies a member on links. Source: `Protocol/03-handshake.md`.
@usableFromInline
package struct LinkKey: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
}

/// An Ed25519 public key: a member's identity or an invite. Source: `Protocol/01-identity.md`.
@usableFromInline
package struct SigningKey: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
}

/// An X25519 public key for which epoch keys are wrapped. Source: `Protocol/01-identity.md`.
@usableFromInline
package struct WrappingKey: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
}

/// `H("blob", size, page hashes)`: a file in its sealed form. Source: `Protocol/11-blobs.md`.
@usableFromInline
package struct BlobID: Identifier {
    @usableFromInline package let raw: Bytes32
    @inlinable package init(raw: Bytes32) { self.raw = raw }
}
