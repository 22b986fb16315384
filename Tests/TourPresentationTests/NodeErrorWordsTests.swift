import Glibc
import Testing
import TourImage
import TourModel
import TourNode
import TourNodeWords
import TourNotebook
import TourPosition
import TourPresentation
import TourStore
import TourWords

/// Goal: each fault of the node is a sentence for people, without the commands of another surface.
/// Method: a table of all faults with their codes, worded on a surface with names of its own.
@Suite struct NodeErrorWordsTests {
    private static let tours: [(NodeError, String)] = [
        (.noTour, "no-tour"), (.unknownTour("Walk"), "unknown-tour"), (.ambiguous("W", ["a", "b"]), "ambiguous"),
        (.unknownMember("Ben"), "unknown-member"), (.notAllowed, "not-allowed"), (.badName, "bad-name"),
        (.nullInText, "bad-text"), (.badExpiry, "bad-expiry"), (.busy, "busy"), (.noMailbox, "no-mailbox"),
        (.notActive, "not-active"), (.closed("Walk"), "not-active"), (.left("Walk"), "not-active"),
        (.removed("Walk"), "removed"), (.forked("Walk"), "key-forked"), (.retired("Walk"), "key-retired"),
        (.recovering("Walk", heard: 1, needed: 2), "recovering"), (.waitsForKey("Walk"), "waiting-for-key"),
        (.shareFull("Walk"), "share-full"), (.guidingFull("Walk"), "share-full"), (.eventTooLarge, "too-large"),
        (.network(.noInterface("x", present: ["lo"])), "no-interface"), (.network(.badPeer("x")), "bad-peer"),
        (.network(.port(80, code: EACCES)), "port"),
        (.join(.alreadyMember("Walk")), "already-member"), (.join(.offline), "offline"),
        (.join(.replaced), "replaced"), (.join(.nobodyFound), "no-member-found"), (.join(.stopping), "stopping"),
        (.join(.falseTour), "false-tour"), (.join(.revoked), "revoked"), (.join(.expired), "expired"),
        (.join(.usedUp), "used-up"), (.join(.closed), "closed"), (.join(.full), "full"), (.join(.invalid), "invalid"),
        (.membership(.badInvite), "bad-invite"), (.membership(.unknownInvite("ab")), "unknown-invite"),
        (.membership(.badRole), "bad-role"), (.membership(.hasSuccessor("Ben")), "has-successor"),
        (.membership(.cannotGiveRole), "not-allowed"), (.membership(.cannotRemove), "not-allowed"),
        (.membership(.ownRole(isCreator: true)), "yourself"), (.membership(.ownRole(isCreator: false)), "yourself"),
        (.membership(.ownRemoval(isCreator: true)), "yourself"),
        (.membership(.ownRemoval(isCreator: false)), "yourself"), (.membership(.creatorStays), "creator-stays"),
        (.membership(.hasArchive("Walk")), "has-archive"), (.membership(.noArchive("Walk")), "no-archive"),
        (.seat(.off), "seats-off"), (.seat(.full), "full"), (.seat(.badPass), "bad-pass"),
        (.seat(.passUsedUp), "pass-used-up"), (.seat(.passExpired), "pass-expired"),
        (.seat(.unknownSeat), "unknown-seat"), (.seat(.wrongDigits), "wrong-digits"),
        (.seat(.digitsSpent), "digits-spent"), (.seat(.wrongSecret), "wrong-secret"), (.seat(.over), "over"),
        (.seat(.ended), "tour-ended"),
        (.seat(.moved), "moved"), (.seat(.behind), "behind"), (.seat(.slowDown(7)), "slow-down"),
        (.seat(.notAllowed), "may-not-give-seats"), (.seat(.notForGuests), "not-for-guests"),
        (.seat(.badTerms), "bad-terms"), (.seat(.unknownUpload), "unknown-upload"),
        (.keeping(.nothingToLock), "no-passphrase"), (.keeping(.movingKey), "busy"),
        (.keeping(.emptyPassphrase), "passphrase-empty"), (.keeping(.backupWithoutPassphrase), "passphrase-empty"),
        (.keeping(.badBackupPath), "bad-path"), (.keeping(.notRecovering("Walk")), "not-recovering"),
        (.store(.diskFull), "disk-full"), (.storing("odd"), "store"),
    ]

