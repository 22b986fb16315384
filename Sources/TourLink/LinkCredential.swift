import TourCrypto
import TourModel

/// A secret that opens links, and our keys that go with it.
package struct LinkCredential: Sendable {
    /// The use of the secret.
    package enum Purpose: Hashable, Sendable {
        /// Links between members, under an epoch's link secret.
        case member
        /// Links between a member and a holder of an invite code, with the invite's public key.
        case invite(SigningKey)
        /// Links with those who ask to join without a code, by this tag.
        case asking(DiscoveryTag)
    }

    /// The tour of the link.
    package var tour: TourID
    /// The use of the secret.
    package var purpose: Purpose
    /// 32 bytes: the PSK of the handshake.
    package var secret: SecretBytes
    /// Our own keys; an ask link uses none of them.
    package var keys: LinkKeys
    /// The genesis event's bytes, which a responder sends on a join link.
    package var genesis: [UInt8]
    /// For links between members: the epoch that the secret belongs to.
    package var epoch: EpochID?
    /// The UDP port on which we receive datagrams of links between members; 0: none.
    package var datagramPort = 0

    /// The tag by which an asker asks; nil for other links.
    var askTag: DiscoveryTag? {
        if case .asking(let tag) = purpose { tag } else { nil }
    }

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
    /// Signs the bind.
    package var identity: SigningKeyPair
    /// The static key of the handshake.
    package var link: LinkKeyPair

    package init(identity: SigningKeyPair, link: LinkKeyPair) {
        self.identity = identity
        self.link = link
    }
}

/// The answer of our roster about a link key.
package enum PeerStanding: Hashable, Sendable {
    /// One of these members: a link key is no secret, and more than one member may have named it. The bind shows which
    /// it is.
    case members(Set<MemberID>)
    /// Not in our roster yet: the link opens restricted.
    case unknown
    /// Removed, left, or its log forks: this node tells the peer so, and nothing else.
    case former(Set<MemberID>)
}

/// A joiner's credentials: the code's content and new keys.
package struct JoinTicket: Sendable {
    /// The secret in the code.
    package var secret: InviteSecret
    /// The first 16 bytes of the tour id, from the code.
    package var tourPrefix: [UInt8]
    /// The joiner's new key pairs.
    package var keys: LinkKeys
    /// The public wrapping key for the join request.
    package var wrappingKey: WrappingKey

    package init(secret: InviteSecret, tourPrefix: [UInt8], keys: LinkKeys, wrappingKey: WrappingKey) {
        self.secret = secret
        self.tourPrefix = tourPrefix
        self.keys = keys
        self.wrappingKey = wrappingKey
    }
}
