import CSodium
import TourModel

/// An Ed25519 key pair: a member's identity or an invite. Source: `Protocol/01-identity.md`.
package struct SigningKeyPair: Sendable {
    package static let seedBytes = 32
    package static let secretBytes = 64
    package static let signatureBytes = 64

    package let publicKey: SigningKey
    /// The library's form, 64 bytes: seed and public key.
    package let secret: SecretBytes

    /// A new random pair.
    package init() { self.init(seed: SecretBytes.random(count: Self.seedBytes)) }

    /// - Parameter seed: exactly 32 bytes; another length is a mistake of the caller.
    package init(seed: SecretBytes) {
        precondition(seed.count == Self.seedBytes, "a signing seed has 32 bytes")
        Sodium.start()
        var publicBytes = [UInt8](repeating: 0, count: Bytes32.count)
        secret = SecretBytes(count: Self.secretBytes) { target in
            _ = seed.withPointer { crypto_sign_seed_keypair(&publicBytes, target, $0) }
        }
        publicKey = SigningKey(raw: Bytes32(exactly: publicBytes))
    }

    /// Takes a stored pair back.
    /// - Returns: nil unless `secret` has 64 bytes whose second half is the public key of the first: signing with
    ///   a public key that does not belong gives the secret away.
    package init?(secret: SecretBytes) {
        guard secret.count == Self.secretBytes else { return nil }
        let pair = SigningKeyPair(seed: secret.prefix(Self.seedBytes))
        guard pair.secret == secret else { return nil }
        self = pair
    }

    /// A detached signature, 64 bytes, the same each time for the same message.
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
    /// False for a wrong signature, a signature of another length and a key that is no point.
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
