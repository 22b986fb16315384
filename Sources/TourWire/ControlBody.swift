import SwiftProtobuf
import TourModel

/// The body of a control event. Source: `Protocol/05-events.md`, "Control bodies".
package enum ControlBody: Hashable, Sendable {
    /// Founds the tour.
    case genesis(Genesis)
    /// Creates an invite.
    case invite(Invite)
    /// Ends an invite. Of the admissions under it only the named ones stand.
    case revoke(invite: SigningKey, accepted: [EventName])
    /// Admits the device that signed the request.
    case admit(JoinRequest)
    /// The author leaves the tour.
    case leave
    /// Ends the tour.
    case close
    /// Changes a member's rank from a place in its log on. Encoded as a `Successor` where the rank is creator.
    case role(Role)
    /// Removes a member.
    case remove(Remove)
    /// Proves that a log forks.
    case fork(ForkProof)
    /// Creates a new epoch.
    case rekey(Rekey)
    /// Publishes the author's newest wrapping key.
    case wrappingKey(WrappingKey)
    /// A later kind: kept and relayed with its log, without effect here.
    case unknown

    /// The founder's keys, and the rules of the tour.
    package struct Genesis: Hashable, Sendable {
        /// The founder's identity key.
        package var identity: SigningKey
        /// The founder's link key.
        package var linkKey: LinkKey
        /// The founder's first wrapping key.
        package var wrappingKey: WrappingKey
        /// The commitment to the first epoch's key.
        package var commitment: Bytes32
        /// Whether late joiners get the keys of older epochs.
        package var fullHistory: Bool
        /// 16 random bytes.
        package var salt: [UInt8]

        package init(
            identity: SigningKey, linkKey: LinkKey, wrappingKey: WrappingKey, commitment: Bytes32,
            fullHistory: Bool, salt: [UInt8]
        ) {
            self.identity = identity
            self.linkKey = linkKey
            self.wrappingKey = wrappingKey
            self.commitment = commitment
            self.fullHistory = fullHistory
            self.salt = salt
        }
    }

    /// An invite and its terms.
    package struct Invite: Hashable, Sendable {
        /// The invite's public key, which signs join requests.
        package var key: SigningKey
        /// How many devices it admits; 0: any number.
        package var uses: UInt32
        /// When it expires, in milliseconds since 1970; 0: when the tour ends.
        package var expiresAt: UInt64
        /// The join secret, sealed for members.
        package var sealedSecret: [UInt8]
        /// The epoch whose key seals it.
        package var epoch: EpochID
        /// The member whom it lets give seats; nil: it lets people in by a code.
        /// Source: `Protocol/15-seats.md`, "Licence".
        package var host: MemberID?

        package init(
            key: SigningKey, uses: UInt32, expiresAt: UInt64, sealedSecret: [UInt8], epoch: EpochID,
            host: MemberID? = nil
        ) {
            self.key = key
            self.uses = uses
            self.expiresAt = expiresAt
            self.sealedSecret = sealedSecret
            self.epoch = epoch
            self.host = host
        }
    }

    /// A change of rank.
    package struct Role: Hashable, Sendable {
        /// The member.
        package var member: MemberID
        /// The new rank.
        package var rank: Rank
        /// The last event of the member's log under its previous rank; 0: none.
        package var sequence: UInt64
        /// The role events on this member that this one replaces.
        package var replaces: [EventID]
        /// The control events that stand of those that the member wrote with a higher rank. Empty for the rank of
        /// creator: no rank is higher.
        package var controls: [EventName]

        package init(
            member: MemberID, rank: Rank, sequence: UInt64, replaces: [EventID], controls: [EventName] = []
        ) {
            self.member = member
            self.rank = rank
            self.sequence = sequence
            self.replaces = replaces
            self.controls = controls
        }
    }

    /// A removal and the events that survive it.
    package struct Remove: Hashable, Sendable {
        /// The removed member.
        package var member: MemberID
        /// The last event of the member's log that counts; 0: none does.
        package var sequence: UInt64
        /// The id of that event; `none` when nothing counts.
        package var last: EventID
        /// The invites that end with it.
        package var revoked: [SigningKey]
        /// The admissions under these invites that stand.
        package var accepted: [EventName]
        /// The member's control events that stand.
        package var controls: [EventName]

        package init(
            member: MemberID, sequence: UInt64, last: EventID, revoked: [SigningKey], accepted: [EventName],
            controls: [EventName] = []
        ) {
            self.member = member
            self.sequence = sequence
            self.last = last
            self.revoked = revoked
            self.accepted = accepted
            self.controls = controls
        }
    }
}

