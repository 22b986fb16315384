import TourCrypto
import TourModel
import TourWire

/// Who is at the other end of an open link.
package struct LinkPeer: Sendable {
    package enum Kind: Sendable {
        /// A member of our roster.
        case member(MemberID)
        /// Holds the tour's link secret, but our roster does not know the key yet: only control messages pass.
        case restricted(MemberID)
        /// Was a member of our roster, and is out: it hears why, and no more.
        case former(MemberID)
        /// Somebody with an invite code who wants in; the request is verified.
        case joiner(JoinRequest)
        /// The member who answers our own join; the tour's genesis is checked against the code.
        case host(identity: SigningKey, genesis: [UInt8])
    }

    package var tour: TourID
    package var kind: Kind
    package var linkKey: LinkKey
    package var handshakeHash: [UInt8]
    /// Between members: the epoch whose secret opened the link, which the peer knows.
    package var epoch: EpochID?
    /// Whether we dialled.
    package var isInitiator: Bool
    /// Between members, where both hear datagrams.
    package var datagrams: DatagramAgreement?
}

/// Why we dial.
package enum DialIntent: Sendable {
    case member(LinkCredential)
    case join(JoinTicket)

    package var secret: SecretBytes {
        switch self {
        case .member(let credential): credential.secret
        case .join(let ticket): ticket.secret.joinSecret
        }
    }

    package var keys: LinkKeys {
        switch self {
        case .member(let credential): credential.keys
        case .join(let ticket): ticket.keys
        }
    }
}
