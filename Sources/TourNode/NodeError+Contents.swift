import TourImage
import TourModel
import TourNotebook
import TourPosition
import TourStore

// Faults of what is written in a tour, and of the notebook.
extension NodeError {
    /// Why a message or an alarm is not sent, found or answered.
    package enum MessageFault: Hashable, Sendable {
        /// Neither a text nor a location.
        case empty
        /// The text of a message, of an alarm or of a roll call is too long.
        case tooLong, alarmTooLong, rollTooLong
        /// Somebody else's message.
        case notOurs
        /// Too few digits of an id.
        case idTooShort
        /// No message's id starts with these digits.
        case unknown(String)
        /// No whole ids, or more than this many.
        case badIDs(max: Int)
        /// No urgent announcement that stands.
        case notUrgent
        /// No answer to an alarm.
        case badAlarmAnswer
        /// Nobody of this name has an alarm open.
        case unknownAlarm(String)
        /// Only guides may write now.
        case quiet
        /// A word to the guides alone that is no text.
        case aloneIsText
        /// A text for the guides alone that is too long.
        case aloneTooLong
        /// Nobody who leads has a key to seal a word for.
        case noGuides

        var code: String {
            switch self {
            case .empty: "empty-text"
            case .tooLong, .alarmTooLong, .rollTooLong, .aloneTooLong: "text-too-long"
            case .notOurs: "not-yours"
            case .idTooShort: "id-too-short"
            case .unknown: "unknown-message"
            case .badIDs: "bad-request"
            case .notUrgent: "not-urgent"
            case .badAlarmAnswer: "bad-answer"
            case .unknownAlarm: "unknown-alarm"
            case .quiet: "quiet"
            case .aloneIsText: "bad-request"
            case .noGuides: "no-guides"
            }
        }
    }

    /// Why a roll is not called or answered.
    package enum RollFault: Hashable, Sendable {
        /// Nobody called a roll.
        case none
        /// One with other words stands, by this member.
        case stands(by: String, String)
        /// A time that no roll call takes.
        case badTime
        /// More members than one answer names.
        case tooManyMembers
        /// No groups of buddies.
        case badBuddies
        /// Minutes after which nobody becomes a straggler.
        case badStragglerTime

        var code: String {
            switch self {
            case .none: "no-roll"
            case .stands: "roll-stands"
            case .badTime, .badStragglerTime: "bad-time"
            case .tooManyMembers: "too-many"
            case .badBuddies: "bad-buddies"
            }
        }
    }

    /// Why there is no position, or no meeting point.
    package enum PlaceFault: Hashable, Sendable {
        /// No address of gpsd.
        case badReceiver
        /// The receiver gives no position.
        case position(PositionFault)
        /// A time for which no position is shared.
        case badSharingTime
        /// There is no meeting point.
        case noMeeting
        /// A meeting point without a text, or with one that is too long.
        case badMeetingText
        /// A time at which nobody can meet.
        case badMeetingTime
        /// With its picture the meeting point is too long for an event.
        case meetingTooLong
        /// No answer to a meeting point; it may name up to so many minutes.
        case badMeetingAnswer(minutesMax: UInt32)

        var code: String {
            switch self {
            case .badReceiver: "bad-gpsd"
            case .position(let fault): fault.code
            case .badSharingTime: "bad-duration"
            case .noMeeting: "no-meeting"
            case .badMeetingText, .badMeetingTime, .meetingTooLong: "bad-meeting"
            case .badMeetingAnswer: "bad-answer"
            }
        }
    }

