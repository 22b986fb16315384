import CSodium

/// A key and its counter. Source: Noise revision 34, section 5.1.
///
/// Not copyable: two copies would use one nonce twice.
package struct CipherState: ~Copyable {
    /// A cipher key's length in bytes.
    package static let keyBytes = 32
    /// An authentication tag's length in bytes.
    package static let tagBytes = 16

    private let key: SecretBytes?
    private var nonce: UInt64

    /// InitializeKey: with nil nothing is encrypted yet. A hash output is cut to 32 bytes.
    package init(key: SecretBytes?, nonce: UInt64 = 0) {
        self.key = key?.prefix(Self.keyBytes)
        self.nonce = nonce
    }

    /// HasKey.
    package var hasKey: Bool { key != nil }

    /// A copy with the same key and counter, only for a message that may fail: the caller discards one of the two
    /// before using either again.
    func draft() -> CipherState { CipherState(key: key, nonce: nonce) }

    /// EncryptWithAd.
    package mutating func encrypt(
        _ plaintext: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(NoiseError) -> [UInt8] {
        guard let key else { return Array(plaintext) }
        // 2^64-1 is reserved by the specification.
        guard nonce < .max else { throw .nonceExhausted }
        let count = plaintext.count + Self.tagBytes
        let counter = Self.nonceBytes(nonce)
        let ciphertext = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            key.withPointer { secret in
                plaintext.withBytes { source in
                    associatedData.withBytes { data in
                        _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                            target, nil, source.baseAddress, UInt64(source.count), data.baseAddress,
                            UInt64(data.count), nil, counter, secret)
                    }
                }
            }
            initialized = count
        }
        nonce += 1
        return ciphertext
    }

    /// DecryptWithAd. A failure leaves the state unchanged.
    package mutating func decrypt(
        _ ciphertext: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(NoiseError) -> [UInt8] {
        guard let key else { return Array(ciphertext) }
        guard nonce < .max else { throw .nonceExhausted }
        let count = ciphertext.count - Self.tagBytes
        guard count >= 0 else { throw .messageTooShort }
        let counter = Self.nonceBytes(nonce)
        var status: Int32 = -1
        // One spare byte, so that an empty plaintext has an address too.
        let plaintext = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, initialized in
            status = key.withPointer { secret in
                ciphertext.withBytes { source in
                    associatedData.withBytes { data in
                        guard let start = source.baseAddress else { return -1 }
                        return crypto_aead_chacha20poly1305_ietf_decrypt(
                            buffer.baseAddress, nil, nil, start, UInt64(source.count), data.baseAddress,
                            UInt64(data.count), counter, secret)
                    }
                }
            }
            initialized = status == 0 ? count : 0
        }
        guard status == 0 else { throw .decryptionFailed }
        nonce += 1
        return plaintext
    }

    /// Four zero bytes, then the counter, least significant byte first.
    private static func nonceBytes(_ nonce: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + withUnsafeBytes(of: nonce.littleEndian) { Array($0) }
    }
}
