import TourCrypto
import TourModel

/// A member's means to prove itself to a server. Source: `Protocol/09-mailbox.md`, "Member proof".
package struct MemberPass: Sendable {
    /// The tour in which the member proves itself.
    package let tour: TourID
    /// The id that follows from the identity key.
    package let member: MemberID
    private let identity: SigningKeyPair

    package init(tour: TourID, identity: SigningKeyPair) {
        self.tour = tour
        self.identity = identity
        member = MemberID(identity: identity.publicKey)
    }

    /// - Parameter host: the `Host` header of the request that will carry the proof.
    /// - Parameter nonce: as the server wrote it.
    package func signature(for purpose: MailboxProof.Purpose, host: String, nonce: String) -> [UInt8] {
        identity.sign(MailboxProof.digest(purpose, tour: tour, member: member, host: host, nonce: nonce))
    }
}
