import TourModel

/// One message of a link, decoded and with every field's length checked. Source: `Protocol/Schema/mesh.proto`.
package enum LinkMessage: Hashable, Sendable {
    case bind(BindMessage)
    case joinRequest(JoinRequest)
    case welcome([EpochSecret])
    case joinRefusal(JoinRefusal)
    /// Changes of the sender's frontier: the first eight bytes of each author, and the head.
    case have([PrefixedHead])
    case run(Run)
    case want(Want)
    case served(id: UInt32, truncated: Bool)
    case prune
    /// Each control event held.
    case controlIndex([EventName])
    /// Exact bytes of control events.
    case control([[UInt8]])
    case rows([ClaimRow])
    case ping
    case pong
    case bye(ByeReason)
    /// Asks for the keys of these epochs.
    case epochAsk([EpochID])
    case epochKeys([EpochSecret])
    /// What a server holds, by the word of members.
    case synced([ClaimRow])
    /// Where members are, by their own word.
    case positions([ClaimRow])
    /// Of a file: what who has, wants and gives.
    case blob(BlobMessage)
    /// What a receiver still needs of casts: 1…`Limits.castAsksMax`.
    case castAsks([CastAsk])

    /// Where the message belongs on a busy link.
    package var lane: Lane {
        switch self {
        case .bind, .joinRequest, .welcome, .joinRefusal, .controlIndex, .control, .prune, .ping, .pong, .bye,
            .epochAsk, .epochKeys:
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
    /// Whether it overtakes chat: a control event or an announcement is in it.
    package var isUrgent: Bool { events.contains { $0.eventClass.isUrgent } }
}

/// Who holds this link key. Source: `Protocol/03-handshake.md`, "Bind".
package struct BindMessage: Hashable, Sendable {
    package var identity: SigningKey
    package var signature: [UInt8]
    /// 32 random bytes: each side's share of the datagram keys.
    package var datagramShare: Bytes32
    /// The genesis event's bytes, on a join link only.
    package var genesis: [UInt8]?
    /// UDP, where the sender hears datagrams of this link; 0: nowhere.
    package var datagramPort: Int
    /// What the datagrams to the sender begin with.
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

/// An author's first eight bytes and a head. Two authors with one prefix are never told apart: such an entry is
/// ignored.
package struct PrefixedHead: Hashable, Sendable {
    package var prefix: UInt64
    package var sequence: UInt64

    package init(prefix: UInt64, sequence: UInt64) {
        self.prefix = prefix
        self.sequence = sequence
    }
}

extension MemberID {
    /// The first eight bytes, as they stand in frontiers.
    package var prefix: UInt64 { raw.prefix }

    /// The first two bytes, as they stand in lists of who is heard. Members may share them.
    package var shortPrefix: UInt16 { UInt16(raw.prefix >> 48) }
}

/// The key of an epoch, as a welcome hands it over.
package struct EpochSecret: Hashable, Sendable {
    package var epoch: EpochID
    package var key: Bytes32

    package init(epoch: EpochID, key: Bytes32) {
        self.epoch = epoch
        self.key = key
    }
}

/// Why a joiner is not let in. Source: `Protocol/07-joining.md`.
package enum JoinRefusal: String, Sendable {
    case revoked, expired, closed, full, invalid
    case usedUp = "used-up"
}

/// Why a link ends. An unknown reason reads as `closing`.
package enum ByeReason: String, Sendable {
    case duplicate, closing, removed, left, rehandshake
    /// The sender has links enough.
    case full
}

/// Asks for ranges of logs.
package struct Want: Hashable, Sendable {
    package struct Range: Hashable, Sendable {
        package var author: MemberID
        package var first: UInt64
        /// Inclusive.
        package var last: UInt64

        package init(author: MemberID, first: UInt64, last: UInt64) {
            self.author = author
            self.first = first
            self.last = last
        }
    }

    package var id: UInt32
    package var ranges: [Range]
    /// Push on this link again from now on.
    package var graft: Bool

    package init(id: UInt32, ranges: [Range], graft: Bool) {
        self.id = id
        self.ranges = ranges
        self.graft = graft
    }
}

/// A member's signed claim about itself, as it travels. Source: `Protocol/06-replication.md`, "Claims".
package struct ClaimRow: Hashable, Sendable {
    /// Exact bytes of a `FrontierRow`.
    package var row: [UInt8]
    package var signature: [UInt8]
    /// Links crossed before this one.
    package var hops: Int

    package init(row: [UInt8], signature: [UInt8], hops: Int) {
        self.row = row
        self.signature = signature
        self.hops = hops
    }
}
