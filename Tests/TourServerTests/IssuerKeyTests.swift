import Foundation
import ServerBase
import ServerRequests
import Testing
import TourModel

/// Goal: what a key of an issuer signed is known, whatever algorithm the issuer uses, and nothing else is; a key set is
/// taken whole or refused.
/// Method: the tokens of the standards and of another library; the same with one thing changed; keys that are not quite
/// right.
struct IssuerKeyTests {
    private static func verifies(_ token: String, _ set: Data) throws -> Bool {
        try KeySet(json: set).verifies(try #require(SignedToken(token)))
    }

    @Test(arguments: IssuerSample.all)
    func everyAlgorithmIsKnown(algorithm: String, key: String, token: String) throws {
        #expect(try Self.verifies(token, IssuerSample.set(key)))
        #expect(
            try Self.verifies(token, IssuerSample.set(key + #","use":"sig","alg":"\#(algorithm)","d":"AQAB","q":7"#)))
        // What is for something else has signed nothing, and is no fault either.
        for more in [#""use":"enc""#, #""alg":"RSA-OAEP""#, #""alg":"HS256""#, #""alg":"none""#, #""alg":"""#] {
            #expect(try !Self.verifies(token, IssuerSample.set("\(key),\(more)")), "\(more)")
        }
        for other in IssuerSample.all where other.algorithm != algorithm {
            #expect(try !Self.verifies(token, IssuerSample.set(#"\#(key),"alg":"\#(other.algorithm)""#)))
            #expect(try !Self.verifies(token, IssuerSample.set(other.key)) || other.key == key)
        }
    }

    @Test(arguments: IssuerSample.all)
    func otherSignaturesAreNone(algorithm: String, key: String, token: String) throws {
        let keys = try KeySet(json: IssuerSample.set(key))
        let parts = token.split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.bytes(of: parts[2].utf8))
        var others: [[UInt8]] = [
            [], [0], signature.dropLast(), signature + [0], [0] + signature, signature.reversed(),
            [UInt8](repeating: 0, count: signature.count), [UInt8](repeating: 255, count: signature.count),
        ]
        for index in signature.indices {
            others.append(signature)
            others[others.count - 1][index] ^= 1 << UInt8(index % 8)
        }
        for other in others {
            let changed = [parts[0], parts[1], Base64URL.text(of: other)].joined(separator: ".")
            #expect(!keys.verifies(try #require(SignedToken(changed))), "\(changed)")
        }
        let claims = try #require(Base64URL.bytes(of: parts[1].utf8))
        let changed = [parts[0], Base64URL.text(of: claims + [UInt8(ascii: " ")]), parts[2]].joined(separator: ".")
        #expect(!keys.verifies(try #require(SignedToken(changed))))
    }

    /// The curve's signature in the form that certificates have it in.
    @Test func signaturesInDERAreNone() throws {
        let sample = try #require(IssuerSample.all.first { $0.algorithm == "ES256" })
        let parts = sample.token.split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.bytes(of: parts[2].utf8))
        var encoded: [UInt8] = []
        for half in [signature.prefix(32), signature.suffix(32)] {
            encoded += half[half.startIndex] < 0x80 ? [0x02, 0x20] + half : [0x02, 0x21, 0x00] + half
        }
        let changed = [parts[0], parts[1], Base64URL.text(of: [0x30, UInt8(encoded.count)] + encoded)]
        #expect(try !Self.verifies(changed.joined(separator: "."), IssuerSample.set(sample.key)))
    }

    @Test func aSaltOfAnotherLengthIsNone() throws {
        #expect(try !Self.verifies(IssuerSample.withoutSalt, IssuerSample.set(IssuerSample.rsa)))
    }

    @Test func aTokenIsCheckedByTheKeyThatItNames() throws {
        let named = try #require(IssuerSample.all.first { $0.algorithm == "RS384" })
        let unnamed = try #require(IssuerSample.all.first { $0.algorithm == "RS256" })
        let first = IssuerSample.set(IssuerSample.rsa, IssuerSample.ed25519)
        #expect(try Self.verifies(named.token, first) && Self.verifies(unnamed.token, first))
        // Here the key is named otherwise, and is not the first.
        let second = IssuerSample.set(IssuerSample.ed25519, IssuerSample.rsa)
        #expect(try !Self.verifies(named.token, second) && !Self.verifies(unnamed.token, second))
        let renamed = Data(String(decoding: first, as: UTF8.self).replacing(#""kid":"k","#, with: #""kid":"K","#).utf8)
        #expect(try !Self.verifies(named.token, renamed) && Self.verifies(unnamed.token, renamed))
        #expect(try !Self.verifies(unnamed.token, Data(#"{"keys":[]}"#.utf8)))
        // Two keys of one name, as of different kinds.
        let twins = Data(#"{"keys":[{"kid":"k",\#(IssuerSample.p256)},{"kid":"k",\#(IssuerSample.rsa)}]}"#.utf8)
        #expect(try Self.verifies(named.token, twins))
    }

    private static func rsa(_ n: [UInt8], e: String = "AQAB") -> String {
        #""kty":"RSA","n":"\#(Base64URL.text(of: n))","e":"\#(e)""#
    }

    private static func number(bits: Int) -> [UInt8] {
        [UInt8(1 << ((bits - 1) % 8))] + [UInt8](repeating: 0xFF, count: (bits - 1) / 8)
    }

    @Test func sizesHaveBounds() throws {
        for bits in [2_048, 3_072, 4_096, 8_192] {
            _ = try KeySet(json: IssuerSample.set(Self.rsa(Self.number(bits: bits))))
        }
        for bits in [8, 1_024, 2_047, 8_193, 16_384] {
            #expect(throws: Failure.self, "\(bits) bits") {
                try KeySet(json: IssuerSample.set(Self.rsa(Self.number(bits: bits))))
            }
        }
        // Zeros before it make a number no larger.
        let sample = try #require(IssuerSample.all.first { $0.algorithm == "RS256" })
        let modulus = try #require(Base64URL.bytes(of: IssuerSample.modulus.utf8))
        #expect(try Self.verifies(sample.token, IssuerSample.set(Self.rsa([0] + modulus, e: "AAEAAQ"))))
        for e in ["", "AA", "AQAAAAE"] {
            #expect(throws: Failure.self, "\(e)") { try KeySet(json: IssuerSample.set(Self.rsa(modulus, e: e))) }
        }
        // No exponent, but one that nothing is signed with.
        #expect(try !Self.verifies(sample.token, IssuerSample.set(Self.rsa(modulus, e: "Ag"))))
    }

    private static let wrongMembers = [
        #""kty":"oct","k":"AAAA""#, #""kty":"AKP","alg":"ML-DSA-65","pub":"AAAA""#, #""kty":"rsa""#, #""kty":"RSA""#,
        #""x":"AAAA""#, #""kty":7"#, #""kty":"RSA","n":7,"e":"AQAB""#, #""kty":"RSA","n":"\#(IssuerSample.modulus)""#,
        #""kty":"RSA","n":"\#(IssuerSample.modulus)==","e":"AQAB""#, #""kty":"EC""#, #""kty":"EC","crv":"P-256""#,
        #""kty":"OKP","crv":"Ed25519""#, #""kty":"OKP","crv":"Ed25519","x":"AAAA""#,
        IssuerSample.p256.replacing("P-256", with: "secp256k1"), IssuerSample.p256.replacing("P-256", with: "P-384"),
        IssuerSample.p256.replacing(#""crv":"P-256","#, with: ""), IssuerSample.p256 + #","use":7"#,
        // Not on the curve.
        IssuerSample.p256.replacing(#""y":"x_"#, with: #""y":"y_"#),
        IssuerSample.p521.replacing(#""x":"AekpBQ8"#, with: #""x":"AekpBQ9"#),
        // Its point would be as long as another curve's.
        IssuerSample.p256.replacing(#""y":"x_F"#, with: #""y":"AAAA"#),
        IssuerSample.ed25519.replacing("Ed25519", with: "X25519"),
        IssuerSample.ed25519.replacing("Ed25519", with: "Ed448"),
    ]

    @Test(arguments: wrongMembers)
    func unknownAndIncompleteKeysAreRefused(members: String) {
        #expect(throws: Failure.self) { try KeySet(json: IssuerSample.set(IssuerSample.ed25519, members)) }
    }

    @Test func otherTextsAreNoKeySets() throws {
        for text in [
            "", "{}", "[]", "7", #"{"keys":7}"#, #"{"keys":[7]}"#, #"{"keys":[{}]}"#, "{\(IssuerSample.ed25519)}",
            #"{"keys":[{\#(IssuerSample.ed25519)}]}"#, #"{"keys":[{"kid":7,\#(IssuerSample.ed25519)}]}"#,
            String(repeating: "[", count: 100_000),
        ] {
            #expect(throws: Failure.self, "\(text.prefix(80))") { try KeySet(json: Data(text.utf8)) }
        }
        func keys(_ count: Int, padding: Int = 0) -> Data {
            let key = #"{"kid":"k",\#(IssuerSample.ed25519)}"#
            return Data(
                (#"{"keys":[\#(Array(repeating: key, count: count).joined(separator: ","))]}"#
                    + String(repeating: " ", count: padding)).utf8)
        }
        _ = try KeySet(json: keys(ServerLimits.keySetKeysMax))
        #expect(throws: Failure.self) { try KeySet(json: keys(ServerLimits.keySetKeysMax + 1)) }
        #expect(throws: Failure.self) { try KeySet(json: keys(1, padding: ServerLimits.keySetBytesMax)) }
    }
}
