import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourWords

/// Goal: wherever a guest stands in a list, the device that can write as it stands there too.
/// Method: answers made by hand, with names that would take over the terminal.
@Suite struct GuestWordsTests {
    private static let host: JSON = ["memberID": "0a", "name": "Guide's \u{1B}laptop"]

    @Test func aGuestIsShownWithItsDevice() {
        let host = GuestHost(memberID: "0a", name: "Guide's \u{1B}laptop")
        #expect(GuestWords.named("Anna", host).english == "Anna (guest of Guide's \u{241B}laptop)")
        #expect(GuestWords.named("Ben", nil).english == "Ben")
    }

    @Test func rollCallsAndAlarmsSayIt() throws {
        let entry: JSON = ["name": "Anna", "namesake": .null, "state": "missing", "guestBy": Self.host]
        let missing = RollWords(try answered(["members": [entry]])).missing
        #expect(missing.count == 1 && missing[0].contains("Anna") && missing[0].contains("Guide's \u{241B}laptop"))
        let alarm: JSON = ["name": "Anna", "open": true, "at": "", "text": "", "by": Self.host]
        #expect(AlarmWords(try answered(alarm)).lines.map(\.english).contains("  A guest, by Guide's \u{241B}laptop"))
    }

    @Test func thePaneNamesTheDeviceAsFarAsThereIsRoom() {
        var state = ChatState(tourName: "Rome", openedAt: Timestamp(seconds: 1_800_000_000))
        state.members = [["id": "1", "name": "Anna", "by": Self.host]].compactMap { try? answered($0) }.map {
            ChatMember($0)
        }
        let rows = MemberPane(state, columns: 40, rows: 3, colored: false, in: .english).rows
        #expect(rows[1] == " │ ○ Anna (guest of Guide's \u{241B}laptop)")
    }

    @Test func aRemovalKnowsHowManyGoAlong() throws {
        let host: JSON = ["id": "8d92c3ad", "name": "Ben", "words": "", "guests": .number("3")]
        #expect(try MemberAnswer(answered(host)).guests == 3)
        #expect(try MemberAnswer(answered(["id": "0a"])).guests == 0)
    }
}
