import Foundation
import Logging
import ServerBase
import ServerStorage
import Synchronization
import TourCrypto
import TourModel

/// The keys that sign access tokens: Ed25519 seeds in 0600 files of the data directory, named by their `kid`, which
/// begins with the time of their creation. The newest key signs; an older one stays for as long as a token that it
/// signed is valid. A running server notices a new key at its next token. A key that it cannot read is passed over.
package final class TokenKeys: Sendable {
    private struct Loaded {
        var kids: [String] = []
        var pairs: [String: SigningKeyPair] = [:]
        /// Why a key cannot be read, by its `kid`.
        var unread: [String: String] = [:]
        /// The folder as it was when the keys were read from it; nil while it may change within the same tick of its
        /// clock, or a file may become readable without a change of its folder.
        var folder: DirectoryState?
    }

    /// Tokens that these keys have signed, so that a token's signature is checked once and not with each request.
    private struct Verified {
        var kids: [String] = []
        var tokens: [String: AccessToken] = [:]
    }

    private let directory: ServerDirectory
    private let logger: Logger
    private let loaded = Mutex(Loaded())
    private let verified = Mutex(Verified())

    /// Opens the folder of keys, and creates the first key where there is none.
    package init(directory: ServerDirectory, now: Int64, logger: Logger) throws(Failure) {
        self.logger = logger
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

    /// Signs with the newest key that can be read.
    /// - Throws: `unavailable` when none can be read; `internal` when the token cannot be signed.
    func sign(_ payload: AccessToken) throws(Failure) -> String { try Self.sign(payload, by: try current()) }

    private static func sign(_ payload: AccessToken, by keys: Loaded) throws(Failure) -> String {
        guard let kid = keys.kids.last(where: { keys.pairs[$0] != nil }), let pair = keys.pairs[kid] else {
            throw Failure(.unavailable, cause: "no key for tokens can be read")
        }
        guard let claims = try? JSONEncoder().encode(payload) else {
            throw Failure(.internalError, cause: "a token could not be signed")
        }
        return SignedToken.text(of: claims, kid: kid, signedBy: pair)
    }

    /// - Returns: nil for a token that no key here has signed. The caller checks its times.
    /// - Throws: `unavailable` for a token of a key that cannot be read, which may be a good one.
    func verify(_ token: String) throws(Failure) -> AccessToken? {
        let keys = try current()
        if let payload = verified.withLock({ $0.kids == keys.kids ? $0.tokens[token] : nil }) { return payload }
        guard let payload = try Self.payload(of: token, by: keys) else { return nil }
        verified.withLock { verified in
            // Those that are still used come again.
            if verified.kids != keys.kids || verified.tokens.count >= ServerLimits.verifiedTokensMax {
                verified = Verified(kids: keys.kids)
            }
            verified.tokens[token] = payload
        }
        return payload
    }

    private static func payload(of token: String, by keys: Loaded) throws(Failure) -> AccessToken? {
        guard let read = SignedToken(token), read.algorithm == SignedToken.edDSA, let kid = read.kid else { return nil }
        if let cause = keys.unread[kid] { throw Failure(.unavailable, cause: "the token key \(kid): \(cause)") }
        guard let key = keys.pairs[kid]?.publicKey, key.verifies(read.signature, of: read.signed) else { return nil }
        return read.claims(as: AccessToken.self)
    }

    /// Signs a token, which is good for nobody, and verifies it.
    /// - Throws: `unavailable` when no key can be read; `internal` when a token cannot be signed or verified.
    package func check() throws(Failure) {
        let keys = try current()
        let token = try Self.sign(AccessToken(sub: "", sid: "", iat: 0, exp: 0), by: keys)
        guard try Self.payload(of: token, by: keys) != nil else {
            throw Failure(.internalError, cause: "a token that was just signed could not be verified")
        }
    }

    /// How many keys are passed over since they cannot be read.
    package func unreadCount() throws(Failure) -> Int { try current().unread.count }

    /// All keys whose tokens are accepted, the newest last.
    package func publicKeys() throws(Failure) -> [(kid: String, key: SigningKey)] {
        let keys = try current()
        return keys.kids.compactMap { kid in keys.pairs[kid].map { (kid, $0.publicKey) } }
    }

    private static let suffix = ".key"

    private func kids() throws(Failure) -> [String] {
        try directory.names().filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
    }

    private func current() throws(Failure) -> Loaded {
        // Asking for the folder's state takes a microsecond, listing it fifty.
        let folder = try directory.state()
        let known = loaded.withLock { $0 }
        if let held = known.folder, held == folder { return known }
        let kids = try kids()
        guard known.kids != kids || !known.unread.isEmpty else {
            loaded.withLock { if $0.kids == kids { $0.folder = folder.isSettled ? folder : nil } }
            return known
        }
        var fresh = Loaded(kids: kids)
        for kid in kids {
            do throws(Failure) {
                // Another process may just have removed the key.
                guard let seed = try directory.read(kid + Self.suffix, bytesMax: SigningKeyPair.seedBytes) else {
                    continue
                }
                guard seed.count == SigningKeyPair.seedBytes else {
                    throw Failure(.unavailable, cause: "it is damaged: remove it")
                }
                fresh.pairs[kid] = SigningKeyPair(seed: SecretBytes(seed))
            } catch {
                fresh.unread[kid] = "\(error)"
            }
        }
        if folder.isSettled, fresh.unread.isEmpty { fresh.folder = folder }
        tell(of: fresh)
        return fresh
    }

    /// Takes over what was read, and logs each key that cannot be read any more.
    private func tell(of fresh: Loaded) {
        let before = loaded.withLock { held in
            defer { held = fresh }
            return held.unread
        }
        for (kid, cause) in fresh.unread where before[kid] == nil {
            logger.error("a key for tokens is passed over", metadata: ["key": "\(kid)", "cause": "\(cause)"])
        }
    }
}

/// The claims of an access token.
/// Source: RFC 7519.
struct AccessToken: Codable {
    /// `account:` and the account's number, or a member's `MemberToken.subject`.
    let sub: String
    /// The session's id; empty in a member's token.
    let sid: String
    /// Seconds since 1970.
    let iat: Int64
    let exp: Int64
}
