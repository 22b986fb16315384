import Foundation
import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// A member's proof of its identity to the server: a signature over a text with a nonce that the server chose.
/// Source: `Protocol/09-mailbox.md`, "Member proof".
///
/// The server seals a nonce under its own key, and the nonce holds its end: none is stored before it is used.
struct MemberProof: Sendable {
    let member: MemberID
    let nonce: String
    let signature: [UInt8]

    /// - Parameter member: the member id in the request.
    /// - Throws: `invalidField` naming the field.
    init(member: String, nonce: String, signature: Data) throws(Failure) {
        guard let id = MemberID(hex: member) else { throw .invalid("memberId") }
        guard signature.count == SigningKeyPair.signatureBytes else { throw .invalid("signature") }
        self.member = id
        self.nonce = nonce
        self.signature = Array(signature)
    }

    /// Checks the signature under the member's key, and uses up the nonce.
    /// - Throws: `badProof`.
    func check(
        _ purpose: MailboxProof.Purpose, tour: TourID, identity: SigningKey, host: String, now: Int64,
        secret: ServerSecret, in sql: any SQL
    ) throws(Failure) {
        guard nonce.utf8.count <= ServerLimits.nonceBytesMax, let sealed = Base64URL.bytes(of: nonce.utf8),
            let expiry = secret.nonceEnd(sealed), expiry > now
        else { throw Failure(.badProof) }
        let digest = MailboxProof.digest(purpose, tour: tour, member: member, host: host, nonce: nonce)
        guard identity.verifies(signature, of: digest) else { throw Failure(.badProof) }
        let isNew = try sql.run(
            "INSERT INTO used_nonces (nonce, expires) VALUES ($1, $2) ON CONFLICT (nonce) DO NOTHING",
            [.bytes(sealed), .integer(expiry / 1_000_000 + 1)])
        guard isNew == 1 else { throw Failure(.badProof) }
    }
}

extension ServerSecret {
    private static let noncePlace = Array("mailbox-nonce".utf8)

    /// A new nonce that is valid until `expiry`, in microseconds since 1970.
    func nonce(until expiry: Int64) -> String {
        var bytes = [UInt8]()
        bytes.append(bigEndian: UInt64(bitPattern: expiry))
        return Base64URL.text(of: seal(bytes, for: Self.noncePlace))
    }

    /// - Returns: when the nonce ends, in microseconds since 1970; nil for bytes that are no nonce of this server.
    fileprivate func nonceEnd(_ sealed: [UInt8]) -> Int64? {
        guard let bytes = try? open(sealed, for: Self.noncePlace), bytes.count == 8 else { return nil }
        return Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
