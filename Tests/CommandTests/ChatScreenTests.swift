import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourWords

/// Goal: the chat's picture is right for any size, and no text of others leaves its place.
/// Method: states made by hand, rendered without colours; the painter's output for a second picture.
@Suite struct ChatScreenTests {
    private func message(
        _ id: String, _ text: String, mine: Bool = false, status: String = "sent", unread: Bool = false,
        receivedAt: String = "2026-05-01T10:00:00Z"
    ) throws -> Message {
        let json: JSON = [
            "id": .text(id), "authorID": "aa", "authorName": "Anna", "type": "text", "content": .text(text),
            "sentAt": "2026-05-01T10:00:00.000001Z", "receivedAt": .text(receivedAt), "status": .text(status),
            "mine": .flag(mine), "unread": .flag(unread),
        ]
        return try answered(Message.self, json)
    }

    private func state(_ messages: [Message]) -> ChatState {
        var state = ChatState(tourName: "Rome", openedAt: Timestamp(seconds: 1_800_000_000))
        state.meet(.open)
        state.transcript.merge(messages)
        return state
    }

    private func screen(_ state: ChatState, columns: Int = 40, rows: Int = 10) -> ChatScreen {
        ChatScreen(state, columns: columns, rows: rows, colored: false, in: .english)
    }

    @Test func showsWhoWhatAndHowFar() throws {
        var state = state([try message("1", "hi", mine: true, status: "pending")])
        #expect(screen(state).rows.contains { $0.hasSuffix("Anna: hi …") })
        state.transcript.merge([try message("1", "hi", mine: true, status: "delivered")])
        #expect(screen(state).rows.contains { $0.hasSuffix("Anna: hi ✓✓") })
        state.transcript.merge([try message("1", "hi", mine: true, status: "read")])
        #expect(screen(state).rows.contains { $0.hasSuffix("Anna: hi ✓✓ read") })
        #expect(state.transcript.entries.count == 1)
    }

    /// The words to compare stand above the messages until somebody decides, with the command that lets in.
    @Test func showsWhoAsksToJoin() throws {
        var state = state([])
        let ask: JSON = [
            "id": "7", "name": "An\u{1B}[2Jna", "words": ["amber", "falcon", "oak", "river"], "sameName": true,
        ]
        state.asked = AskedOfReader(askers: [try answered(ask)])
        let rows = screen(state, columns: 90).rows
        #expect(rows[0].contains("amber falcon oak river") && !rows[0].unicodeScalars.contains("\u{1B}"))
        #expect(rows[1].contains("same name") || rows[1].contains("this name"))
        #expect(rows[2].contains("/admit amber"))
    }

    @Test func nothingIsWiderThanTheTerminal() throws {
        let texts = ["日本語日本語日本語日本語日本語", String(repeating: "x", count: 100), "a b c", "\u{1B}[2J", "👩‍👩‍👧👍👍👍👍👍👍"]
        let messages = try texts.enumerated().map { try message(String($0), $1, mine: true) }
        var state = state(messages)
        for character in "日本語日本語日本語日本語" { _ = state.editor.handle(.character(character)) }
        for columns in 10...50 {
            for rows in 3...12 {
                let screen = screen(state, columns: columns, rows: rows)
                #expect(screen.rows.count == rows)
                for row in screen.rows {
                    #expect(DisplayWidth.of(row) <= columns)
                    #expect(!row.unicodeScalars.contains("\u{1B}"))
                }
                #expect(screen.cursorColumn < columns)
            }
        }
    }

    /// An answer shows how what it answers begins, on one line, and its number.
    @Test func anAnswerQuotes() throws {
        let asked = try message("1", "When does\nthe bus leave for the hotel on the hill?\u{1B}[2J")
        let json: JSON = [
            "id": "2", "authorID": "bb", "authorName": "Ben", "type": "text", "content": "At five", "replyTo": "1",
        ]
        let answer = try answered(Message.self, json)
        let rows = screen(state([asked, answer]), columns: 79).rows
        #expect(rows[7] == "--:-- #2  Ben: (to Anna: “When does the bus leave for t…”) At five")
        #expect(rows[4].contains(" #1  Anna: When does"))
        // One that came before the chat was opened is named by its id.
        #expect(screen(state([answer]), columns: 79).rows[7] == "--:-- #1  Ben: (to 1) At five")
        #expect(!screen(state([asked]), columns: 39).rows.contains { $0.contains("#1") }, "narrow: no numbers")
    }

