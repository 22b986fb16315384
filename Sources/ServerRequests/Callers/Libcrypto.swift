import CCrypto
import ServerBase

/// What the protocols of others take that libsodium has not: signatures by RSA and by the curves of NIST, and
/// authenticators by SHA-1.
package enum Libcrypto {
    private static let isLoaded = crypto_library_load("libcrypto.so.3")

    /// - Throws: `unavailable` without the library.
    fileprivate static func load() throws(Failure) {
        guard isLoaded else {
            throw Failure(.unavailable, cause: "libcrypto.so.3 of OpenSSL 3.0 or newer is missing: install libssl3")
        }
    }

    /// The HMAC-SHA-1 of a message, 20 bytes. Source: RFC 2104.
    /// - Throws: `unavailable` without the library.
    package static func authenticator(of message: [UInt8], key: [UInt8]) throws(Failure) -> [UInt8] {
        try load()
        var (result, count) = ([UInt8](repeating: 0, count: 20), 0)
        let made = EVP_Q_mac(
            nil, "HMAC", nil, "SHA1", nil, key, key.count, message, message.count, &result, result.count, &count)
        guard made != nil, count == result.count else {
            throw Failure(.unavailable, cause: "libcrypto makes no HMAC-SHA-1: its configuration leaves it out")
        }
        return result
    }
}

/// A public key by which signatures are checked. Any number of threads may use it at once.
final class LibcryptoKey: Sendable {
    /// How a signature is made beside the key.
    struct Form: Sendable {
        /// The library's name of the hash.
        let hash: String
        /// Whether RSA fills the rest of the block by PSS, with a salt as long as the hash, and not by PKCS #1 1.5.
        var isPSS = false
    }

    // Read alone once it is made: the library counts references and keeps what it computes of a key by itself.
    private nonisolated(unsafe) let key: OpaquePointer

    /// - Parameter info: a SubjectPublicKeyInfo in DER.
    /// - Returns: nil for one that names no key.
    /// - Throws: `unavailable` without the library.
    init?(info: [UInt8]) throws(Failure) {
        try Libcrypto.load()
        let read = info.withUnsafeBufferPointer { bytes in
            var place = bytes.baseAddress
            return d2i_PUBKEY(nil, &place, bytes.count)
        }
        guard let read else { return nil }
        key = read
    }

    deinit { EVP_PKEY_free(key) }

    /// - Parameter signature: of RSA as it is, of a curve in DER.
    func verifies(_ signature: [UInt8], of message: [UInt8], _ form: Form) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        // Belongs to `context`.
        var padding: OpaquePointer?
        guard EVP_DigestVerifyInit_ex(context, &padding, form.hash, nil, nil, key, nil) == 1 else { return false }
        if form.isPSS {
            guard EVP_PKEY_CTX_set_rsa_padding(padding, crypto_padding_pss) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, crypto_salt_of_hash) == 1
            else { return false }
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
