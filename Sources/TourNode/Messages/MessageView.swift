import TourModel
import TourNotebook
import TourWire

/// A message as every client gets it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct MessageView: Sendable {
    package var id: String
    package var tourID: String
    package var authorID: String
    package var authorName: String
    /// The first four digits of the author's id, where somebody else's name reads the same.
    package var authorNamesake: String?
    /// What the author is now: `member`, `guide`, `admin` or `creator`.
    package var authorRole: String
    /// The author's own sequence.
    package var seq: UInt64
    /// `text`, `announcement`, `location`, `image`, `file`, `meeting`, `alarm`, `roll-call`, `note`, `place`,
    /// `itinerary`, `withdrawn` or `unsupported`.
    package var type: String
    package var content: String
    package var metadata: Metadata
    package var sentAt: String
    package var receivedAt: String
    package var status: MessageStatus
    package var syncedAt: String?
    package var hops: Int
    package var mine: Bool
    package var unread: Bool
    package var replyTo: String?

    package struct Metadata: Sendable {
        package var urgent: Bool?
        package var expiresAt: String?
        package var expired: Bool?
        /// The author's clock is far ahead of ours: the time shown is not to be believed.
        package var clockWrong: Bool?
        package var reason: Reason?
        /// By whose word a server has it: a member's name; nil when the server said so itself.
        package var syncedBy: String?
        /// Of type `location`.
        package var location: Location?
        /// Of types `image` and `file`.
        package var file: FileView?
        /// Of type `meeting`; and that there is no meeting point any more.
        package var meeting: Meeting?
        package var cleared: Bool?
        /// Of types `note`, `place` and `itinerary`.
        package var shared: Shared?

        /// Why it cannot be shown, or did not count.
        package enum Reason: String, Sendable {
            /// Written before we came, under a key that joiners are not given.
            case beforeJoining = "before-joining"
            /// Ours, and behind the end of our log: nobody else takes it.
            case notAccepted = "not-accepted"
        }

        package init(
            urgent: Bool? = nil, expiresAt: String? = nil, expired: Bool? = nil, clockWrong: Bool? = nil,
            reason: Reason? = nil
        ) {
            self.reason = reason
            self.urgent = urgent
            self.expiresAt = expiresAt
            self.expired = expired
            self.clockWrong = clockWrong
        }
    }

    package struct Meeting: Sendable {
        package var place: Coordinate?
        package var label: String?
        package var meetAt: String?
        package var photo: FileView?

        init(_ meeting: TourWire.Meeting, _ progress: FileProgress?) {
            place = meeting.place
            label = meeting.label
            meetAt = meeting.at.map { Timestamp.text(milliseconds: $0) }
            photo = meeting.photo.map { FileView($0, progress) }
        }
    }

    /// A version of a shared record.
    package struct Shared: Sendable {
        /// A UUID.
        package var record: String
        package var version: UInt64
        /// It is shared no more.
        package var isTakenBack: Bool
        /// Of an itinerary: how many it has.
        package var stops: Int?
        /// Of a place.
        package var url: String?
        package var place: Coordinate?
        /// Against the version before; nil: there was none.
        package var changes: RecordDifference.Summary?

        package init(record: String, version: UInt64, isTakenBack: Bool) {
            self.record = record
            self.version = version
            self.isTakenBack = isTakenBack
        }
    }

    package struct Location: Sendable {
        package var fix: Fix
        /// As the author calls the place.
        package var label: String?
    }

    package init(
        id: String, tourID: String, authorID: String, authorName: String, authorNamesake: String?, authorRole: String,
        seq: UInt64, type: String, content: String, metadata: Metadata, sentAt: String, receivedAt: String,
        status: MessageStatus, syncedAt: String?, hops: Int, mine: Bool, unread: Bool, replyTo: String?
    ) {
        self.id = id
        self.tourID = tourID
        self.authorID = authorID
        self.authorName = authorName
        self.authorNamesake = authorNamesake
        self.authorRole = authorRole
        self.seq = seq
        self.type = type
        self.content = content
        self.metadata = metadata
        self.sentAt = sentAt
        self.receivedAt = receivedAt
        self.status = status
        self.syncedAt = syncedAt
        self.hops = hops
        self.mine = mine
        self.unread = unread
        self.replyTo = replyTo
    }
}
