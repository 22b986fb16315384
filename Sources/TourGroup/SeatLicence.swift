import TourCrypto
import TourModel
import TourWire

/// The right of one member to give guests seats: an invite under which that member alone admits. Its key pair is no
/// secret among members: an admission counts by its author. Source: `Protocol/15-seats.md`, "Licence".
package struct SeatLicence: Sendable {
    /// The pair that signs seats' requests.
    package let pair: SigningKeyPair
    private let seed: SecretBytes

    /// - Parameter seed: of a new licence `SigningKeyPair.seedBytes` random bytes.
    package init(seed: SecretBytes) {
        self.seed = seed
        pair = SigningKeyPair(seed: seed)
    }

    /// The licence in a log.
    /// - Parameter epoch: the key of the epoch that `invite` names.
    /// - Returns: nil for an invite that is none, another key, or a licence that was not made by the rules.
    package init?(_ invite: InviteState, under epoch: EpochKey) {
        guard invite.host != nil, epoch.id == invite.epoch,
            let seed = try? Seal.open(
                invite.sealedSecret, key: Self.sealingKey(epoch, invite.key), associatedData: invite.key.bytes),
            seed.count == SigningKeyPair.seedBytes
        else { return nil }
        self.init(seed: SecretBytes(seed))
        guard pair.publicKey == invite.key else { return nil }
    }

    /// The body of the event that gives it.
    /// - Parameters:
    ///   - uses: how many seats it admits; 0: any number.
    ///   - expiresAt: in milliseconds since 1970; nil: when the tour ends.
    package func body(for host: MemberID, uses: UInt32, expiresAt: Int64?, under epoch: EpochKey) -> ControlBody {
        let key = pair.publicKey
        return .invite(
            ControlBody.Invite(
                key: key, uses: uses, expiresAt: UInt64(clamping: expiresAt ?? 0),
                sealedSecret: seed.withBytes {
                    Seal.seal($0, key: Self.sealingKey(epoch, key), associatedData: key.bytes)
                },
                epoch: epoch.id, host: host))
    }

    private static func sealingKey(_ epoch: EpochKey, _ key: SigningKey) -> SecretBytes {
        Hash.keyed(epoch.key, .inviteSeal, key.bytes)
    }
}

extension Roster {
    /// The invites by which people join with a code, by their keys: those that are no licences.
    package var codes: [InviteState] { invites.values.filter { $0.host == nil }.sorted { $0.key < $1.key } }

    /// The open licences of a member, the newest first.
    package func licences(of host: MemberID, wallMilliseconds: Int64) -> [InviteState] {
        invites.values
            .filter { $0.host == host && $0.isOpen(wallMilliseconds: wallMilliseconds) }
            .sorted { ($0.createdAt, $0.event) > ($1.createdAt, $1.event) }
    }

    /// A member's licences that are not revoked, ascending.
    package func openLicences(of host: MemberID) -> [SigningKey] {
        invites.values.filter { $0.host == host && !$0.isRevoked }.map(\.key).sorted()
    }

    /// The invites that a removal ends: all licences, then codes, each ascending; used up ones too, since members that
    /// they admitted may turn out void. A removed member may have kept a code, or seen that of a host for guests.
    var invitesEndedByRemoval: [SigningKey] {
        let open = invites.values.filter { !$0.isRevoked }
        return open.filter { $0.host != nil }.map(\.key).sorted() + open.filter { $0.host == nil }.map(\.key).sorted()
    }

    /// The invites that a removal written now would leave open because it holds no more.
    package var invitesBeyondRemoval: [SigningKey] { Array(invitesEndedByRemoval.dropFirst(Limits.invitesRevokedMax)) }

    /// Whether a member may give seats now.
    package func mayGiveSeats(_ member: MemberID, wallMilliseconds: Int64) -> Bool {
        members[member]?.isActive == true && !licences(of: member, wallMilliseconds: wallMilliseconds).isEmpty
    }
}