    @Test func whatIsIndentedStaysSo() {
        var state = state([])
        state.transcript.addNotice(["Tower\n  Ben: on the way and late", String(repeating: " ", count: 90)])
        let blank = String(repeating: " ", count: 10)
        #expect(screen(state, columns: 20).rows[4..<8] == ["Tower", "  Ben: on the way", "  and late", blank])
    }

    @Test func choicesStandBelow() throws {
        var state = state([])
        state.choices = ["Anna", "Ben"]
        #expect(screen(state).rows[8] == " Anna   Ben · /help")
    }

    @Test func countsWhoIsNearAsTheNodeDoes() {
        var state = state([])
        #expect(state.near.isEmpty)
        state.people = PeopleCount(total: 3, reachable: 2)
        #expect(state.near.english == "2 of 3 near")
        state.tourState = .removed
        #expect(state.near.english == "you were removed")
    }

    @Test func anEmptyChatSaysWhatToDo() {
        #expect(screen(state([]), columns: 80).rows.contains { $0.hasPrefix("Nothing written yet.") })
    }

    @Test func aLockedNodeLeavesNothingOnTheScreen() throws {
        var state = state([try message("1", "the secret")])
        let anna: JSON = ["id": "1", "name": "Anna"]
        state.members = [try ChatMember(answered(anna))]
        _ = state.editor.handle(.character("x"))
        state.meet(.locked)
        let shown = screen(state, columns: 80).rows.joined(separator: "\n")
        for gone in ["secret", "Anna", "Rome", "> x"] { #expect(!shown.contains(gone), "\(gone)") }
        #expect(shown.contains("'tour-chat unlock' in another terminal") && !shown.contains("away"))
        // It says so every second: what was noted meanwhile stays.
        state.transcript.addNotice(["Not sent"])
        state.meet(.locked)
        #expect(state.transcript.entries.count == 1)
        state.meet(.open)
        state.transcript.merge([try message("1", "the secret")])
        #expect(screen(state, columns: 80).rows.contains { $0.contains("the secret") })
        state.meet(.wiped)
        #expect(screen(state, columns: 80).rows.contains { $0.hasPrefix("Everything on this device was destroyed.") })
    }

    @Test(arguments: [
        ("locked", true, ChatState.Connection.locked), ("busy", true, .locked), ("wiped", true, .wiped),
        ("no-node", true, .away), ("no-node", false, .wiped), ("node-gone", true, .away),
    ])
    func aRefusalSaysHowTheNodeIs(code: String, holdsNode: Bool, connection: ChatState.Connection) {
        let failure = CommandFailure(code: code, message: .empty)
        #expect(ChatState.Connection(failure, holdsNode: holdsNode) == connection)
    }

    @Test func saysWhenTheTourIsOver() throws {
        var state = state([])
        state.tourName = "Müze"
        for (word, shown) in [
            (TourState.closed, "closed"), (.left, "you left"), (.removed, "you were removed"),
            (.keyForked, "another device has your key"), (.keyRetired, "you gave your key up"),
        ] {
            state.tourState = word
            #expect(screen(state).rows[8] == " Müze · \(shown)")
        }
    }

    @Test func saysWhyAMessageDoesNotCount() throws {
        let lost: JSON = [
            "id": "1", "type": "text", "content": "two", "mine": true, "status": "failed",
            "metadata": ["reason": "not-accepted"],
        ]
        let early: JSON = ["id": "2", "type": "unsupported", "metadata": ["reason": "before-joining"]]
        #expect(try answered(Message.self, lost).mark.english == "✗ not accepted")
        #expect(try answered(Message.self, early).body.english == "(written before you joined)")
        let later: JSON = ["id": "3", "type": "unsupported"]
        #expect(try answered(Message.self, later).body.english == "(this version cannot show it)")
    }

    @Test func notesAreNoMessages() throws {
        let note: JSON = [
            "note": [
                "kind": "removed", "memberID": .null, "me": false, "text": "Ben was removed by Anna\u{1B}[2J.",
                "state": "active",
            ]
        ]
        guard case .note(let read) = try StreamLine(note.encoded[...]) else { throw ContractError() }
        #expect(read.shown == "Ben was removed by Anna\u{241B}[2J." && read.state == .active)
        #expect(throws: ContractError("id", .missing)) { try StreamLine(Array("{\"later\":1}".utf8)[...]) }
        #expect(throws: ContractError()) { try StreamLine(Array("{".utf8)[...]) }
    }

    @Test func knowsTheLastAnnouncement() throws {
        let json: JSON = ["id": "7", "type": "announcement", "content": "bus", "mine": true]
        let announcement = try answered(Message.self, json)
        let state = state([announcement, try message("8", "hi", mine: true)])
        #expect(state.transcript.lastAnnouncement?.id == "7")
    }

    @Test func marksWhatWasUnreadAtTheStart() throws {
        let old = try message("1", "old")
        let new = try message("2", "new", unread: true)
        let live = try message("3", "live", unread: true, receivedAt: "2030-01-01T00:00:00Z")
        #expect(state([old, live]).transcript.firstUnread == nil)
        var state = state([old, new, live])
        #expect(state.transcript.firstUnread == "2")
        #expect(screen(state).rows.contains { $0.contains("─ new ─") })
        state.transcript.clearUnreadMarker()
        #expect(!screen(state).rows.contains { $0.contains("─ new ─") })
    }

    @Test func scrollsAndKnowsItsEnd() throws {
        var state = state(try (0..<50).map { try message(String($0), "line \($0)") })
        #expect(screen(state).messages.last == "49" && !screen(state).messages.contains("0"))
        state.scroll = 10
        #expect(screen(state).messages.last == "39")
        #expect(screen(state).rows.contains { $0.contains("line 39") })
        state.scroll = 1_000
        #expect(screen(state).rows.contains { $0.contains("line 0") })
    }

    /// A message of which the end is not to be seen was not displayed.
    @Test func aLongMessageIsThereWhenItsEndIs() throws {
        let long = try message("1", (0..<60).map { "line \($0)" }.joined(separator: "\n"), unread: true)
        var state = state([long, try message("2", "short", unread: true)])
        #expect(screen(state).messages == ["1", "2"])
        state.scroll = 5
        #expect(screen(state).messages.isEmpty)
        #expect(state.transcript.unread(among: ["1", "3"]) == ["1"])
    }

    @Test func whatRunsPastIsNotDisplayed() {
        var watch = DisplayWatch()
        var isDue = watch.drawn(["1", "2"])
        #expect(isDue)
        isDue = watch.drawn(["2", "3"])
        #expect(!isDue, "a look is due already")
        var seen = watch.looked(["2", "3"])
        #expect(seen == ["2"])
        isDue = watch.drawn(["2", "3"])
        #expect(isDue)
        seen = watch.looked(["3"])
        #expect(seen == ["3"])
        isDue = watch.drawn(["2"])
        #expect(!isDue, "each once")
    }

    /// Who is lost stands above whatever else is shown, and asks guides for an answer.
    @Test func whoIsLostStandsAbove() throws {
        var state = state(try (0..<50).map { try message(String($0), "line \($0)") })
        let alarm: JSON = [
            "id": "a1", "name": "Ben", "text": "by the gate", "at": "2026-05-01T10:00:00Z", "open": true, "mine": false,
            "leads": true, "answered": .null, "near": ["Carl"], "answers": [], "batteryPercent": .number("7"),
        ]
        state.asked.alarms = [try answered(alarm)]
        let rows = screen(state).rows
        #expect(rows[0].contains("Ben is lost") && rows[0].contains("by the gate"))
        #expect(rows[1].contains("Near: Carl") && rows[2].contains("Battery: 7 %"))
        #expect(rows[3].contains("/coming"))
        #expect(rows.count == screen(self.state([])).rows.count, "and takes no more room than there is")
        state.asked.alarms = [try answered(["id": "a1", "name": "Ben", "open": false])]
        #expect(!screen(state).rows[0].contains("lost"))
    }

    @Test func paintsOnlyWhatChanged() throws {
        var painter = ScreenPainter()
        var state = state([try message("1", "hi")])
        _ = painter.paint(screen(state))
        _ = state.editor.handle(.character("x"))
        let text = painter.paint(screen(state))
        #expect(text.contains("> x") && !text.contains("Anna"))
    }

    @Test func aListShowsAChangeAsAChange() throws {
        var list = MessageList(isColored: false, in: .english)
        #expect(list.isEmpty)
        #expect(list.add(try message("12345678ff", "hi", mine: true, status: "pending")).count == 2)
        #expect(list.add(try message("12345678ff", "hi", mine: true, status: "sent")) == ["      12345678 ✓"])
        #expect(list.add(try message("12345678ff", "hi", mine: true, status: "sent")) == [])
    }
}
