import TourModel
import TourNotebook

/// A message as every client gets it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct Message: Hashable, Sendable {
    package var id: String
    package var tourID: String
    package var authorID: String
    package var authorName: String
    /// The first four digits of the author's id, if another member's name reads the same.
    package var authorNamesake: String?
    /// The author's current role: `member`, `guide`, `admin` or `creator`.
    package var authorRole: String
    /// The message's sequence in its author's log.
    package var seq: UInt64
    /// `text`, `announcement`, `location`, `image`, `file`, `meeting`, `alarm`, `roll-call`, `note`, `place`,
    /// `itinerary`, `withdrawn`, `withheld` (written while only guides could write) or `unsupported`.
    package var type: String
    /// The text, or the words of another kind of message.
    package var content: String
    /// Everything else that the kind of message carries.
    package var metadata: Metadata
    /// When it was written, by its author's clock.
    package var sentAt: String
    /// When it arrived here.
    package var receivedAt: String
    /// How far it is known to have come.
    package var status: MessageStatus
    /// When a server was known to have it, by the server's clock.
    package var syncedAt: String?
    /// How many links it crossed on its way here.
    package var hops: Int
    /// Whether this node's member wrote it.
    package var mine: Bool
    /// Whether the user has yet to see it.
    package var unread: Bool
    /// The id of the message that it replies to.
    package var replyTo: String?

    /// The fields of a message beside its text; a field that does not apply is nil.
    package struct Metadata: Hashable, Sendable {
        /// The announcement asks everybody to confirm it.
        package var urgent: Bool?
        /// When the announcement stops mattering.
        package var expiresAt: String?
        /// Whether `expiresAt` has passed.
        package var expired: Bool?
        /// The author's clock is far ahead of ours: the time shown is not credible.
        package var clockWrong: Bool?
        /// Why it cannot be shown, or does not count.
        package var reason: Reason?
        /// The member who says that a server has it; nil when the server said so itself.
        package var syncedBy: String?
        /// For type `location`.
        package var location: Location?
        /// For types `image` and `file`.
        package var file: FileView?
        /// For type `meeting`: the meeting point, or that it was cleared.
        package var meeting: Meeting?
        /// For type `meeting`: the meeting point was cleared.
        package var cleared: Bool?
        /// For types `note`, `place` and `itinerary`.
        package var shared: Shared?
        /// A word between this person and the guides, which nobody else can read.
        package var alone: Alone?

        /// Why it cannot be shown, or did not count.
        package enum Reason: String, JSONReadable {
            /// Written before we joined, under a key that joiners are not given.
            case beforeJoining = "before-joining"
            /// Our own event after the end of our log: nobody else accepts it.
            case notAccepted = "not-accepted"
            /// Our own message, written while only guides could write: nobody else sees it.
            case quiet
        }

        package init(
            urgent: Bool? = nil, expiresAt: String? = nil, expired: Bool? = nil, clockWrong: Bool? = nil,
            reason: Reason? = nil
        ) {
            (self.urgent, self.expiresAt, self.expired) = (urgent, expiresAt, expired)
            (self.clockWrong, self.reason) = (clockWrong, reason)
        }
    }

    /// A meeting point, as its message set it.
    package struct Meeting: Hashable, Sendable {
        /// Where it is; nil: the place is given in words only.
        package var place: Coordinate?
        /// The name of the place.
        package var label: String?
        /// When to meet.
        package var meetAt: String?
        /// A picture of the place.
        package var photo: FileView?

        package init(place: Coordinate?, label: String?, meetAt: String?, photo: FileView?) {
            (self.place, self.label, self.meetAt, self.photo) = (place, label, meetAt, photo)
        }
    }

    /// The person with whom the guides speak alone.
    package struct Alone: Hashable, JSONObject {
        package var memberID: String
        /// The person's name.
        package var name: String
    }

    /// One version of a shared record.
    package struct Shared: Hashable, Sendable {
        /// A UUID.
        package var record: String
        /// Versions count from 1.
        package var version: UInt64
        /// The record is no longer shared.
        package var isTakenBack: Bool
        /// For an itinerary: how many stops it has.
        package var stops: Int?
        /// For a place.
        package var url: String?
        /// For a place: where it is.
        package var place: Coordinate?
        /// Compared with the previous version; nil: there was none.
        package var changes: RecordDifference.Summary?

        package init(record: String, version: UInt64, isTakenBack: Bool) {
            (self.record, self.version, self.isTakenBack) = (record, version, isTakenBack)
        }
    }

    /// A position that somebody sent.
    package struct Location: Hashable, Sendable {
        /// The position, with its accuracy and time.
        package var fix: Fix
        /// The author's name for the place.
        package var label: String?

        package init(fix: Fix, label: String?) {
            (self.fix, self.label) = (fix, label)
        }
    }

    package init(
        id: String, tourID: String, authorID: String, authorName: String, authorNamesake: String?, authorRole: String,
        seq: UInt64, type: String, content: String, metadata: Metadata, sentAt: String, receivedAt: String,
        status: MessageStatus, syncedAt: String?, hops: Int, mine: Bool, unread: Bool, replyTo: String?
    ) {
        (self.id, self.tourID, self.authorID, self.authorName) = (id, tourID, authorID, authorName)
        (self.authorNamesake, self.authorRole, self.seq, self.type) = (authorNamesake, authorRole, seq, type)
        (self.content, self.metadata, self.sentAt, self.receivedAt) = (content, metadata, sentAt, receivedAt)
        (self.status, self.syncedAt, self.hops, self.mine) = (status, syncedAt, hops, mine)
        (self.unread, self.replyTo) = (unread, replyTo)
    }
}
