import TourModel

/// One message of a link, decoded, with every field's length checked. Source: `Protocol/Schema/mesh.proto`.
package enum LinkMessage: Hashable, Sendable {
    /// The sender's identity, bound to its link key.
    case bind(BindMessage)
    /// Asks to join the tour.
    case joinRequest(JoinRequest)
    /// Accepts a joiner: the keys of epochs.
    case welcome([EpochSecret])
    /// Rejects a joiner.
    case joinRefusal(JoinRefusal)
    /// Changes of the sender's frontier.
    case have(Have)
    /// Consecutive events of one log.
    case run(Run)
    /// A pull.
    case want(Want)
    /// The end of the answer to a pull.
    case served(id: UInt32, truncated: Bool)
    /// Asks the receiver to stop pushing on this link.
    case prune
    /// The names of the control events that the sender holds.
    case controlIndex([EventName])
    /// The exact bytes of control events.
    case control([[UInt8]])
    /// Claim rows.
    case rows([ClaimRow])
    /// Asks for a sign of life.
    case ping
    /// Answers a ping.
    case pong
    /// The sender closes the link, for this reason.
    case bye(ByeReason)
    /// Asks for the keys of these epochs.
    case epochAsk([EpochID])
    /// The keys that the sender holds of the epochs asked for.
    case epochKeys([EpochSecret])
    /// Members' signed rows about a server's frontier.
    case synced([ClaimRow])
    /// Members' signed positions.
    case positions([ClaimRow])
    /// A message about a file.
    case blob(BlobMessage)
    /// The sender's needs of casts: 1…`Limits.castAsksMax`.
    case castAsks([CastAsk])
    /// A message of somebody who asks to join without a code, or the answer.
    case ask(AskMessage)

    /// The message's urgency on a busy link.
    package var lane: Lane {
        switch self {
        case .bind, .joinRequest, .welcome, .joinRefusal, .controlIndex, .control, .prune, .ping, .pong, .bye,
            .epochAsk, .epochKeys, .ask:
            .urgent
        case .run(let run):
            run.pushed ? run.isUrgent ? .urgent : .chat : .catchUp
        case .have, .rows, .synced, .positions, .castAsks: .receipts
        case .want: .chat
        case .served: .catchUp
        case .blob(let message): message.lane
        }
    }
}

extension Run {
    /// Whether it overtakes chat because it contains a control event or an announcement.
    package var isUrgent: Bool { events.contains { $0.eventClass.isUrgent } }
}

/// Binds an identity to the link key of the handshake. Source: `Protocol/03-handshake.md`, "Bind".
package struct BindMessage: Hashable, Sendable {
    /// The sender's identity key.
    package var identity: SigningKey
    /// The identity's signature over the handshake.
    package var signature: [UInt8]
    /// The sender's share of the datagram keys: 32 random bytes.
    package var datagramShare: Bytes32
    /// The genesis event's bytes, on a join link only.
    package var genesis: [UInt8]?
    /// The UDP port on which the sender receives datagrams of this link; 0: none.
    package var datagramPort: Int
    /// The path number at the start of datagrams to the sender.
    package var path: UInt64

    package init(
        identity: SigningKey, signature: [UInt8], datagramShare: Bytes32, genesis: [UInt8]?, datagramPort: Int = 0,
        path: UInt64 = 0
    ) {
        self.identity = identity
        self.signature = signature
        self.datagramShare = datagramShare
        self.genesis = genesis
        self.datagramPort = datagramPort
        self.path = path
    }
}

/// Changes of a node's frontier. Source: `Protocol/06-replication.md`, "Frontiers".
package struct Have: Hashable, Sendable {
    /// The salt of the tags, chosen by chance for each message.
    package var salt: UInt64
    /// The heads.
    package var heads: [TaggedHead]

    package init(salt: UInt64 = 0, heads: [TaggedHead] = []) {
        self.salt = salt
        self.heads = heads
    }
}

/// A head with the tag of the event there: whoever holds another event at that place knows it by the tag.
package struct TaggedHead: Hashable, Sendable {
    /// The author's first eight bytes.
    package var prefix: UInt64
    /// The head.
    package var sequence: UInt64
    /// The `HeadTag` of the event there.
    package var tag: UInt64

    package init(prefix: UInt64, sequence: UInt64, tag: UInt64) {
        self.prefix = prefix
        self.sequence = sequence
        self.tag = tag
    }
}

/// An author's first eight bytes and a head. Two authors with the same prefix cannot be told apart: receivers ignore
/// such an entry.
package struct PrefixedHead: Hashable, Sendable {
    /// The author's first eight bytes.
    package var prefix: UInt64
    /// The head.
    package var sequence: UInt64

    package init(prefix: UInt64, sequence: UInt64) {
        self.prefix = prefix
        self.sequence = sequence
    }
}

extension MemberID {
    /// The first eight bytes, as used in frontiers.
    package var prefix: UInt64 { raw.prefix }

    /// The first two bytes, as used in lists of members heard. Several members may share them.
    package var shortPrefix: UInt16 { UInt16(raw.prefix >> 48) }
}

/// The key of an epoch, as a welcome contains it.
package struct EpochSecret: Hashable, Sendable {
    /// The epoch.
    package var epoch: EpochID
    /// Its key.
    package var key: Bytes32

    package init(epoch: EpochID, key: Bytes32) {
        self.epoch = epoch
        self.key = key
    }
}

/// Why a joiner is rejected. Source: `Protocol/07-joining.md`.
package enum JoinRefusal: String, Sendable {
    /// The invite was revoked or has expired; the tour is closed or full; the request is invalid.
    case revoked, expired, closed, full, invalid
    /// The invite has no uses left.
    case usedUp = "used-up"
}

/// Why a link closes. An unknown reason reads as `closing`.
package enum ByeReason: String, Sendable {
    /// A second link with the same peer; the node stops; the peer was removed, or left; fresh keys are due.
    case duplicate, closing, removed, left, rehandshake
    /// The sender has links enough.
    case full
}

/// A pull: asks for ranges of logs.
package struct Want: Hashable, Sendable {
    /// A range of one log.
    package struct Range: Hashable, Sendable {
        /// The log's author.
        package var author: MemberID
        /// The first sequence.
        package var first: UInt64
        /// The last sequence, inclusive.
        package var last: UInt64

        package init(author: MemberID, first: UInt64, last: UInt64) {
            self.author = author
            self.first = first
            self.last = last
        }
    }

    /// The sender's number for the pull, which `served` repeats.
    package var id: UInt32
    /// The ranges asked for; none in a mere graft.
    package var ranges: [Range]
    /// Whether the receiver should push on this link again from now on.
    package var graft: Bool

    package init(id: UInt32, ranges: [Range], graft: Bool) {
        self.id = id
        self.ranges = ranges
        self.graft = graft
    }
}

/// A member's signed claim about itself, as it travels. Source: `Protocol/06-replication.md`, "Claims".
package struct ClaimRow: Hashable, Sendable {
    /// The exact bytes of a `FrontierRow` or `PositionRow`.
    package var row: [UInt8]
    /// The member's signature over the row.
    package var signature: [UInt8]
    /// The number of links crossed before this one.
    package var hops: Int

    package init(row: [UInt8], signature: [UInt8], hops: Int) {
        self.row = row
        self.signature = signature
        self.hops = hops
    }
}
