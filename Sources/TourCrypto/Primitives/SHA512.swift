import CSodium
import TourModel

/// SHA-512 and HMAC-SHA-512 (RFC 6234), which CPace is specified with; everything of our own uses BLAKE2b.
enum SHA512 {
    /// The length of a hash and of an HMAC, in bytes.
    static let count = 64
    /// The bytes that the hash reads at a time.
    static let blockBytes = 128

    /// The hash of all parts, one after the other.
    static func hash(_ parts: [Part]) -> SecretBytes {
        Sodium.start()
        var state = crypto_hash_sha512_state()
        crypto_hash_sha512_init(&state)
        for part in parts { part.withPointer { _ = crypto_hash_sha512_update(&state, $0, UInt64($1)) } }
        defer { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress, $0.count) } }
        return SecretBytes(count: count) { crypto_hash_sha512_final(&state, $0) }
    }

    /// The authenticator of a message, `count` bytes.
    static func authenticator(of message: [UInt8], key: SecretBytes) -> [UInt8] {
        Sodium.start()
        var state = crypto_auth_hmacsha512_state()
        _ = key.withPointer { crypto_auth_hmacsha512_init(&state, $0, key.count) }
        crypto_auth_hmacsha512_update(&state, message, UInt64(message.count))
        defer { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress, $0.count) } }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            crypto_auth_hmacsha512_final(&state, target)
            initialized = count
        }
    }

    /// A piece of what is hashed.
    enum Part {
        case open([UInt8])
        case secret(SecretBytes)

        fileprivate func withPointer(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
            switch self {
            case .open(let bytes):
                bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { body(base, $0.count) } }
            case .secret(let bytes): bytes.withPointer { body($0, bytes.count) }
            }
        }
    }
}
