import TourCrypto
import TourModel
import TourWire

/// The peer of an open link.
package struct LinkPeer: Sendable {
    /// The peer's relation to us.
    package enum Kind: Sendable {
        /// A member of our roster.
        case member(MemberID)
        /// A peer that holds the tour's link secret but whose key our roster does not know yet: only control messages
        /// pass.
        case restricted(MemberID)
        /// A former member of our roster: this node tells it why, and no more.
        case former(MemberID)
        /// A holder of an invite code that wants to join; its request is verified.
        case joiner(JoinRequest)
        /// The member that answers our own join; the tour's genesis matches the code.
        case host(identity: SigningKey, genesis: [UInt8])
    }

    /// The tour of the link.
    package var tour: TourID
    /// The peer's relation to us.
    package var kind: Kind
    /// The peer's static key.
    package var linkKey: LinkKey
    /// The hash of the handshake's transcript, unique to this link.
    package var handshakeHash: [UInt8]
    /// For links between members: the epoch whose secret opened the link, which the peer knows.
    package var epoch: EpochID?
    /// Whether we dialled.
    package var isInitiator: Bool
    /// For links between members, where both receive datagrams.
    package var datagrams: DatagramAgreement?

    package init(
        tour: TourID, kind: Kind, linkKey: LinkKey, handshakeHash: [UInt8], epoch: EpochID? = nil, isInitiator: Bool,
        datagrams: DatagramAgreement? = nil
    ) {
        self.tour = tour
        self.kind = kind
        self.linkKey = linkKey
        self.handshakeHash = handshakeHash
        self.epoch = epoch
        self.isInitiator = isInitiator
        self.datagrams = datagrams
    }
}

/// The purpose of a dial.
package enum DialIntent: Sendable {
    /// A link to a member.
    case member(LinkCredential)
    /// A join link.
    case join(JoinTicket)
    /// An ask link.
    case ask(AskTicket)

    /// The PSK of the handshake.
    package var secret: SecretBytes {
        switch self {
        case .member(let credential): credential.secret
        case .join(let ticket): ticket.secret.joinSecret
        case .ask(let ticket): ComparedWords.psk(of: ticket.tag)
        }
    }

    /// Our own static key of the handshake.
    package var link: LinkKeyPair {
        switch self {
        case .member(let credential): credential.keys.link
        case .join(let ticket): ticket.keys.link
        case .ask(let ticket): ticket.link
        }
    }
}
