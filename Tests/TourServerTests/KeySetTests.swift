import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: whoever has the key set can check a token of ours, and has nothing to sign one with.
/// Method: a whole server; the signature is checked with the key that the set names.
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

    private static func bytes(_ base64URL: Substring) throws -> [UInt8] {
        let plain = base64URL.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: plain + padding)))
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
            let known = try #require(SigningKey(try Self.bytes(key.x[...])))
            #expect(known.verifies(signature, of: Array((parts[0] + "." + parts[1]).utf8)))
        }
    }

    @Test func newKeyJoinsTheOldOneInTheSet() async throws {
        try await RunningServer.run { server async throws in
            let before: KeySet = try await server.send(.GET, "/.well-known/jwks.json").decoded()
            server.clock.advance(seconds: 10)
            let door = try OpenedServer(settings: .data(in: server.directory))
            let keys = try TokenKeys(directory: door.directory, now: server.clock.now)
            let kid = try keys.rotate(now: server.clock.now)
            try await door.storage.close()
            let after: KeySet = try await server.send(.GET, "/.well-known/jwks.json").decoded()
            #expect(after.keys.map(\.kid) == before.keys.map(\.kid) + [kid])
        }
    }

    /// A token that was checked before counts no longer once its key is gone.
    @Test func tokenOfARemovedKeyIsRefused() async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newGuide().access_token
            for _ in 0..<2 { #expect(try await server.send(.GET, "/auth/me", token: token).status == 200) }
            let door = try OpenedServer(settings: .data(in: server.directory))
            let keys = try TokenKeys(directory: door.directory, now: server.clock.now)
            // The second key's tokens would all have expired.
            for seconds in [10, ServerLimits.accessLifetime * 3] {
                try keys.rotate(now: server.clock.now + Int64(seconds) * 1_000_000)
            }
            try await door.storage.close()
            #expect(try await server.send(.GET, "/auth/me", token: token).status == 401)
        }
    }
}
