import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourWire

/// The tour of the harnesses: fixed keys, the same in every process.
package enum FuzzTour {
    package static let wall: Int64 = 1_767_225_600_000
    package static let memberSecret = SecretBytes([UInt8](repeating: 0x11, count: 32))
    package static let genesis = founding.group.genesisEvent.bytes
    package static let tour = founding.group.tour

    /// Member 1 made the tour.
    package static let founding = Founding(
        keys: memberKeys(1), epochKey: SecretBytes([UInt8](repeating: 0x33, count: 32)), fullHistory: true,
        salt: [UInt8](repeating: 1, count: 16), wallMilliseconds: wall)

    package static func invite(_ number: UInt8) -> InviteSecret {
        guard let secret = InviteSecret(seed: [UInt8](repeating: number, count: InviteSecret.seedBytes)) else {
            preconditionFailure("a seed has 16 bytes")
        }
        return secret
    }

    package static func memberKeys(_ number: UInt8) -> MemberKeys {
        guard let wrapping = WrappingKeyPair(secret: SecretBytes([UInt8](repeating: number &+ 200, count: 32))) else {
            preconditionFailure("a wrapping key has 32 bytes")
        }
        let keys = linkKeys(number)
        return MemberKeys(identity: keys.identity, link: keys.link, wrapping: wrapping)
    }

    package static func linkKeys(_ number: UInt8) -> LinkKeys {
        guard let link = LinkKeyPair(secret: SecretBytes([UInt8](repeating: number &+ 100, count: 32))) else {
            preconditionFailure("a link key has 32 bytes")
        }
        return LinkKeys(identity: SigningKeyPair(seed: SecretBytes([UInt8](repeating: number, count: 32))), link: link)
    }

    package static func credential(_ keys: LinkKeys) -> LinkCredential {
        LinkCredential(tour: tour, purpose: .member, secret: memberSecret, keys: keys, genesis: genesis)
    }

    package static func inviteCredential(_ keys: LinkKeys) -> LinkCredential {
        let invite = invite(1)
        return LinkCredential(
            tour: tour, purpose: .invite(invite.invitePair.publicKey), secret: invite.joinSecret, keys: keys,
            genesis: genesis)
    }

    package static func ticket(_ number: UInt8) -> JoinTicket {
        JoinTicket(
            secret: invite(1), tourPrefix: Array(tour.bytes.prefix(InviteCode.tourPrefixBytes)),
            keys: linkKeys(number), wrappingKey: memberKeys(number).wrapping.publicKey)
    }
}
