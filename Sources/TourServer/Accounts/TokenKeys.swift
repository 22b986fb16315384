import Foundation
import JWTKit
import Synchronization
import TourCrypto
import TourModel

/// The keys that sign access tokens: Ed25519 seeds in 0600 files of the data directory, named by their `kid`, which
/// begins with the time of their making. The newest signs; older ones are good for as long as a token that they
/// signed. A running server sees at its next token that another one was made.
package final class TokenKeys: Sendable {
    private struct Loaded {
        var kids: [String] = []
        var collection = JWTKeyCollection()
    }

    private let directory: ServerDirectory
    private let loaded = Mutex(Loaded())

    /// Opens the folder of keys; where there is none yet, the first is made.
    package init(directory: ServerDirectory, now: Int64) throws(Failure) {
        self.directory = try directory.directory("token-keys")
        if try kids().isEmpty { try rotate(now: now) }
    }

    /// Makes a new key, which signs from now on, and removes those that signed no token that is still good.
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

    /// - Throws: `internal` when the keys cannot be read.
    func sign(_ payload: AccessToken) async throws(Failure) -> String {
        let keys = try await current()
        do {
            return try await keys.collection.sign(payload, kid: JWKIdentifier(string: keys.kids.last ?? ""))
        } catch {
            throw Failure(.internalError, cause: "a token could not be signed")
        }
    }

    /// - Returns: nil for a token that we have not signed; its times are the caller's to judge.
    func verify(_ token: String) async throws(Failure) -> AccessToken? {
        let keys = try await current()
        // The library checks with its first key what names no key of ours, and does not ask for the algorithm.
        guard let header = Self.header(of: token), header.alg == "EdDSA", keys.kids.contains(header.kid) else {
            return nil
        }
        return try? await keys.collection.verify(token, as: AccessToken.self)
    }

    /// What a token says of its signature, before anything is believed. Source: RFC 7515, section 4.1.
    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private static func header(of token: String) -> Header? {
        guard let json = Data(base64URL: token.prefix { $0 != "." }) else { return nil }
        return try? JSONDecoder().decode(Header.self, from: json)
    }

    /// The newest last. Tokens signed by any of them are good.
    func publicKeys() throws(Failure) -> [(kid: String, key: SigningKey)] {
        var keys = [(kid: String, key: SigningKey)]()
        for kid in try kids() {
            // One that was just removed is not missed.
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
        let kids = try kids()
        let known = loaded.withLock { $0 }
        guard known.kids != kids else { return known }
        let collection = JWTKeyCollection()
        for kid in kids {
            // One that was just removed is not missed.
            guard let seed = try directory.read(kid + Self.suffix, bytesMax: SigningKeyPair.seedBytes) else { continue }
            guard let key = try? EdDSA.PrivateKey(d: Data(seed).base64URL, curve: .ed25519) else {
                throw Failure(.internalError, cause: "the token key \(kid) is damaged: remove it, or rotate the keys")
            }
            await collection.add(eddsa: key, kid: JWKIdentifier(string: kid))
        }
        let fresh = Loaded(kids: kids, collection: collection)
        loaded.withLock { $0 = fresh }
        return fresh
    }
}

/// What an access token says. Source: RFC 7519.
struct AccessToken: JWTPayload {
    /// Whose it is: `account:` and the number.
    let sub: String
    /// The session.
    let sid: String
    /// Seconds since 1970.
    let iat: Int64
    let exp: Int64

    // Signature and form are the library's to check; times are held against our own clock by who uses the token.
    func verify(using algorithm: some JWTAlgorithm) {}
}

extension Data {
    /// - Returns: nil for anything that is no such text.
    init?(base64URL text: some StringProtocol) {
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    /// Base 64 for addresses, without padding. Source: RFC 4648, section 5.
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
