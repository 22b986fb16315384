import Foundation
import NIOHTTP1
import Testing
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
            change: { $0.issuer = OutsideIssuer.Settings(issuer: issuer, keySet: file) }, body)
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
                change: { $0.issuer = OutsideIssuer.Settings(issuer: "x", keySet: "/nowhere/jwks.json") },
                { _ in Issue.record("it started") })
        }
    }
}

/// A key set and a token as Clerk makes them: RS256, for `user_2abc`, good from 1780271990 to 1780272060. Made once
/// with openssl; the private key is gone.
enum OutsideSample {
    static let issuer = "https://clerk.example.org"
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
