import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import Testing
import TourCrypto
import TourModel
import TourServer

/// Goal: whom another service knows is known here too, and nobody else by its name.
/// Method: a whole server with a key set in a file, and a token that openssl signed.
struct OutsideIssuerTests {
    private static func run(
        issuer: String = OutsideSample.issuer, _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let file = RunningServer.temporaryDirectory() + ".json"
        try OutsideSample.keySet.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await RunningServer.run(
            change: { $0.issuer = OutsideSample.settings(file, issuer: issuer) }, body)
    }

    @Test func itsTokensMakeOneAccount() async throws {
        try await Self.run { server async throws in
            for _ in 0..<2 {
                let me = try await server.send(.GET, "/auth/me", token: OutsideSample.token)
                #expect(me.status == 200 && me.text.contains(#""id":1,"is_anonymous":false"#), "\(me.text)")
            }
            let export = try await server.send(.GET, "/auth/me/export", token: OutsideSample.token)
            #expect(export.text.contains("user_2abc"))
            #expect(try await server.send(.DELETE, "/auth/me", token: OutsideSample.token).status == 204)
            let again = try await server.send(.GET, "/auth/me", token: OutsideSample.token)
            #expect(again.text.contains(#""id":2"#), "deleted, it begins anew")
            let own = try await server.newAccount("a@example.org")
            #expect(try await server.send(.GET, "/auth/me", token: own.access_token).text.contains(#""id":3"#))
        }
    }

