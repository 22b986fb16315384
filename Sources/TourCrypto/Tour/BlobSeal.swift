import CSodium
import TourModel

/// The seal of one file's chunks: ChaCha20-Poly1305-IETF; the nonce holds the chunk's number and whether the chunk is
/// the last. So no chunk can replace another, and none can be cut off. Source: `Protocol/11-blobs.md`, "Seal".
package struct BlobSeal: Sendable {
    private static let nonceBytes = 12

    private let key: SecretBytes

    /// - Parameter key: used for this file alone: a second file would reuse its nonces.
    package init(key: Bytes32) { self.key = SecretBytes(key.bytes) }

    /// A new file's key.
    package static func randomKey() -> Bytes32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Bytes32.count) { room in
            Randomness.fill(UnsafeMutableRawBufferPointer(room))
            return Bytes32(exactly: room)
        }
    }

    /// - Parameter chunk: at most `Limits.blobChunkBytes`.
    /// - Parameter index: the chunk's number, 0…2^32 - 1.
    /// - Returns: the ciphertext, then a tag of `Limits.blobTagBytes`.
    package func seal(chunk: some Collection<UInt8>, index: Int, isLast: Bool) -> [UInt8] {
        let nonce = Self.nonce(index, isLast)
        let count = chunk.count + Limits.blobTagBytes
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            key.withPointer { secret in
                chunk.withBytes { source in
                    _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                        target, nil, source.baseAddress, UInt64(source.count), nil, 0, nil, nonce, secret)
                }
            }
            initialized = count
        }
    }

    /// - Throws: `CryptoError.decryptionFailed` for bytes that this key did not seal as this chunk. Scope: the record.
    package func open(
        chunk sealed: some Collection<UInt8>, index: Int, isLast: Bool
    ) throws(CryptoError) -> [UInt8] {
        let count = sealed.count - Limits.blobTagBytes
        guard count >= 0 else { throw .decryptionFailed }
        Sodium.start()
        let nonce = Self.nonce(index, isLast)
        var status: Int32 = -1
        // One spare byte, so that an empty chunk has an address too.
        let chunk = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, initialized in
            status = key.withPointer { secret in
                sealed.withBytes { source in
                    guard let start = source.baseAddress else { return -1 }
                    return crypto_aead_chacha20poly1305_ietf_decrypt(
                        buffer.baseAddress, nil, nil, start, UInt64(source.count), nil, 0, nonce, secret)
                }
            }
            initialized = status == 0 ? count : 0
        }
        guard status == 0 else { throw .decryptionFailed }
        return chunk
    }

    /// Seven zeros, the chunk's number, and 1 for the last chunk.
    private static func nonce(_ index: Int, _ isLast: Bool) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 7)
        nonce.reserveCapacity(nonceBytes)
        nonce += UInt32(index).bigEndianBytes
        nonce.append(isLast ? 1 : 0)
        return nonce
    }
}
