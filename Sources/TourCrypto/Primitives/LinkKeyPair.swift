import CSodium
import TourModel

/// An X25519 key pair by which links know a member. Source: `Protocol/03-handshake.md`.
package struct LinkKeyPair: Sendable {
    package static let secretBytes = 32

    package let publicKey: LinkKey
    package let secret: SecretBytes

    /// A new random pair.
    package init() { self.init(scalar: .random(count: Self.secretBytes)) }

    /// - Returns: nil unless `secret` has 32 bytes.
    package init?(secret: SecretBytes) {
        guard secret.count == Self.secretBytes else { return nil }
        self.init(scalar: secret)
    }

    private init(scalar: SecretBytes) {
        secret = scalar
        publicKey = LinkKey(raw: X25519.publicKey(of: scalar))
    }
}
