import CSodium
import TourModel

/// An Ed25519 key pair: a member's identity or an invite. Source: `Protocol/01-identity.md`.
package struct SigningKeyPair: Sendable {
    /// The seed's length in bytes.
    package static let seedBytes = 32
    /// The private key's length in bytes.
    package static let secretBytes = 64
    /// A signature's length in bytes.
    package static let signatureBytes = 64

    /// The public key.
    package let publicKey: SigningKey
    /// The private key in the library's form, 64 bytes: seed and public key.
    package let secret: SecretBytes

    /// A new random pair.
    package init() { self.init(seed: SecretBytes.random(count: Self.seedBytes)) }

    /// - Parameter seed: exactly 32 bytes; another length is a caller error.
    package init(seed: SecretBytes) {
        precondition(seed.count == Self.seedBytes, "a signing seed has 32 bytes")
        Sodium.start()
        var publicBytes = [UInt8](repeating: 0, count: Bytes32.count)
        secret = SecretBytes(count: Self.secretBytes) { target in
            _ = seed.withPointer { crypto_sign_seed_keypair(&publicBytes, target, $0) }
        }
        publicKey = SigningKey(raw: Bytes32(exactly: publicBytes))
    }

    /// Restores a stored pair.
    /// - Returns: nil unless `secret` has 64 bytes whose second half is the public key of the first: signing with a
    ///   public key that does not belong reveals the private key.
    package init?(secret: SecretBytes) {
        guard secret.count == Self.secretBytes else { return nil }
        let pair = SigningKeyPair(seed: secret.prefix(Self.seedBytes))
        guard pair.secret == secret else { return nil }
        self = pair
    }

    /// A detached signature, 64 bytes, always the same for the same message.
    package func sign(_ message: some Collection<UInt8>) -> [UInt8] {
        Sodium.start()
        return [UInt8](unsafeUninitializedCapacity: Self.signatureBytes) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            secret.withPointer { key in
                message.withBytes { bytes in
                    _ = crypto_sign_detached(target, nil, bytes.baseAddress, UInt64(bytes.count), key)
                }
            }
            initialized = Self.signatureBytes
        }
    }
}

extension SigningKey {
    /// False for a wrong signature, a signature of another length, and a key that is not a point of the curve.
    package func verifies(_ signature: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        Sodium.start()
        guard signature.count == SigningKeyPair.signatureBytes else { return false }
        return signature.withBytes { signatureBytes in
            message.withBytes { bytes in
                raw.withPointer { key in
                    guard let signed = signatureBytes.baseAddress else { return false }
                    return crypto_sign_verify_detached(signed, bytes.baseAddress, UInt64(bytes.count), key) == 0
                }
            }
        }
    }
}
