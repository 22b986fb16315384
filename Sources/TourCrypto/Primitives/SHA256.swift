import CSodium

/// SHA-256 and HMAC-SHA-256, which services of others are specified with; everything of our own uses BLAKE2b.
/// Source: RFC 6234; RFC 2104.
package struct SHA256 {
    /// The length of a hash and of an authenticator, in bytes.
    package static let count = 32

    private var state = crypto_hash_sha256_state()

    /// Begins a hash.
    package init() {
        Sodium.start()
        crypto_hash_sha256_init(&state)
    }

    /// Adds the next bytes of what is hashed.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        bytes.withBytes { _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count)) }
    }

    /// The hash of all bytes, `count` of them.
    package consuming func finish() -> [UInt8] {
        Self.filled { crypto_hash_sha256_final(&state, $0) }
    }

    /// The hash of these bytes.
    package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// The authenticator of a message.
    /// - Parameter key: of any length.
    package static func authenticator(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        Sodium.start()
        var state = crypto_auth_hmacsha256_state()
        defer { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress, $0.count) } }
        crypto_auth_hmacsha256_init(&state, key, key.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        return filled { crypto_auth_hmacsha256_final(&state, $0) }
    }

    private static func filled(_ body: (UnsafeMutablePointer<UInt8>) -> Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            _ = body(target)
            initialized = count
        }
    }
}
