import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import TourModel

/// The public keys of access tokens, for other services that verify them.
/// Source: RFC 7517, RFC 8037.
struct KeySetRoute: Sendable {
    let parts: RequestParts

    var routes: [Route] { [Route(.get, "/.well-known/jwks.json", access: .open, handler: show)] }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        struct Key: Encodable {
            let kty = "OKP"
            let crv = "Ed25519"
            let use = "sig"
            let alg = "EdDSA"
            let kid: String
            let x: String
        }
        let keys = try parts.authenticator.keys.publicKeys().map {
            Key(kid: $0.kid, x: Base64URL.text(of: $0.key.bytes))
        }
        return try .json(["keys": keys])
    }
}