    /// Why a file is not sent, received or saved.
    package enum FileFault: Equatable, Sendable {
        /// A caption that is too long.
        case captionTooLong
        /// One of the user's files cannot be sent.
        case unsendable(StoreError)
        /// A picture cannot be prepared.
        case picture(PictureError)
        /// The message with this id has no file.
        case notAFile
        /// A part of the file of this name is missing here.
        case notComplete(String)
        /// Others may lack the file yet.
        case notDelivered
        /// More bytes than are accepted.
        case tooLarge(bytesMax: UInt64)
        /// The bytes ended early, or did not end in time.
        case cutShort
        /// The disk has no room for the file.
        case noRoom
        /// The data directory refuses the file, with the system's `errno`.
        case unwritable(code: Int32)
        /// No scratch directory can be made in this one.
        case noScratch(String)

        var scope: FaultScope {
            switch self {
            case .unsendable(let error): error.scope
            case .noRoom, .unwritable, .noScratch: .node
            default: .record
            }
        }

        var code: String {
            switch self {
            case .captionTooLong: "text-too-long"
            case .unsendable(.badPath(_, .tooLong)), .tooLarge: "file-too-large"
            case .unsendable(let error): NodeError.code(ofPath: error)
            case .picture(let error): error.code
            case .notAFile: "not-a-file"
            case .notComplete: "not-complete"
            case .notDelivered: "not-delivered"
            case .cutShort: "bad-request"
            case .noRoom, .noScratch: "disk-full"
            case .unwritable: "io"
            }
        }
    }

    /// The code for one of the user's files that the store cannot read.
    fileprivate static func code(ofPath error: StoreError) -> String {
        switch error {
        case .badPath(_, .noFile), .badPath(_, .notDirectory): "no-such-file"
        case .badPath(_, .isDirectory), .badPath(_, .notRegular): "not-a-file"
        default: error.code
        }
    }

    /// Why the notebook stays as it is.
    package enum NotebookTrouble: Equatable, Sendable {
        /// A field of an item of this kind is wrong.
        case badItem(NotebookKind, NotebookFault)
        /// A shared record of this title does not fit a notebook.
        case badCopy(String, NotebookFault)
        /// No item of this kind has this name, or an id that starts with it.
        case unknownItem(NotebookKind, String)
        /// The item was removed in between.
        case itemGone
        /// Only a conflict makes a lost edit.
        case madeLostEdit
        /// The stop is in the itinerary.
        case stopIsThere
        /// No position among so many.
        case badPosition(Int, count: Int)
        /// The file to import is none.
        case badImport(ImportFault)
        /// The place has no files.
        case noFiles
        /// No file of the place has an id that starts with this.
        case unknownFile(String)
        /// The place has no such file.
        case fileNotOfPlace
        /// The file is neither here nor at the server.
        case fileNowhere
        /// The file was removed in between.
        case fileGone
        /// More pictures than a place has.
        case tooManyPictures
        /// The file at this path is no picture.
        case noPicture(path: String)
        /// A file of this name is no picture.
        case noPictureNamed(String)
        /// The file at this path cannot be attached.
        case unattachable(StoreError, path: String)

        var code: String {
            switch self {
            case .badItem, .badCopy: "bad-item"
            case .unknownItem, .itemGone: "unknown-item"
            case .madeLostEdit: "bad-request"
            case .stopIsThere: "stop-there"
            case .badPosition: "bad-position"
            case .badImport: "bad-import"
            case .noFiles: "no-files"
            case .unknownFile, .fileNotOfPlace, .fileNowhere, .fileGone: "unknown-file"
            case .tooManyPictures: "too-many-pictures"
            case .noPicture, .noPictureNamed: "picture-unknown-format"
            case .unattachable(.badPath(_, .tooLong), _): "file-too-large"
            case .unattachable(let error, _): NodeError.code(ofPath: error)
            }
        }
    }

    /// Why a record is not shared, found or copied.
    package enum SharedFault: Hashable, Sendable {
        /// Nothing that is shared has this name, or an id that starts with it.
        case unknownRecord(String)
        /// The record of this title is shared no more.
        case notShared(String)
        /// The record of this title is shared as it is.
        case unchanged(String)
        /// The record of this title is too long.
        case tooLarge(String)
        /// No stop has this name, or an id that starts with it.
        case unknownStop(String)

        var code: String {
            switch self {
            case .unknownRecord: "unknown-record"
            case .notShared: "not-shared"
            case .unchanged: "unchanged"
            case .tooLarge: "too-large"
            case .unknownStop: "unknown-stop"
            }
        }
    }
}
