import Foundation
import ServerBase

/// The public keys of an issuer.
/// Source: RFC 7517, section 5.
package struct KeySet: Sendable {
    private let keys: [IssuerKey]

    /// - Parameter json: as the issuer publishes it.
    /// - Throws: `unavailable`, with what is wrong with it: also where only one of its keys is of an unknown kind.
    package init(json: Data) throws(Failure) {
        guard json.count <= ServerLimits.keySetBytesMax else {
            throw Failure(.unavailable, cause: "the key set has more than \(ServerLimits.keySetBytesMax) bytes")
        }
        struct Members: Decodable { let keys: [IssuerKey.Members] }
        let members: [IssuerKey.Members]
        do {
            members = try JSONDecoder().decode(Members.self, from: json).keys
        } catch {
            throw Failure(.unavailable, cause: "the key set is no JSON of keys that have names")
        }
        guard members.count <= ServerLimits.keySetKeysMax else {
            throw Failure(.unavailable, cause: "the key set has more than \(ServerLimits.keySetKeysMax) keys")
        }
        var keys = [IssuerKey]()
        for members in members { keys.append(try IssuerKey(members)) }
        self.keys = keys
    }

    /// Whether one of these keys has signed the token: the one that it names; where it names none, the first.
    package func verifies(_ token: SignedToken) -> Bool {
        let named = token.kid.map { kid in keys.filter { $0.kid == kid } } ?? Array(keys.prefix(1))
        return named.contains { $0.verifies(token) }
    }
}
