import TourModel

/// The bytes that a member signs to authenticate to a server. Source: `Protocol/09-mailbox.md`, "Member proof".
package enum MailboxProof {
    /// The purpose of a proof.
    package enum Purpose: String, Sendable {
        /// The purposes, with their names in the signed bytes.
        case auth, group, bind
    }

    /// - Parameter host: the `Host` header of the request that carries the proof.
    /// - Parameter nonce: the nonce exactly as the server sent it.
    /// - Returns: 32 bytes, which the identity key signs.
    package static func digest(
        _ purpose: Purpose, tour: TourID, member: MemberID, host: String, nonce: String
    ) -> [UInt8] {
        Hash.of(
            .mailbox, Array(purpose.rawValue.utf8), tour.bytes, member.bytes, Array(host.utf8), Array(nonce.utf8)
        ).bytes
    }
}
