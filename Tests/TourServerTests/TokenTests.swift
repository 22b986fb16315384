import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: no token is taken but those that the server's own key signed for now.
/// Method: a whole server whose key the test knows, and tokens that are right but for one thing.
struct TokenTests {
    /// Of the one key, named as the server names its keys.
    private static let kid = "001780272000000-0badc0de"
    private static let seed = [UInt8](repeating: 9, count: SigningKeyPair.seedBytes)
    /// 2026-06-01T00:00:00Z, when the server's clock begins.
    private static let start: Int64 = 1_780_272_000

    private static func withKey(_ body: @escaping @Sendable (RunningServer) async throws -> Void) async throws {
        try await RunningServer.run(
            change: { settings in
                let folder = settings.dataDirectory + "/token-keys"
                try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try? Data(seed).write(to: URL(fileURLWithPath: "\(folder)/\(kid).key"))
            }, body)
    }

    /// A member of a tour that the server does not know lists no tours: 200 tells that a token was taken.
    private static let subject = "member:" + String(repeating: "0", count: 64) + ":" + String(repeating: "1", count: 64)

    private static func payload(
        sub: String = "\"\(subject)\"", sid: String = "\"\"", iat: String = "\(start)", exp: String = "\(start + 900)"
    ) -> String {
        #"{"sub":\#(sub),"sid":\#(sid),"iat":\#(iat),"exp":\#(exp)}"#
    }

