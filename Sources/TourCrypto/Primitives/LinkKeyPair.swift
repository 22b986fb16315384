import CSodium
import TourModel

/// An X25519 key pair that identifies a member on links. Source: `Protocol/03-handshake.md`.
package struct LinkKeyPair: Sendable {
    /// The private key's length in bytes.
    package static let secretBytes = 32

    /// The public key.
    package let publicKey: LinkKey
    /// The private key.
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