    @Test func expiredAndForgedTokensAreNone() async throws {
        try await Self.run { server async throws in
            let forged = OutsideSample.token.dropLast(8) + "AAAAAAAA"
            #expect(try await server.send(.GET, "/auth/me", token: String(forged)).status == 401)
            server.clock.advance(seconds: 59)
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 200)
            server.clock.advance(seconds: 1)
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 401)
        }
    }

    /// Its clock may be a minute ahead of ours.
    @Test func tokenThatIsNotYetGoodIsNone() async throws {
        try await Self.run { server async throws in
            server.clock.advance(seconds: -71)
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 401)
            server.clock.advance(seconds: 1)
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 200)
        }
    }

    @Test func otherIssuersTokensAreNone() async throws {
        try await Self.run(issuer: "https://other.example.org") { server async throws in
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 401)
        }
        try await RunningServer.run { server async throws in
            #expect(try await server.send(.GET, "/auth/me", token: OutsideSample.token).status == 401)
        }
    }

    @Test func serverDoesNotStartWithoutTheKeySet() async throws {
        await #expect(throws: Failure.self) {
            try await RunningServer.run(
                change: { $0.issuer = OutsideSample.settings("/nowhere/jwks.json") },
                { _ in Issue.record("it started") })
        }
    }

    private static let claims = [
        (#""aud":"https://tours.example.org""#, 200), (#""aud":["x","https://tours.example.org"]"#, 200),
        (#""azp":"https://app.example.org""#, 200),
        (#""aud":"https://tours.example.org","azp":"https://app.example.org""#, 200),
        (#""aud":"https://shop.example.org""#, 401), (#""aud":[]"#, 401), (#""aud":["x"]"#, 401),
        (#""azp":"https://shop.example.org""#, 401), (#""x":1"#, 401), (#""aud":null,"azp":null"#, 401),
        (#""aud":"https://tours.example.org","azp":"https://shop.example.org""#, 401),
        (#""aud":"https://shop.example.org","azp":"https://app.example.org""#, 401), (#""aud":7"#, 401),
    ]

    /// What its users gave another service opens nothing here.
    @Test(arguments: claims)
    func tokensForOthersAreNone(claims: String, status: Int) async throws {
        let keys = SigningKeyPair(seed: SecretBytes(Array(repeating: 7, count: SigningKeyPair.seedBytes)))
        let file = RunningServer.temporaryDirectory() + ".json"
        try Self.keySet(keys).write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let token = Self.token(#""sub":"user_1","exp":1780272060,\#(claims)"#, by: keys)
        try await RunningServer.run(change: { $0.issuer = OutsideSample.settings(file) }) { server async throws in
            #expect(try await server.send(.GET, "/auth/me", token: token).status == status)
        }
    }

    private static func keySet(_ keys: SigningKeyPair) -> String {
        let x = Base64URL.text(of: keys.publicKey.bytes)
        return #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","alg":"EdDSA","x":"\#(x)"}]}"#
    }

    private static func token(
        _ claims: String, issuer: String = OutsideSample.issuer, by keys: SigningKeyPair
    ) -> String {
        let parts = [#"{"alg":"EdDSA","kid":"k","typ":"JWT"}"#, #"{"iss":"\#(issuer)",\#(claims)}"#]
        let signed = parts.map { Base64URL.text(of: $0.utf8) }.joined(separator: ".")
        return signed + "." + Base64URL.text(of: keys.sign(signed.utf8))
    }

    /// Whoever only says that it is the issuer has the set read once a minute, and whoever says another name never.
    @Test func aNewKeyOfTheIssuerIsFound() async throws {
        let (old, new) = (SigningKeyPair(), SigningKeyPair())
        let file = RunningServer.temporaryDirectory() + ".json"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Self.keySet(old).write(toFile: file, atomically: true, encoding: .utf8)
        try await RunningServer.run(change: { $0.issuer = OutsideSample.settings(file) }) { server async throws in
            func status(_ keys: SigningKeyPair, issuer: String = OutsideSample.issuer) async throws -> Int {
                let claims = #""sub":"user_1","exp":1780275600,"azp":"\#(OutsideSample.app)""#
                let token = Self.token(claims, issuer: issuer, by: keys)
                return try await server.send(.GET, "/auth/me", token: token).status
            }
            #expect(try await status(old) == 200)
            try Self.keySet(new).write(toFile: file, atomically: true, encoding: .utf8)
            server.clock.advance(seconds: ServerLimits.keySetInterval - 1)
            #expect(try await status(new) == 401)
            server.clock.advance(seconds: 1)
            #expect(try await status(new, issuer: "https://other.example.org") == 401)
            #expect(try await status(old) == 200, "nobody has asked yet")
            #expect(try await status(new) == 200)
            #expect(try await status(old) == 401)
        }
    }

    /// Whoever stands between could put a key of its own into it. The server answers: it is not that nobody does.
    @Test func keySetsOfTheOpenNetworkAreNotRead() async throws {
        try await RunningServer.run { server async throws in
            let address = "http://127.0.0.1:\(server.port)/.well-known/jwks.json"
            #expect(try await server.send(.GET, "/.well-known/jwks.json").status == 200)
            await #expect(throws: Failure.self) {
                try await RunningServer.run(
                    change: { $0.issuer = OutsideSample.settings(address) }, { _ in Issue.record("it started") })
            }
        }
    }
}

/// A key set and a token as Clerk makes them: RS256, for `user_2abc`, good from 1780271990 to 1780272060. Made once
/// with openssl; the private key is gone.
enum OutsideSample {
    static let issuer = "https://clerk.example.org"
    static let app = "https://app.example.org"
    static let audience = "https://tours.example.org"

    static func settings(_ keySet: String, issuer: String = issuer) -> OutsideIssuer.Settings {
        OutsideIssuer.Settings(issuer: issuer, keySet: keySet, audiences: [audience], parties: [app])
    }
    static let modulus = """
        3fasV-4hIXdlWIYKsfqTY4yO_q8vIIt6-iyVmXdCy2aoXyJRm4K_QuVulk_tVHdfzNigUR3zkcIx5Hc4w7wzCx9Ze2R1gdD1hajr\
        8dJZ5c-9n4pxsyY4JSbzg-054QRS_x098Z7HudZaM49vo4IHW3mWlVYLqtL924MAvj2QMwDcCIOipQyIvUaVjmf-LlGB3-eLbVi-\
        srNV2X9-TveftAl1W215ugO3Nt86EtbXJluP4LKvH7uDzGyefoIrudQ65wArVtVGp621gnJrsmQpqhbhi92n7nJCEprxBn6vtPxV\
        UhcbXveZE1_bGTbMnWsIzNemV-uNXpvV50_La-0izw
        """
    static var keySet: String {
        #"{"keys":[{"use":"sig","kty":"RSA","kid":"ins_1","alg":"RS256","n":"\#(modulus)","e":"AQAB"}]}"#
    }
    static let token = """
        eyJhbGciOiJSUzI1NiIsImtpZCI6Imluc18xIiwidHlwIjoiSldUIn0.eyJhenAiOiJodHRwczovL2FwcC5leGFtcGxlLm9yZyIs\
        ImV4cCI6MTc4MDI3MjA2MCwiaWF0IjoxNzgwMjcyMDAwLCJpc3MiOiJodHRwczovL2NsZXJrLmV4YW1wbGUub3JnIiwibmJmIjox\
        NzgwMjcxOTkwLCJzaWQiOiJzZXNzXzEiLCJzdWIiOiJ1c2VyXzJhYmMifQ.CPIEefaXGPg77-THvqw5Q_mnc7rDXJzE8oy86BrxG\
        QersqYv-u5D68Oep3i6fPSQt7bRMtHKu2axUhsQ8zNp6GWj-0yOtC7NIARVhneKzhPaQE4NFzpl3Z2SOE1o8Z1YEezCWbDXJD_4C\
        0eRGiehEdxhad5vRiFNm22_wOVSU9_xCwPyLYxWaK0d2i2rh-K873wFVAAiK9_D6JIq20gmkVbbOi2yi1bs8-bvGHxzPzawY7-is\
        0IQ-lG4ih5OY88XF2h7AYdI4Ol83NXB-H-sFPp_66za-oFN_5QSvqUigqejrZvAvbWkK88RZmSU2E100uXFw81LAWMRpdn0SDJkZ\
        w
        """
}
