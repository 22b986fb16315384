import Testing
import TourAPI
import TourClient
import TourJSON
import TourWords

/// Goal: nobody passes for the guide by a name.
/// Method: names that try, in the lines that `messages` and the chat's screen show.
@Suite struct MemberNameTests {
    private static func message(_ name: String, role: String, namesake: JSON = .null) throws -> Message {
        let json: JSON = [
            "id": "12345678ff", "authorID": "aa", "authorName": .text(name), "authorNamesake": namesake,
            "authorRole": .text(role), "type": "text", "content": "hi",
        ]
        return try answered(Message.self, json)
    }

    @Test(
        arguments: [
            ("guide", " ★"), ("admin", " ★"), ("creator", " ★"), ("successor", " ★"), ("member", ""), ("", ""),
        ])
    func whoLeadsHasAStar(role: String, sign: String) {
        #expect(MemberName("Anna", role: role).whole == "Anna" + sign)
    }

    @Test(arguments: ["Guide ★", "Guide ⭐", "Guide ✭", "Guide ★\u{FE0F}", "Guide 🌟"])
    func nobodyDrawsAStar(name: String) {
        #expect(MemberName(name, role: "member").whole == "Guide *")
    }

    @Test func namesThatReadTheSameHaveDigits() {
        #expect(MemberName("Anna", namesake: "77d1", role: "guide").whole == "Anna (77d1) ★")
        #expect(MemberName("anna", namesake: "8d92", role: "member").whole == "anna (8d92)")
    }

    @Test func linesShowIt() throws {
        var list = MessageList(isColored: false, in: .english)
        let lines = list.add(try Self.message("Anna", role: "guide", namesake: "77d1"))
        #expect(lines.last?.hasSuffix("12345678 Anna (77d1) ★: hi") == true)
    }

    @Test func aLongNameLeavesTheStarItsPlace() throws {
        var state = ChatState(tourName: "Rome", openedAt: .now)
        state.meet(.open)
        state.transcript.merge([
            try Self.message(String(repeating: "x", count: 100), role: "guide", namesake: "77d1")
        ])
        let screen = ChatScreen(state, columns: 60, rows: 6, colored: false)
        #expect(screen.rows.contains { $0.hasSuffix("xxx… (77d1) ★: hi") })
        for columns in 10...60 {
            let narrow = ChatScreen(state, columns: columns, rows: 6, colored: false)
            #expect(narrow.rows.allSatisfy { DisplayWidth.of($0) <= columns })
        }
    }
}
