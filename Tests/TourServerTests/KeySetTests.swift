import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: whoever has the key set can check a token of ours, and has nothing to sign one with.
/// Method: a whole server; the signature is checked with the key that the set names. New keys are made beside it as the
/// command `keys rotate` makes them.
struct KeySetTests {
    private struct KeySet: Decodable {
        struct Key: Decodable {
            var kty: String
            var crv: String
            var kid: String
            var x: String
        }
        var keys: [Key]
    }

    private static func bytes(_ text: some StringProtocol) throws -> [UInt8] {
        try #require(Base64URL.bytes(of: text.utf8))
    }

    private static func rotateKeys(of server: RunningServer, now: Int64) async throws -> String {
        let door = try OpenedServer(settings: .data(in: server.directory))
        let kid = try await door.rotateKeys(by: "dispatcher", now: now)
        try await door.storage.close()
        return kid
    }

    @Test func tokensAreSignedByAKeyOfTheSet() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            let reply = try await server.send(.GET, "/.well-known/jwks.json")
            let key = try #require(try reply.decoded(KeySet.self).keys.first)
            #expect(key.kty == "OKP" && key.crv == "Ed25519" && !reply.text.contains(#""d""#))
            let parts = token.split(separator: ".")
            try #require(parts.count == 3)
            let (head, signature) = (try Self.bytes(parts[0]), try Self.bytes(parts[2]))
            #expect(String(decoding: head, as: UTF8.self).contains(key.kid))
            let known = try #require(SigningKey(try Self.bytes(key.x)))
            #expect(known.verifies(signature, of: Array((parts[0] + "." + parts[1]).utf8)))
        }
    }

    @Test func newKeyJoinsTheOldOneInTheSet() async throws {
        try await RunningServer.run { server async throws in
            let old = try await server.newAccount("a@example.org").access_token
            let before: KeySet = try await server.send(.GET, "/.well-known/jwks.json").decoded()
            server.clock.advance(seconds: 10)
            let kid = try await Self.rotateKeys(of: server, now: server.clock.now)
            let after: KeySet = try await server.send(.GET, "/.well-known/jwks.json").decoded()
            #expect(after.keys.map(\.kid) == before.keys.map(\.kid) + [kid])
            // The next token is signed with it, and one of before stays good.
            let token = try await server.logIn("a@example.org").decoded(Tokens.self).access_token
            let head = try Self.bytes(try #require(token.split(separator: ".").first))
            #expect(String(decoding: head, as: UTF8.self).contains(kid))
            for token in [old, token] { #expect(try await server.send(.GET, "/auth/me", token: token).status == 200) }
            let audit = try await server.asOperator { try await $0.audit(limit: 10) }.rows
            #expect(audit.filter { $0.action == "keys-rotated" }.map(\.detail) == [kid])
        }
    }

    /// A token that was checked before counts no longer once its key is gone.
    @Test func tokenOfARemovedKeyIsRefused() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newGuide().access_token
            for _ in 0..<2 { #expect(try await server.send(.GET, "/auth/me", token: token).status == 200) }
            // The second key's tokens would all have expired.
            for seconds in [10, ServerLimits.accessLifetime * 3] {
                _ = try await Self.rotateKeys(of: server, now: server.clock.now + Int64(seconds) * 1_000_000)
            }
            #expect(try await server.send(.GET, "/auth/me", token: token).status == 401)
        }
    }
}