    private static func token(
        header: String = #"{"alg":"EdDSA","typ":"JWT","kid":"\#(kid)"}"#, payload: String = payload(),
        seed: [UInt8] = seed
    ) -> String {
        let words = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: payload.utf8)
        return words + "." + Base64URL.text(of: SigningKeyPair(seed: SecretBytes(seed)).sign(words.utf8))
    }

    private static func status(_ token: String, on server: RunningServer) async throws -> Int {
        try await server.send(.GET, "/groups", token: token).status
    }

    @Test func tokenThatIsRightIsTakenUntilItsEnd() async throws {
        try await Self.withKey { server async throws in
            let token = Self.token()
            #expect(try await Self.status(token, on: server) == 200)
            server.clock.advance(seconds: 899)
            #expect(try await Self.status(token, on: server) == 200)
            server.clock.advance(seconds: 1)
            #expect(try await Self.status(token, on: server) == 401)
        }
    }

    /// Members in another order, as the server wrote them by a library before; the signature is that of
    /// another implementation of Ed25519.
    @Test func tokensFromBeforeAnUpgradeAreTaken() async throws {
        try await Self.withKey { server async throws in
            #expect(try await Self.status(Self.older, on: server) == 200)
            server.clock.advance(seconds: 900)
            #expect(try await Self.status(Self.older, on: server) == 401)
        }
    }

    private static let older = """
        eyJraWQiOiIwMDE3ODAyNzIwMDAwMDAtMGJhZGMwZGUiLCJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.eyJleHAiOjE3ODAyNzI5MDAsInNpZC\
        I6IiIsInN1YiI6Im1lbWJlcjowMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwO\
        jExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTEiLCJpYXQiOjE3ODAyNzIwMDB9\
        .yprFgDuIiGU17A_JLB98Bi9cSiZdluMO4hamlvSzar1gHhN6k4Z3kJKvDQlLWQjjBEU7PyzdEr9sis_VkEA6Dw
        """

    private static let otherHeaders = [
        #"{"alg":"none","typ":"JWT","kid":"\#(kid)"}"#,
        #"{"alg":"HS256","typ":"JWT","kid":"\#(kid)"}"#,
        #"{"alg":"ES256","typ":"JWT","kid":"\#(kid)"}"#,
        #"{"alg":"RS256","typ":"JWT","kid":"\#(kid)"}"#,
        #"{"alg":"EdDSA","typ":"JWT","kid":"nobody"}"#,
        #"{"alg":"EdDSA","typ":"JWT","kid":"../server.key"}"#,
        #"{"typ":"JWT","kid":"\#(kid)"}"#, #"{"alg":"EdDSA","typ":"JWT"}"#, "{}", "[]", "",
        #"{"alg":"EdDSA","typ":"JWT","kid":"\#(kid)","crit":["exp"]}"#,
        #"{"alg":"eddsa","typ":"JWT","kid":"\#(kid)"}"#, #"{"alg":["EdDSA"],"typ":"JWT","kid":"\#(kid)"}"#,
    ]

    @Test func otherAlgorithmsAndKeysAreRefused() async throws {
        try await Self.withKey { server async throws in
            for header in Self.otherHeaders {
                let token = Self.token(header: header)
                #expect(try await Self.status(token, on: server) == 401, "\(header)")
                let words = token.split(separator: ".", omittingEmptySubsequences: false).dropLast()
                #expect(try await Self.status(words.joined(separator: ".") + ".", on: server) == 401, "\(header)")
            }
            let stranger = Self.token(seed: [UInt8](repeating: 8, count: SigningKeyPair.seedBytes))
            #expect(try await Self.status(stranger, on: server) == 401, "another key under our name")
            // What everybody may know, and what nobody knows, as a shared secret.
            for swapped in [Self.signedWithThePublicKey, Self.signedWithTheSeed] {
                #expect(try await Self.status(swapped, on: server) == 401, "HS256")
            }
        }
    }

    /// Not even where the signature is right for what was received.
    @Test func otherFormsOfATokenAreRefused() async throws {
        try await Self.withKey { server async throws in
            let token = Self.token()
            let parts = token.split(separator: ".").map(String.init)
            // Of the letters that differ in bits which are no byte's the first alone is one of a token.
            let last = try #require(parts[2].last.flatMap { "AQgw".firstIndex(of: $0) }.map { "BRhx"[$0] })
            let others = [
                parts[0] + "." + parts[1], token + ".", token + "." + parts[2], "." + token, token + "=", token + "==",
                token + "A", token + "AAAA", token + "%00", token.dropLast() + String(last),
                token.replacing(".", with: ".."), parts[0] + "=." + parts[1] + "." + parts[2],
                String(token.dropLast()), token.uppercased(), parts[0] + "." + parts[1] + ".",
                [parts[1], parts[0], parts[2]].joined(separator: "."),
            ]
            for other in others { #expect(try await Self.status(other, on: server) == 401, "\(other)") }
            #expect(try await Self.status(token, on: server) == 200)
        }
    }

    @Test func claimsOfOtherTypesAreRefused() async throws {
        try await Self.withKey { server async throws in
            let payloads = [
                Self.payload(exp: "\(Self.start)"), Self.payload(exp: "\"\(Self.start + 900)\""),
                Self.payload(exp: "null"), Self.payload(exp: "1e99"), Self.payload(sub: "17"),
                Self.payload(sub: "\"\""),
                Self.payload(sub: "\"member:\""), Self.payload(sub: "\"member:00:11\""),
                Self.payload(sub: "\"account:\""),
                Self.payload(sub: "\"account:1\""), Self.payload(sub: "\"account:-1\""),
                Self.payload(iat: "\(Self.start + 3_600)"), "{}", "[]", "17", "",
                #"{"sub":"\#(Self.subject)","sid":"","iat":\#(Self.start)}"#,
            ]
            for payload in payloads {
                let token = Self.token(payload: payload)
                #expect(try await Self.status(token, on: server) == 401, "\(payload)")
            }
        }
    }

    @Test func tokenOfAnotherServerIsNone() async throws {
        try await RunningServer.run { first async throws in
            let account = try await first.newAccount("a@example.org").access_token
            try await RunningServer.run { second async throws in
                // The same account by its number, e-mail address and time.
                _ = try await second.newAccount("a@example.org")
                #expect(try await second.send(.GET, "/auth/me", token: account).status == 401)
            }
            #expect(try await first.send(.GET, "/auth/me", token: account).status == 200)
        }
    }

    @Test func headerThatIsNoBearersIsNone() async throws {
        try await Self.withKey { server async throws in
            let token = Self.token()
            for header in [
                "Basic \(token)", token, "Bearer", "Bearer  \(token)", "Bearer \(token) x", "Token \(token)",
            ] {
                let reply = try await server.send(.GET, "/groups", headers: [("Authorization", header)])
                #expect(reply.status == 401, "\(header.prefix(12))")
            }
            let small = try await server.send(.GET, "/groups", headers: [("Authorization", "bearer \(token)")])
            #expect(small.status == 200, "the scheme is in any case")
            let long = try await server.send(
                .GET, "/groups", headers: [("Authorization", "Bearer " + String(repeating: "a", count: 12_000))])
            #expect(long.status == 401)
        }
    }

    private static let signedWithThePublicKey = """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjAwMTc4MDI3MjAwMDAwMC0wYmFkYzBkZSJ9.eyJzdWIiOiJtZW1iZXI6MDAwMDAwM\
        DAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDoxMTExMTExMTExMTExMTExMTExMTExMTE\
        xMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExIiwic2lkIjoiIiwiaWF0IjoxNzgwMjcyMDAwLCJleHAiOjE3ODAyNzI5M\
        DB9.MmDGjPtl5p93SO-hxQDPiGCGGNmHvBzqUttBWUpM6MQ
        """
    private static let signedWithTheSeed = """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjAwMTc4MDI3MjAwMDAwMC0wYmFkYzBkZSJ9.eyJzdWIiOiJtZW1iZXI6MDAwMDAwM\
        DAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDoxMTExMTExMTExMTExMTExMTExMTExMTE\
        xMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExIiwic2lkIjoiIiwiaWF0IjoxNzgwMjcyMDAwLCJleHAiOjE3ODAyNzI5M\
        DB9.xKG3rw-Jgmjhiqe_SS52GVzYGpbQpr3Tp79lXsW2YTU
        """
}
