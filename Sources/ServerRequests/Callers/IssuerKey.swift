import ServerBase
import TourCrypto
import TourModel

/// A public key of an issuer, with the algorithms that it may sign with.
/// Source: RFC 7517, section 4; RFC 7518, sections 3 and 6; RFC 8037, section 2.
struct IssuerKey: Sendable {
    /// What is read of a key; whatever else it has is left alone, its private half too.
    struct Members: Decodable {
        let kty: String
        let kid: String
        let use: String?
        let alg: String?
        let crv: String?
        let n: String?
        let e: String?
        let x: String?
        let y: String?
    }

    private enum Material: Sendable {
        case ed25519(SigningKey)
        case rsa(LibcryptoKey)
        /// With the length of its numbers.
        case curve(LibcryptoKey, Curve)
    }

    /// A curve of NIST.
    private struct Curve: Sendable {
        let algorithm: String
        let hash: String
        /// The length of a coordinate, and of each half of a signature.
        let bytes: Int
        let identifier: [UInt8]
    }

    /// Source: RFC 7518, section 3.4; RFC 5480, section 2.1.1.1.
    private static let curves = [
        "P-256": Curve(
            algorithm: "ES256", hash: "SHA256", bytes: 32,
            identifier: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]),
        "P-384": Curve(algorithm: "ES384", hash: "SHA384", bytes: 48, identifier: [0x2B, 0x81, 0x04, 0x00, 0x22]),
        "P-521": Curve(algorithm: "ES512", hash: "SHA512", bytes: 66, identifier: [0x2B, 0x81, 0x04, 0x00, 0x23]),
    ]
    /// id-ecPublicKey. Source: RFC 5480, section 2.1.1.
    private static let curveKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// rsaEncryption. Source: RFC 8017, appendix A.1.
    private static let rsaKey: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// Source: RFC 7518, sections 3.3 and 3.5.
    private static let rsaForms = [
        "RS256": LibcryptoKey.Form(hash: "SHA256"), "RS384": LibcryptoKey.Form(hash: "SHA384"),
        "RS512": LibcryptoKey.Form(hash: "SHA512"), "PS256": LibcryptoKey.Form(hash: "SHA256", isPSS: true),
        "PS384": LibcryptoKey.Form(hash: "SHA384", isPSS: true),
        "PS512": LibcryptoKey.Form(hash: "SHA512", isPSS: true),
    ]

    let kid: String
    /// The only algorithm that the key is for; nil: all that such a key can.
    private let algorithm: String?
    /// Whether it is for signatures at all: some are for encryption.
    private let isForSignatures: Bool
    private let material: Material

    /// - Throws: `unavailable` for a kind of key that is not known, where a number is missing or out of bounds, and
    ///   without the library.
    init(_ members: Members) throws(Failure) {
        kid = members.kid
        algorithm = members.alg
        isForSignatures = members.use ?? "sig" == "sig"
        let material: Material? =
            switch members.kty {
            case "OKP" where members.crv == "Ed25519":
                Self.bytes(members.x).flatMap { SigningKey($0) }.map { .ed25519($0) }
            case "RSA": try Self.rsa(members)
            case "EC": try Self.curve(members)
            default: nil
            }
        guard let material else {
            throw Failure(
                .unavailable,
                cause: "the key set has a key that is incomplete or of an unknown kind, \(Self.shown(members))")
        }
        self.material = material
    }

    /// Whether this key has signed the token, with an algorithm that it is for.
    func verifies(_ token: SignedToken) -> Bool {
        guard isForSignatures, algorithm == nil || algorithm == token.algorithm else { return false }
        switch material {
        case .ed25519(let key):
            return token.algorithm == SignedToken.edDSA && key.verifies(token.signature, of: token.signed)
        case .rsa(let key):
            guard let form = Self.rsaForms[token.algorithm] else { return false }
            return key.verifies(token.signature, of: token.signed, form)
        case .curve(let key, let curve):
            guard token.algorithm == curve.algorithm, token.signature.count == 2 * curve.bytes else { return false }
            let (r, s) = (token.signature.prefix(curve.bytes), token.signature.suffix(curve.bytes))
            return key.verifies(
                DER.sequence(DER.integer(r), DER.integer(s)), of: token.signed, LibcryptoKey.Form(hash: curve.hash))
        }
    }

    private static func rsa(_ members: Members) throws(Failure) -> Material? {
        guard let n = bytes(members.n)?.drop(while: { $0 == 0 }), let e = bytes(members.e)?.drop(while: { $0 == 0 }),
            ServerLimits.issuerModulusBits.contains(n.count * 8 - (n.first?.leadingZeroBitCount ?? 0)),
            (1...ServerLimits.issuerExponentBytesMax).contains(e.count)
        else { return nil }
        let info = DER.sequence(
            DER.sequence(DER.objectIdentifier(rsaKey), DER.null),
            DER.bitString(DER.sequence(DER.integer(n), DER.integer(e))))
        return try LibcryptoKey(info: info).map { .rsa($0) }
    }

    private static func curve(_ members: Members) throws(Failure) -> Material? {
        guard let curve = members.crv.flatMap({ curves[$0] }), let x = bytes(members.x), let y = bytes(members.y),
            x.count == curve.bytes, y.count == curve.bytes
        else { return nil }
        let info = DER.sequence(
            DER.sequence(DER.objectIdentifier(curveKey), DER.objectIdentifier(curve.identifier)),
            DER.bitString([0x04] + x + y))
        return try LibcryptoKey(info: info).map { .curve($0, curve) }
    }

    private static func bytes(_ text: String?) -> [UInt8]? { text.flatMap { Base64URL.bytes(of: $0.utf8) } }

    /// Kind and name, for the operator's log.
    private static func shown(_ members: Members) -> String {
        let words = [members.kty, members.crv, members.kid].compactMap { $0 }
        return words.map { $0.prefix(40).filter { ("!"..."~").contains($0) } }.joined(separator: " ")
    }
}
