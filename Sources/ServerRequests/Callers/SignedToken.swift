import Foundation
import ServerBase
import TourCrypto
import TourModel

/// A signed token as it was received, in three parts; what it says is believed of nobody before its signature is
/// checked.
/// Source: RFC 7515, sections 3.1 and 7.1.
package struct SignedToken: Sendable {
    /// The algorithm that it says it is signed with.
    package let algorithm: String
    /// The key that it says it is signed with.
    package let kid: String?
    /// Its claims, in JSON.
    package let claims: [UInt8]
    /// What is signed: header and claims as they came.
    package let signed: [UInt8]
    /// The signature, in the form of its algorithm.
    package let signature: [UInt8]

    /// - Returns: nil for what is no such token, is longer than `ServerLimits.tokenBytesMax`, or says that its reader
    ///   has to know more than its algorithm: nothing of that kind is known here.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= ServerLimits.tokenBytesMax else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.bytes(of: parts[0]), let claims = Base64URL.bytes(of: parts[1]),
            let signature = Base64URL.bytes(of: parts[2]),
            let said = try? JSONDecoder().decode(Header.self, from: Data(header))
        else { return nil }
        algorithm = said.algorithm
        kid = said.kid
        self.claims = claims
        signed = Array(bytes[..<parts[1].endIndex])
        self.signature = signature
    }

    /// - Returns: nil where the claims are not of this kind.
    func claims<Claims: Decodable>(as kind: Claims.Type) -> Claims? {
        try? JSONDecoder().decode(kind, from: Data(claims))
    }

    /// A token of ours.
    /// - Parameter claims: in JSON.
    static func text(of claims: Data, kid: String, signedBy keys: SigningKeyPair) -> String {
        let header = #"{"alg":"\#(edDSA)","typ":"JWT","kid":"\#(kid)"}"#
        let signed = Base64URL.text(of: header.utf8) + "." + Base64URL.text(of: claims)
        return signed + "." + Base64URL.text(of: keys.sign(signed.utf8))
    }

    /// The name of Ed25519. Source: RFC 8037, section 3.1.
    static let edDSA = "EdDSA"

    /// Source: RFC 7515, section 4.1.
    private struct Header: Decodable {
        let algorithm: String
        let kid: String?

        private enum Name: String, CodingKey { case alg, kid, crit }

        init(from decoder: any Decoder) throws {
            let names = try decoder.container(keyedBy: Name.self)
            guard !names.contains(.crit) else {
                throw DecodingError.dataCorruptedError(forKey: .crit, in: names, debugDescription: "none is known")
            }
            algorithm = try names.decode(String.self, forKey: .alg)
            kid = try names.decodeIfPresent(String.self, forKey: .kid)
        }
    }
}
