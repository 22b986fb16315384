import TourModel

/// Identifies a member on links. Source: `Protocol/03-handshake.md`.
package typealias LinkKeyPair = X25519KeyPair<LinkKey>
/// Epoch keys are wrapped for it. Source: `Protocol/01-identity.md`.
package typealias WrappingKeyPair = X25519KeyPair<WrappingKey>

/// An X25519 key pair for one purpose, which its public key names.
package struct X25519KeyPair<PublicKey: Identifier>: Sendable {
    /// The private key's length in bytes.
    package static var secretBytes: Int { 32 }

    /// The public key.
    package let publicKey: PublicKey
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
        publicKey = PublicKey(raw: X25519.publicKey(of: scalar))
    }
}
