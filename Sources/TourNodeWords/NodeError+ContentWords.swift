import Glibc
import TourModel
import TourNode
import TourPresentation
import TourStore
import TourWords

extension NodeError.MessageFault {
    var phrase: Phrase {
        switch self {
        case .empty: Phrase("There is nothing to send.")
        case .tooLong: Phrase("A message is at most \(Limits.textBytesMax) bytes long; send it in parts.")
        case .alarmTooLong: Phrase("Say it in fewer words: at most \(Limits.alarmTextBytesMax) bytes.")
        case .rollTooLong: Phrase("Say it in fewer words: at most \(Limits.rollTextBytesMax) bytes.")
        case .notOurs: Phrase("You can withdraw only what you sent yourself.")
        case .idTooShort: Phrase("Give at least six digits of the message's id.")
        case .unknown(let digits): Phrase("No message of this tour starts with \(digits).")
        case .badIDs(let max): Phrase("Name the messages by their whole ids, at most \(max) at once.")
        case .notUrgent: Phrase("That is no urgent announcement that stands.")
        case .badAlarmAnswer: Phrase("An answer is seen, on-my-way, wait or found.")
        case .unknownAlarm(let name): Phrase("Nobody called “\(name)” has said that they are lost.")
        case .quiet: Phrase("Only guides write at the moment. A word to the guides alone always goes.")
        case .aloneIsText: Phrase("Only a text can be for the guides alone.")
        case .aloneTooLong:
            Phrase("For the guides alone a text is at most \(Limits.asideTextBytesMax) bytes long; send it in parts.")
        case .noGuides: Phrase("There is no guide in this tour whom a word could reach.")
        }
    }
}

extension NodeError.RollFault {
    var phrase: Phrase {
        switch self {
        case .none: Phrase("There is no roll call.")
        case .stands(let name, ""): Phrase("A roll call by \(name) stands: end it before you start another.")
        case .stands(let name, let text):
            Phrase("A roll call by \(name) stands, “\(text)”: end it before you start another.")
        case .badTime: Phrase("A roll call takes from 30 seconds to a day.")
        case .tooManyMembers: Phrase("Name at most \(Limits.rollAnswerMembersMax) members at a time.")
        case .badBuddies:
            Phrase(
                """
                Buddies are \(Limits.buddyGroupMembers.lowerBound) to \(Limits.buddyGroupMembers.upperBound) \
                members, and nobody is in two groups.
                """)
        case .badStragglerTime:
            Phrase(
                """
                Give from \(StragglerWatch.minutes.lowerBound) to \(StragglerWatch.minutes.upperBound) minutes, \
                or off.
                """)
        }
    }
}

extension NodeError.PlaceFault {
    func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .badReceiver: Phrase("gpsd's address is HOST:PORT, for IPv6 [ADDRESS]:PORT.")
        case .position(let fault): fault.phrase(on: surface)
        case .badSharingTime:
            Phrase("A position is shared for 1 to \(Limits.sharingMillisecondsMax / 1_000) seconds (a day).")
        case .noMeeting: Phrase("There is no meeting point now.")
        case .badMeetingText:
            Phrase("A meeting point has a text, with its label at most \(Limits.textBytesMax) bytes long.")
        case .badMeetingTime: Phrase("That is no time to meet at.")
        case .meetingTooLong: Phrase("With its picture the meeting point is too long: say it in fewer words.")
        case .badMeetingAnswer(let minutesMax):
            Phrase("An answer is on-my-way, late (by up to \(minutesMax) minutes) or lost.")
        }
    }
}

extension NodeError.FileFault {
    func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .captionTooLong: Phrase("A caption is at most \(Limits.fileCaptionBytesMax) bytes long.")
        case .unsendable(let error): error.phrase(on: surface)
        case .picture(let error): error.phrase(on: surface)
        case .notAFile: Phrase("That message is no file.")
        case .notComplete(let name): Phrase("“\(name)” is not here yet, or not all of it.")
        case .notDelivered: Phrase("Not everybody has heard of this file yet, and nobody else may have it.")
        case .tooLarge(let bytesMax): Phrase("A file that is sent here has at most \(bytesMax >> 20) MiB.")
        case .cutShort: Phrase("The file did not come whole: send it again.")
        case .noRoom: Phrase("The disk has no room for this file: make some, then send it again.")
        case .unwritable(let code): Phrase("The data directory takes no file: \(String(cString: strerror(code))).")
        case .noScratch(let directory): Phrase("No directory can be made in \(directory): check the disk.")
        }
    }
}

extension NodeError.NotebookTrouble {
    func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .badItem(let kind, let fault): kind.refusal(for: fault.phrase)
        case .badCopy(let title, let fault): Phrase("“\(title)” cannot be in a notebook: \(fault.phrase).")
        case .unknownItem(let kind, let name): kind.absence(of: name)
        case .itemGone: Phrase("It was removed meanwhile.")
        case .madeLostEdit: Phrase("What lost a conflict is made by conflicts alone.")
        case .stopIsThere: Phrase("This stop is in the itinerary already.")
        case .badPosition(let position, let count):
            Phrase("A position is from 1 to \(max(count, 1)) here, not \(position).")
        case .badImport(let fault): Phrase("Nothing was imported: \(fault.phrase).")
        case .noFiles: Phrase("This place has no pictures, and no file.")
        case .unknownFile(let name):
            Phrase("This place has no file whose id starts with “\(name)” (six digits or more).")
        case .fileNotOfPlace: Phrase("This place has no such picture or file.")
        case .fileNowhere: Phrase("This picture or file is neither here nor at the server.")
        case .fileGone: Phrase("This picture or file was taken away meanwhile.")
        case .tooManyPictures: Phrase("A place has at most \(Limits.notebookPicturesMax) pictures.")
        case .noPicture(let path):
            Phrase("\(path) is no picture of JPEG, PNG, WebP, HEIC or GIF: attach it as a file.")
        case .noPictureNamed(let name):
            Phrase("“\(name)” is no picture of JPEG, PNG, WebP, HEIC or GIF: attach it as a file.")
        case .unattachable(.badPath(_, .tooLong), let path):
            Phrase(
                """
                \(path) is too long: a file of a place has at most \(Limits.notebookFileBytesMax >> 20) MiB, and all \
                that are added at once \(Limits.notebookAttachedBytesMax >> 20) MiB.
                """)
        case .unattachable(let error, _): error.phrase(on: surface)
        }
    }
}

extension NodeError.SharedFault {
    var phrase: Phrase {
        switch self {
        case .unknownRecord(let name):
            Phrase(
                """
                Nothing shared in this tour is called “\(name)”, or has an id that starts with it (six digits or \
                more).
                """)
        case .notShared(let title): Phrase("“\(title)” is no longer shared.")
        case .unchanged(let title): Phrase("“\(title)” is shared as it is: there is nothing new to tell.")
        case .tooLarge(let title):
            Phrase("“\(title)” is too long to be shared: at most \(Self.kibibytesMax) KiB in all.")
        case .unknownStop(let name):
            Phrase(
                """
                No stop here or in this tour is called “\(name)”, or has an id that starts with it (six \
                digits or more).
                """)
        }
    }

    private static let kibibytesMax = Limits.sharedPartsMax * Limits.sharedPartBytesMax / 1_024
}
