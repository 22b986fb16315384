import CSodium

/// XChaCha20-Poly1305 with a random nonce in front: nonce 24, ciphertext, tag 16.
/// Source: `Protocol/05-events.md`, "Sealed bodies".
package enum Seal {
    /// The key's length in bytes.
    package static let keyBytes = 32
    /// The bytes that sealing adds: nonce and tag.
    package static let overheadBytes = nonceBytes + tagBytes

    private static let nonceBytes = 24
    private static let tagBytes = 16

    /// - Parameter key: exactly 32 bytes; another length is a caller error.
    package static func seal(
        _ plaintext: some Collection<UInt8>, key: SecretBytes, associatedData: some Collection<UInt8>
    ) -> [UInt8] {
        precondition(key.count == keyBytes, "a sealing key has 32 bytes")
        let count = plaintext.count + overheadBytes
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let nonce = buffer.baseAddress else { return }
            Randomness.fill(UnsafeMutableRawBufferPointer(start: nonce, count: nonceBytes))
            key.withPointer { secret in
                plaintext.withBytes { source in
                    associatedData.withBytes { data in
                        _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                            nonce + nonceBytes, nil, source.baseAddress, UInt64(source.count),
                            data.baseAddress, UInt64(data.count), nil, nonce, secret)
                    }
                }
            }
            initialized = count
        }
    }

    /// - Throws: `CryptoError.decryptionFailed` for anything that `seal` did not make with this key and data;
    ///   `CryptoError.badKey` unless `key` has 32 bytes. Scope: the record.
    package static func open(
        _ sealed: some Collection<UInt8>, key: SecretBytes, associatedData: some Collection<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == keyBytes else { throw .badKey }
        let count = sealed.count - overheadBytes
        guard count >= 0 else { throw .decryptionFailed }
        Sodium.start()
        var status: Int32 = -1
        // One spare byte, so that an empty plaintext has an address too.
        let plaintext = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, initialized in
            status = key.withPointer { secret in
                sealed.withBytes { source in
                    associatedData.withBytes { data in
                        guard let nonce = source.baseAddress else { return -1 }
                        return crypto_aead_xchacha20poly1305_ietf_decrypt(
                            buffer.baseAddress, nil, nil, nonce + nonceBytes, UInt64(source.count - nonceBytes),
                            data.baseAddress, UInt64(data.count), nonce, secret)
                    }
                }
            }
            initialized = status == 0 ? count : 0
        }
        guard status == 0 else { throw .decryptionFailed }
        return plaintext
    }
}
