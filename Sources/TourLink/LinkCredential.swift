import TourCrypto
import TourModel

/// A secret that opens links, and the keys of ours that go with it.
package struct LinkCredential: Sendable {
    package enum Purpose: Hashable, Sendable {
        /// Between members, under an epoch's link secret.
        case member
        /// Between a member and somebody who holds an invite code; the invite's public key.
        case invite(SigningKey)
    }

    package var tour: TourID
    package var purpose: Purpose
    /// 32 bytes: the PSK of the handshake.
    package var secret: SecretBytes
    package var keys: LinkKeys
    /// The genesis event's bytes: what a responder shows on a join link.
    package var genesis: [UInt8]
    /// Between members: the epoch whose secret it is.
    package var epoch: EpochID?
    /// UDP, where we hear datagrams of links between members; 0: nowhere.
    package var datagramPort = 0

    package init(tour: TourID, purpose: Purpose, secret: SecretBytes, keys: LinkKeys, genesis: [UInt8]) {
        self.tour = tour
        self.purpose = purpose
        self.secret = secret
        self.keys = keys
        self.genesis = genesis
    }
}

/// A member's own key pairs that a link needs.
package struct LinkKeys: Sendable {
    package var identity: SigningKeyPair
    package var link: LinkKeyPair

    package init(identity: SigningKeyPair, link: LinkKeyPair) {
        self.identity = identity
        self.link = link
    }
}

/// What our roster says of a link key.
package enum PeerStanding: Hashable, Sendable {
    /// One of these: a link key is no secret, and more than one member may have named it. The bind says which.
    case members(Set<MemberID>)
    /// Not in our roster yet: the link opens restricted.
    case unknown
    /// Removed, left, or its log forks: it is told so, and nothing else.
    case former(Set<MemberID>)
}

/// What somebody who joins brings: the code's content and new keys.
package struct JoinTicket: Sendable {
    package var secret: InviteSecret
    /// The first 16 bytes of the tour id, from the code.
    package var tourPrefix: [UInt8]
    package var keys: LinkKeys
    package var wrappingKey: WrappingKey

    package init(secret: InviteSecret, tourPrefix: [UInt8], keys: LinkKeys, wrappingKey: WrappingKey) {
        self.secret = secret
        self.tourPrefix = tourPrefix
        self.keys = keys
        self.wrappingKey = wrappingKey
    }
}