extension ControlBody {
    /// - Throws: `WireError.recordMalformed` (scope record).
    package init(decoding bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.count <= Limits.controlBodyBytesMax,
            let body = decoded(WireControlBody.self, bytes, within: .controlBody)
        else {
            throw .recordMalformed
        }
        guard let value = body.value else { throw .recordMalformed }
        self = value
    }

    /// Whether the body is within the bound: every node rejects a longer one.
    package var isWithinBound: Bool { encode().count <= Limits.controlBodyBytesMax }

    /// The event's body.
    package func encode() -> [UInt8] {
        encoded(
            WireControlBody.with {
                switch self {
                case .genesis(let genesis): $0.genesis = genesis.wire
                case .invite(let invite): $0.invite = invite.wire
                case .revoke(let invite, let accepted):
                    $0.revoke = .with {
                        $0.inviteKey = invite.data
                        $0.accepted = accepted.map { wireData($0.bytes) }
                    }
                case .role(let role) where role.rank == .creator: $0.successor = role.successor
                case .role(let role): $0.role = role.wire
                case .remove(let remove): $0.remove = remove.wire
                case .fork(let proof): $0.fork = proof.wire
                case .admit(let request): $0.admit = .with { $0.request = request.wire }
                case .leave: $0.leave = WireLeave()
                case .close: $0.close = WireClose()
                case .rekey(let rekey): $0.rekey = rekey.wire
                case .wrappingKey(let key): $0.wrappingKey = .with { $0.wrappingKey = key.data }
                case .unknown: preconditionFailure("nobody writes a control event of an unknown kind")
                }
            })
    }
}

extension WireControlBody {
    fileprivate var value: ControlBody? {
        switch kind {
        case .genesis(let wire): ControlBody.Genesis(wire).map(ControlBody.genesis)
        case .invite(let wire): ControlBody.Invite(wire).map(ControlBody.invite)
        case .revoke(let wire):
            SigningKey(wire.inviteKey).map { .revoke(invite: $0, accepted: names(wire.accepted)) }
        case .admit(let wire): JoinRequest(wire.request).map(ControlBody.admit)
        case .leave: .leave
        case .close: .close
        case .role(let wire): ControlBody.Role(wire).map(ControlBody.role)
        case .successor(let wire): ControlBody.Role(wire).map(ControlBody.role)
        case .remove(let wire): ControlBody.Remove(wire).map(ControlBody.remove)
        case .fork(let wire): ForkProof(wire).map(ControlBody.fork)
        case .rekey(let wire): ControlBody.Rekey(wire).map(ControlBody.rekey)
        case .wrappingKey(let wire): WrappingKey(wire.wrappingKey).map(ControlBody.wrappingKey)
        case nil: .unknown
        }
    }
}

/// Drops ids that are no event names; `ListBounds` limits their number.
private func names(_ ids: [WireBytes]) -> [EventName] { ids.compactMap { EventName($0) } }

/// - Returns: nil when there are more than `max` or one does not have 32 bytes.
private func identifiers<Value: Identifier>(_ list: [WireBytes], max: Int) -> [Value]? {
    let values = list.prefix(max).compactMap { Value($0) }
    return values.count == list.count ? values : nil
}

extension ControlBody.Genesis {
    fileprivate init?(_ wire: WireGenesis) {
        guard let identity = SigningKey(wire.identityKey), let linkKey = LinkKey(wire.linkKey),
            let wrappingKey = WrappingKey(wire.wrappingKey), let commitment = Bytes32(wire.commitment),
            wire.salt.count == 16
        else { return nil }
        self.init(
            identity: identity, linkKey: linkKey, wrappingKey: wrappingKey, commitment: commitment,
            fullHistory: wire.fullHistory, salt: Array(wire.salt))
    }

