import Foundation
import JWTKit
import Synchronization
import TourCrypto
import TourModel

/// The keys that sign access tokens: Ed25519 seeds in 0600 files of the data directory, named by their `kid`, which
/// begins with the time of their creation. The newest key signs; an older one stays for as long as a token that it
/// signed is valid. A running server notices a new key at its next token.
package final class TokenKeys: Sendable {
    private struct Loaded {
        var kids: [String] = []
        var collection = JWTKeyCollection()
        /// The folder as it was when the keys were read from it; nil while it may change within the same tick of its
        /// clock.
        var folder: DirectoryState?
    }

    /// Tokens that these keys have signed, so that a token's signature is checked once and not with each request.
    private struct Verified {
        var kids: [String] = []
        var tokens: [String: AccessToken] = [:]
    }

    private let directory: ServerDirectory
    private let loaded = Mutex(Loaded())
    private let verified = Mutex(Verified())

    /// Opens the folder of keys, and creates the first key where there is none.
    package init(directory: ServerDirectory, now: Int64) throws(Failure) {
        self.directory = try directory.directory("token-keys")
        // Of processes that start together on a new directory, one creates the key.
        let lock = try FileLock.waiting(directory.file("keys.lock"))
        defer { withExtendedLifetime(lock) {} }
        if try kids().isEmpty { try rotate(now: now) }
    }

    /// Creates a key, which signs from now on, and removes the keys whose tokens have all expired.
    /// - Parameter now: microseconds since 1970.
    /// - Returns: the new key's `kid`.
    @discardableResult
    package func rotate(now: Int64) throws(Failure) -> String {
        let digits = String(now / 1_000)
        let time = String(repeating: "0", count: max(0, 15 - digits.count)) + digits
        let kid = time + "-" + Hex.encode(Randomness.bytes(4))
        try directory.replace(kid + Self.suffix, with: Randomness.bytes(SigningKeyPair.seedBytes))
        let kids = try kids()
        let horizon = now / 1_000 - ServerLimits.accessLifetime * 2_000
        for (old, next) in zip(kids, kids.dropFirst()) where (Int64(next.prefix(15)) ?? horizon) < horizon {
            try directory.remove(old + Self.suffix)
        }
        return kid
    }

    /// - Throws: `internal` when the keys cannot be read or the token cannot be signed.
    func sign(_ payload: AccessToken) async throws(Failure) -> String {
        let keys = try await current()
        do {
            return try await keys.collection.sign(payload, kid: JWKIdentifier(string: keys.kids.last ?? ""))
        } catch {
            throw Failure(.internalError, cause: "a token could not be signed")
        }
    }

    /// - Returns: nil for a token that no key here has signed. The caller checks its times.
    func verify(_ token: String) async throws(Failure) -> AccessToken? {
        let keys = try await current()
        if let payload = verified.withLock({ $0.kids == keys.kids ? $0.tokens[token] : nil }) { return payload }
        // The library verifies a token without a known `kid` by its first key, and ignores the algorithm in the header.
        guard let header = Self.header(of: token), header.alg == "EdDSA", keys.kids.contains(header.kid) else {
            return nil
        }
        guard let payload = try? await keys.collection.verify(token, as: AccessToken.self) else { return nil }
        verified.withLock { verified in
            // Those that are still used come again.
            if verified.kids != keys.kids || verified.tokens.count >= ServerLimits.verifiedTokensMax {
                verified = Verified(kids: keys.kids)
            }
            verified.tokens[token] = payload
        }
        return payload
    }

    /// The header of a token, before anything is verified.
    /// Source: RFC 7515, section 4.1.
    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private static func header(of token: String) -> Header? {
        guard let json = Data(base64URL: token.prefix { $0 != "." }) else { return nil }
        return try? JSONDecoder().decode(Header.self, from: json)
    }

    /// All keys whose tokens are accepted, the newest last.
    func publicKeys() throws(Failure) -> [(kid: String, key: SigningKey)] {
        var keys = [(kid: String, key: SigningKey)]()
        for kid in try kids() {
            // Another process may just have removed the key.
            guard let seed = try directory.read(kid + Self.suffix, bytesMax: SigningKeyPair.seedBytes),
                seed.count == SigningKeyPair.seedBytes
            else { continue }
            keys.append((kid, SigningKeyPair(seed: SecretBytes(seed)).publicKey))
        }
        return keys
    }

    private static let suffix = ".key"

    private func kids() throws(Failure) -> [String] {
        try directory.names().filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
    }

    private func current() async throws(Failure) -> Loaded {
        // Asking for the folder's state takes a microsecond, listing it fifty.
        let folder = try directory.state()
        let known = loaded.withLock { $0 }
        if let held = known.folder, held == folder { return known }
        let kids = try kids()
        guard known.kids != kids else {
            loaded.withLock { if $0.kids == kids { $0.folder = folder.isSettled ? folder : nil } }
            return known
        }
        let collection = JWTKeyCollection()
        for kid in kids {
            // Another process may just have removed the key.
            guard let seed = try directory.read(kid + Self.suffix, bytesMax: SigningKeyPair.seedBytes) else { continue }
            guard let key = try? EdDSA.PrivateKey(d: Data(seed).base64URL, curve: .ed25519) else {
                throw Failure(.internalError, cause: "the token key \(kid) is damaged: remove it, or rotate the keys")
            }
            await collection.add(eddsa: key, kid: JWKIdentifier(string: kid))
        }
        let fresh = Loaded(kids: kids, collection: collection, folder: folder.isSettled ? folder : nil)
        loaded.withLock { $0 = fresh }
        return fresh
    }
}

/// The claims of an access token.
/// Source: RFC 7519.
struct AccessToken: JWTPayload {
    /// `account:` and the account's number, or a member's `MemberToken.subject`.
    let sub: String
    /// The session's id; empty in a member's token.
    let sid: String
    /// Seconds since 1970.
    let iat: Int64
    let exp: Int64

    // The library checks signature and form; `Authenticator` checks the times against the server's own clock.
    func verify(using algorithm: some JWTAlgorithm) {}
}

extension Data {
    /// - Returns: nil for anything but base 64 in the alphabet of addresses.
    init?(base64URL text: some StringProtocol) {
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    /// Base 64 for addresses, without padding. Source: RFC 4648, section 5.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