    private static let contents: [(NodeError, String)] = [
        (.message(.empty), "empty-text"), (.message(.tooLong), "text-too-long"),
        (.message(.alarmTooLong), "text-too-long"), (.message(.rollTooLong), "text-too-long"),
        (.message(.notOurs), "not-yours"), (.message(.idTooShort), "id-too-short"),
        (.message(.unknown("ab")), "unknown-message"), (.message(.badIDs(max: 5)), "bad-request"),
        (.message(.notUrgent), "not-urgent"), (.message(.badAlarmAnswer), "bad-answer"),
        (.message(.unknownAlarm("Ben")), "unknown-alarm"), (.message(.quiet), "quiet"),
        (.message(.aloneIsText), "bad-request"), (.message(.aloneTooLong), "text-too-long"),
        (.message(.noGuides), "no-guides"),
        (.roll(.none), "no-roll"), (.roll(.stands(by: "Ada", "At the bus")), "roll-stands"),
        (.roll(.badTime), "bad-time"), (.roll(.tooManyMembers), "too-many"),
        (.roll(.badBuddies), "bad-buddies"), (.roll(.badStragglerTime), "bad-time"),
        (.place(.badReceiver), "bad-gpsd"), (.place(.position(.noFix)), "gps-no-fix"),
        (.place(.badSharingTime), "bad-duration"), (.place(.noMeeting), "no-meeting"),
        (.place(.badMeetingText), "bad-meeting"), (.place(.badMeetingTime), "bad-meeting"),
        (.place(.meetingTooLong), "bad-meeting"), (.place(.badMeetingAnswer(minutesMax: 9)), "bad-answer"),
        (.file(.captionTooLong), "text-too-long"), (.file(.unsendable(.badPath("x", .noFile))), "no-such-file"),
        (.file(.unsendable(.badPath("x", .isDirectory))), "not-a-file"),
        (.file(.unsendable(.badPath("x", .tooLong))), "file-too-large"),
        (.file(.unsendable(.noRoom(.disk))), "no-room-disk"), (.file(.picture(.empty)), "picture-empty"),
        (.file(.notAFile), "not-a-file"), (.file(.notComplete("x")), "not-complete"),
        (.file(.notDelivered), "not-delivered"), (.file(.tooLarge(bytesMax: 1 << 20)), "file-too-large"),
        (.file(.cutShort), "bad-request"), (.file(.noRoom), "disk-full"), (.file(.unwritable(code: EIO)), "io"),
        (.file(.noScratch("/x")), "disk-full"),
        (.notebook(.badItem(.note, .empty(field: "title"))), "bad-item"),
        (.notebook(.badCopy("x", .empty(field: "title"))), "bad-item"),
        (.notebook(.unknownItem(.stop, "x")), "unknown-item"), (.notebook(.itemGone), "unknown-item"),
        (.notebook(.madeLostEdit), "bad-request"), (.notebook(.stopIsThere), "stop-there"),
        (.notebook(.badPosition(3, count: 2)), "bad-position"), (.notebook(.badImport(.noHeader)), "bad-import"),
        (.notebook(.noFiles), "no-files"), (.notebook(.unknownFile("ab")), "unknown-file"),
        (.notebook(.fileNotOfPlace), "unknown-file"), (.notebook(.fileNowhere), "unknown-file"),
        (.notebook(.fileGone), "unknown-file"), (.notebook(.tooManyPictures), "too-many-pictures"),
        (.notebook(.noPicture(path: "/x")), "picture-unknown-format"),
        (.notebook(.noPictureNamed("x")), "picture-unknown-format"),
        (.notebook(.unattachable(.badPath("/x", .tooLong), path: "/x")), "file-too-large"),
        (.notebook(.unattachable(.badPath("/x", .noFile), path: "/x")), "no-such-file"),
        (.shared(.unknownRecord("x")), "unknown-record"), (.shared(.notShared("x")), "not-shared"),
        (.shared(.unchanged("x")), "unchanged"), (.shared(.tooLarge("x")), "too-large"),
        (.shared(.unknownStop("x")), "unknown-stop"),
    ]

    @Test(arguments: tours + contents)
    func eachIsWordedOnItsSurface(error: NodeError, code: String) {
        #expect(error.code == code)
        let words = error.phrase(on: NamedSurface()).english
        #expect(!words.isEmpty && !words.contains("tour-chat "))
    }

    @Test func eachIsWordedOnce() {
        let words = (Self.tours + Self.contents).map { $0.0.phrase(on: NamedSurface()).english }
        // Alarms and roll calls are short in the same words; a file that is no picture has its path or its name.
        #expect(Set(words).count >= words.count - 1)
    }

    @Test func aSurfaceNamesTheNextStep() {
        func words(_ error: NodeError) -> String { error.phrase(on: NamedSurface()).english }
        #expect(words(.membership(.creatorStays)).contains("[closeTour]"))
        #expect(words(.membership(.ownRole(isCreator: true))).contains("[nameSuccessor]"))
        #expect(words(.closed("Walk")).contains("[listTours]"))
        #expect(words(.ambiguous("W", ["a", "b", "c"])) == "“W” fits a, b and c: give more of the id.")
    }

    @Test func whyAPortIsNotAvailableIsSaid() {
        let taken = NodeError.network(.port(4_000, code: EADDRINUSE)).phrase(on: NamedSurface()).english
        #expect(taken.contains("port 4000: another program has it"))
        #expect(PortTrouble(code: EACCES).phrase.english.contains("only the administrator"))
        #expect(PortTrouble(code: EADDRNOTAVAIL).phrase.english.contains("assign"))
    }
}