    fileprivate var wire: WireGenesis {
        .with {
            $0.identityKey = identity.data
            $0.linkKey = linkKey.data
            $0.wrappingKey = wrappingKey.data
            $0.commitment = wireData(commitment.bytes)
            $0.fullHistory = fullHistory
            $0.salt = wireData(salt)
        }
    }
}

extension ControlBody.Invite {
    fileprivate init?(_ wire: WireInvite) {
        guard let key = SigningKey(wire.inviteKey), let epoch = EpochID(wire.epoch), wire.sealedSecret.count <= 256,
            let host: MemberID? = wire.host.isEmpty ? .some(nil) : MemberID(wire.host).map({ .some($0) })
        else { return nil }
        self.init(
            key: key, uses: wire.uses, expiresAt: wire.expiresAt, sealedSecret: Array(wire.sealedSecret), epoch: epoch,
            host: host)
    }

    fileprivate var wire: WireInvite {
        .with {
            $0.inviteKey = key.data
            $0.uses = uses
            $0.expiresAt = expiresAt
            $0.sealedSecret = wireData(sealedSecret)
            $0.epoch = epoch.data
            if let host { $0.host = host.data }
        }
    }
}

extension ControlBody.Role {
    fileprivate init?(_ wire: WireRole) {
        guard let member = MemberID(wire.member), let rank = Rank(rawValue: UInt8(clamping: wire.rank)),
            rank != .creator,
            let replaces: [EventID] = identifiers(wire.replaces, max: Limits.rolesReplacedMax)
        else { return nil }
        self.init(
            member: member, rank: rank, sequence: wire.sequence, replaces: replaces, controls: names(wire.controls))
    }

    fileprivate init?(_ wire: WireSuccessor) {
        guard let member = MemberID(wire.member),
            let replaces: [EventID] = identifiers(wire.replaces, max: Limits.rolesReplacedMax)
        else { return nil }
        self.init(member: member, rank: .creator, sequence: wire.sequence, replaces: replaces)
    }

    fileprivate var wire: WireRole {
        .with {
            $0.member = member.data
            $0.rank = UInt32(rank.rawValue)
            $0.sequence = sequence
            $0.replaces = replaces.map(\.data)
            $0.controls = controls.map { wireData($0.bytes) }
        }
    }

    fileprivate var successor: WireSuccessor {
        .with {
            $0.member = member.data
            $0.sequence = sequence
            $0.replaces = replaces.map(\.data)
        }
    }
}

extension ControlBody.Remove {
    fileprivate init?(_ wire: WireRemove) {
        guard let member = MemberID(wire.member), let last = EventID(wire.last),
            let revoked: [SigningKey] = identifiers(wire.revoked, max: Limits.invitesRevokedMax)
        else { return nil }
        self.init(
            member: member, sequence: wire.sequence, last: last, revoked: revoked,
            accepted: names(wire.accepted), controls: names(wire.controls))
    }

    fileprivate var wire: WireRemove {
        .with {
            $0.member = member.data
            $0.sequence = sequence
            $0.last = last.data
            $0.revoked = revoked.map(\.data)
            $0.accepted = accepted.map { wireData($0.bytes) }
            $0.controls = controls.map { wireData($0.bytes) }
        }
    }
}

extension ForkProof {
    fileprivate init?(_ wire: WireFork) {
        guard let identity = SigningKey(wire.identityKey),
            let first = Branch(header: wire.firstHeader, signature: wire.firstSignature),
            let second = Branch(header: wire.secondHeader, signature: wire.secondSignature)
        else { return nil }
        self.init(identity: identity, first: first, second: second)
    }

    fileprivate var wire: WireFork {
        .with {
            $0.identityKey = identity.data
            $0.firstHeader = wireData(first.header)
            $0.firstSignature = wireData(first.signature)
            $0.secondHeader = wireData(second.header)
            $0.secondSignature = wireData(second.signature)
        }
    }
}

extension ForkProof.Branch {
    fileprivate init?(header: WireBytes, signature: WireBytes) {
        guard header.count == EventHeader.length, signature.count == Event.signatureLength else { return nil }
        self.init(header: Array(header), signature: Array(signature))
    }
}
