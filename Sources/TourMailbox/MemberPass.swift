import TourCrypto
import TourModel

/// What a member needs to show itself to a server. Source: `Protocol/09-mailbox.md`, "Member proof".
package struct MemberPass: Sendable {
    /// What a proof is good for.
    package enum Purpose: String, Sendable {
        case auth, group, bind
    }

    package let tour: TourID
    package let member: MemberID
    private let identity: SigningKeyPair

    package init(tour: TourID, identity: SigningKeyPair) {
        self.tour = tour
        self.identity = identity
        member = MemberID(identity: identity.publicKey)
    }

    /// - Parameter host: the `Host` header of the request that will carry the proof.
    /// - Parameter nonce: as the server wrote it.
    package func signature(for purpose: Purpose, host: String, nonce: String) -> [UInt8] {
        identity.sign(Self.digest(purpose, tour: tour, member: member, host: host, nonce: nonce))
    }

    /// What a proof's signature covers: the server checks the same.
    package static func digest(
        _ purpose: Purpose, tour: TourID, member: MemberID, host: String, nonce: String
    ) -> [UInt8] {
        Hash.of(
            .mailbox, Array(purpose.rawValue.utf8), tour.bytes, member.bytes, Array(host.utf8), Array(nonce.utf8)
        ).bytes
    }
}
