import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourWords

/// Goal: a wide window shows the members beside the messages, whatever they are called.
/// Method: states made by hand, rendered with and without colours; the painter's output.
@Suite struct MemberPaneTests {
    private func state(_ members: [JSON]) -> ChatState {
        var state = ChatState(tourName: "Rome", openedAt: Timestamp(seconds: 1_800_000_000))
        state.meet(.open)
        state.members = members.compactMap { try? answered($0) }.map { ChatMember($0) }
        return state
    }

    private func member(_ id: String, _ name: String, near: Bool = false, me: Bool = false, role: String = "") -> JSON {
        [
            "id": .text(id), "name": .text(name), "reachable": .flag(near), "me": .flag(me), "role": .text(role),
        ]
    }

    private func rows(_ state: ChatState, columns: Int = 24, rows: Int = 8, colored: Bool = false) -> [String] {
        MemberPane(state, columns: columns, rows: rows, colored: colored, in: .english).rows
    }

    @Test func onlyAWideWindowHasIt() {
        #expect([20, 80, 99].allSatisfy { MemberPane.columns(ofWindow: $0) == 0 })
        #expect(MemberPane.columns(ofWindow: 100) == 25 && MemberPane.columns(ofWindow: 300) == 36)
        let state = state([member("1", "Anna", me: true)])
        let narrow = ChatScreen(state, columns: 99, rows: 10, colored: false, in: .english)
        #expect(narrow.side.allSatisfy { $0.isEmpty } && narrow.side.count == 10 && narrow.sideColumn == 99)
        let wide = ChatScreen(state, columns: 100, rows: 10, colored: false, in: .english)
        #expect(wide.side[1] == " │ ● Anna" && wide.sideColumn == 75)
        #expect(wide.side.suffix(2) == ["", ""], "the last rows are for what is typed")
    }

    @Test func theLostStandFirstAndThenTheNear() {
        var state = state([
            member("1", "Far"), member("2", "Near", near: true), member("3", "Me", me: true, role: "guide"),
            member("4", "Lost"), ["id": "5", "name": "Gone", "left": true],
        ])
        state.people = PeopleCount(total: 4, reachable: 2)
        let alarms: [JSON] = [
            ["id": "a", "memberID": "4", "open": true], ["id": "b", "memberID": "1", "open": false],
        ]
        state.asked.alarms = alarms.compactMap { try? answered($0) }
        #expect(rows(state, rows: 6) == ["2 of 4 near", "! Lost", "● Me ★", "● Near", "○ Far", ""].map { " │ " + $0 })
    }

    @Test func whatHasNoRoomIsCounted() {
        let state = state((1...20).map { member(String($0), "M\($0)") })
        #expect(rows(state, rows: 5).last == " │ and 17 more")
        #expect(rows(state, rows: 21).last == " │ ○ M20")
        for count in 0...4 { #expect(rows(state, rows: count).count == count) }
    }

    @Test func namesOfAllKindsKeepTheirPlace() throws {
        let names = [
            String(repeating: "x", count: 90), String(repeating: "日", count: 40), "\u{1B}[2J\u{202E}evil\r\n",
            "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "علي بن أبي طالب", "e\u{301}\u{301}\u{301}",
        ]
        let state = state(names.enumerated().map { member(String($0), $1, near: true, role: "guide") })
        for columns in 24...36 {
            for row in rows(state, columns: columns) {
                #expect(DisplayWidth.of(row) <= columns)
                #expect(!row.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
            }
        }
        #expect(rows(state)[1].hasSuffix("x… ★"), "a long name is cut, and not what says who it is")
    }

    /// What is read from the right stays on its side of the border.
    @Test func directionsAreKeptApart() {
        #expect(ReadingDirection.apart(" │ Ben", from: "Anna: hi") == " │ Ben")
        #expect(ReadingDirection.apart(" │ Ben", from: "Anna: مرحبا") == " \u{200E}│\u{200E} Ben")
        #expect(ReadingDirection.apart(" │ علي", from: "") == " \u{200E}│\u{200E} علي")
        #expect(ReadingDirection.apart("", from: "مرحبا") == "")
    }

    @Test func coloursAreForTerminals() {
        let state = state([member("1", "Anna", near: true), member("2", "Ben")])
        #expect(!rows(state).joined().contains("\u{1B}"))
        #expect(rows(state, colored: true)[1].contains("\u{1B}["))
    }

    /// After a resize the painter starts anew, and what is beside the messages has its own place in each row.
    @Test func followsTheWindow() {
        var painter = ScreenPainter()
        let state = state([member("1", "Anna", near: true)])
        let wide = painter.paint(ChatScreen(state, columns: 120, rows: 6, colored: false, in: .english))
        #expect(wide.contains("\u{1B}[2;91H │ ● Anna"))
        let same = painter.paint(ChatScreen(state, columns: 120, rows: 6, colored: false, in: .english))
        #expect(!same.contains("Anna"))
        painter.forget()
        let narrow = painter.paint(ChatScreen(state, columns: 80, rows: 6, colored: false, in: .english))
        #expect(narrow.contains("\u{1B}[2J") && !narrow.contains("│"))
    }

    @Test func aLockedNodeShowsNobody() {
        var state = state([member("1", "Anna", near: true)])
        state.meet(.locked)
        let screen = ChatScreen(state, columns: 120, rows: 6, colored: false, in: .english)
        #expect(screen.side.allSatisfy { $0.isEmpty })
    }
}
