import TourModel
import TourRuntime

/// A message of a tour, as this device can show it.
public struct TourMessage: Hashable, Sendable, Identifiable {
    /// What a message is.
    public enum Kind: Hashable, Sendable {
        /// Written by a member for all.
        case text
        /// Written by a guide; an urgent one is to be shown at once.
        case announcement(isUrgent: Bool)
        /// A place that a member sent: degrees, north and east positive.
        case place(latitude: Double, longitude: Double)
        /// Anything else, which this library does not show: say that it is there.
        case other
    }

    /// How far a message is known to have come. It never falls.
    public enum Status: String, Hashable, Sendable {
        /// No other device has it.
        case pending
        /// At least one other device has it.
        case sent
        /// Everybody who was a member when it was written, and still is, has it.
        case delivered
        /// Each of them has read it.
        case read
        /// It does not count, since its author was out of the tour by then.
        case failed

        /// Whether everybody has it.
        public var isDelivered: Bool { self == .delivered || self == .read }
    }

    /// Names it, the same on every device.
    public let id: MessageIdentifier
    /// The member that wrote it.
    public let author: MemberIdentifier
    /// What it is.
    public let kind: Kind
    /// At most 16 KiB; of a place its name or its coordinates, of other kinds empty.
    public let text: String
    /// When it was written, in milliseconds since 1970, by its author's clock, which may be wrong.
    public let writtenAt: Int64
    /// How far it has come, as this device knows.
    public let status: Status
    /// The message that it answers.
    public let replyTo: MessageIdentifier?
}

/// How far a message has come to one member.
public struct MessageReceipt: Hashable, Sendable {
    /// What a member has of a message.
    public enum State: String, Hashable, Sendable {
        /// The member is not known to have it.
        case missing
        /// The member has it.
        case delivered
        /// The member has read it.
        case read
    }

    /// The member.
    public let member: MemberIdentifier
    /// What it has.
    public let state: State
}

/// A member of a tour: one device, and in most tours one person.
public struct TourMember: Hashable, Sendable, Identifiable {
    /// What a member may do; each may all that the one before may.
    public enum Rank: Int, Comparable, Sendable {
        /// Writes, and lets others in.
        case member = 1
        /// Announces, and makes codes.
        case guide = 2
        /// Gives ranks, and removes members.
        case admin = 3
        /// Made the tour, or was named to take over.
        case creator = 4

        /// Whether the left one may do less.
        public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// Names it, the same on every device.
    public let id: MemberIdentifier
    /// The name that the member chose, at most 128 bytes; anybody can choose another one's. nil: none has arrived.
    public let name: String?
    /// What it may do.
    public let rank: Rank
    /// Whether the member still belongs to the tour.
    public let isActive: Bool
    /// Whether a sign of the member's device arrived within 30 s, on whatever way.
    public let isNear: Bool
    /// Whether its device said that it sleeps.
    public let isAsleep: Bool
    /// Whether a guest: a phone without a program of its own, for which another member's device writes.
    public let isGuest: Bool
}

extension TourMessage.Status {
    init(_ status: MessageStatus) {
        self =
            switch status {
            case .pending: .pending
            case .sent: .sent
            case .delivered: .delivered
            case .read: .read
            case .failed: .failed
            }
    }
}

extension MessageReceipt.State {
    init(_ state: Receipt.State) {
        self =
            switch state {
            case .missing: .missing
            case .delivered: .delivered
            case .read: .read
            }
    }
}

extension TourMember.Rank {
    init(_ rank: TourModel.Rank) {
        self =
            switch rank {
            case .member: .member
            case .guide: .guide
            case .admin: .admin
            case .creator: .creator
            }
    }
}
