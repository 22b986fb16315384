import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourWords

/// Goal: what is typed into the chat means what a person would say it does, and Tab helps with it.
/// Method: lines in, commands and completed lines out; transcripts made by hand.
@Suite struct ChatCommandTests {
    private func message(_ id: String, _ author: String, _ text: String, type: String = "text") throws -> Message {
        let name = author.split(separator: "#").map { String($0) }
        let json: JSON = [
            "id": .text(id), "authorID": .text(author), "authorName": .text(name[0]),
            "authorNamesake": name.count > 1 ? .text(name[1]) : .null, "type": .text(type), "content": .text(text),
        ]
        return try answered(Message.self, json)
    }

    private func transcript(_ messages: [Message]) -> ChatTranscript {
        var transcript = ChatTranscript(openedAt: Timestamp(seconds: 1_800_000_000))
        transcript.merge(messages)
        return transcript
    }

    private func complaint(_ line: String) -> String? {
        guard case .unknown(let words) = ChatInput(line) else { return nil }
        return words.english
    }

    @Test func commandsAreRead() throws {
        #expect(ChatInput("/reply 7 at five") == .reply("7 at five"))
        #expect(ChatInput("/search bus  gate ") == .search("bus  gate"))
        #expect(ChatInput("/who") == .members && ChatInput("/members") == .members)
        #expect(ChatInput("/meet") == .meet([]))
        #expect(ChatInput("/roll At the bus") == .callRoll("At the bus") && ChatInput("/endroll") == .endRoll)
        #expect(ChatInput("/understood") == .understood)
        #expect(complaint("/reply") == "/reply wants the number of a message or a name, and a text")
        #expect(complaint("/search") == "/search wants the words to look for")
        #expect(complaint("/whoever") == "/whoever is no command; /help lists them")
    }

    @Test func whatIsAskedStandsAboveTheMessages() throws {
        var state = ChatState(tourName: "Rome", openedAt: Timestamp(seconds: 1_800_000_000))
        func shown() -> String {
            ChatScreen(state, columns: 60, rows: 20, colored: false, in: .english).rows.joined(separator: "\n")
        }
        state.asked.roll = try answered([
            "name": "Anna", "alsoBy": [], "text": "At the bus\u{1B}[2J", "open": true, "asked": true, "leads": false,
            "here": 1, "all": 3, "members": [],
        ])
        #expect(state.isCalled && shown().contains("Are you here? Enter, or /here.") && !shown().contains("\u{1B}"))
        state.asked.roll = try answered([
            "name": "Anna", "alsoBy": [], "text": "", "open": true, "asked": false, "leads": true, "here": 1, "all": 2,
            "members": [["name": "Ben", "state": "missing"]],
        ])
        #expect(!state.isCalled && shown().contains("1 of 2 are here.") && shown().contains("Missing: Ben"))
        state.asked = AskedOfReader(urgent: [
            try answered(["name": "Anna", "text": "Run", "mine": false, "understood": false]),
            try answered(["name": "Anna", "text": "Walk", "mine": false, "understood": true]),
        ])
        #expect(shown().contains("URGENT, from Anna: Run") && !shown().contains("Walk"))
    }

    @Test func everyCommandIsExplained() {
        let help = ChatVerb.helpLines(columns: 80).joined(separator: "\n")
        let synonyms: [ChatVerb] = [.members, .receipts, .help]
        for verb in ChatVerb.allCases where !synonyms.contains(verb) { #expect(help.contains(verb.rawValue)) }
        // One line each where a terminal is as wide as most are.
        #expect(help.split(separator: "\n").count == ChatVerb.helpLines(columns: 1_000).count)
    }

    @Test func hereIsAPlaceOrTheReceiver() throws {
        #expect(ChatInput("/here") == .present)
        #expect(ChatInput("/here By the bus, left") == .here(try PlaceArgument("gps,By the bus, left")))
        #expect(ChatInput("/here 48.8,2.3") == .here(try PlaceArgument("48.8,2.3")))
        #expect(ChatInput("/here -33.8,151.2 Opera, steps") == .here(try PlaceArgument("-33.8,151.2,Opera, steps")))
        #expect(ChatInput("/here 2 minutes away") == .here(try PlaceArgument("gps,2 minutes away")))
        #expect(complaint("/here 95,2")?.hasPrefix("a latitude is from -90 to 90 degrees") == true)
        #expect(complaint("/here 48,8584,2,2945")?.hasPrefix("more than two numbers") == true)
    }

    @Test(arguments: [
        ("", []), ("--clear", ["--clear"]), ("--late --minutes 10", ["--late", "--minutes", "10"]),
        ("gps By the gate", ["gps", "By the gate"]), ("gps I'm here", ["gps", "I'm here"]),
        (
            #"48.8,2.3,"Eiffel Tower" North pillar --at 14:30"#,
            ["48.8,2.3,Eiffel Tower", "North pillar", "--at", "14:30"]
        ),
        (#"48.8,2.3 "North pillar" --expires 2h"#, ["48.8,2.3", "North pillar", "--expires", "2h"]),
        ("-33.8,151.2 The steps --at 9:05", ["--at", "9:05", "--", "-33.8,151.2", "The steps"]),
        ("By the gate", ["By the gate"]),
    ])
    func aMeetingPointNeedsNoQuotes(line: String, words: [String]) {
        #expect(ChatInput("/meet " + line) == .meet(words))
    }

    @Test func aNumberOrANameSaysWhatIsAnswered() throws {
        let transcript = transcript([
            try message("a1", "Anna", "one"), try message("b1", "Anna Maria", "two"),
            try message("a2", "Anna", "three"),
            try message("w1", "Anna", "", type: "withdrawn"),
        ])
        #expect(ReplyLine("1 yes", in: transcript) == .answer("a1", text: "yes"))
        #expect(ReplyLine("#2   yes, all", in: transcript) == .answer("b1", text: "yes, all"))
        #expect(ReplyLine("anna yes", in: transcript) == .answer("a2", text: "yes"))
        #expect(ReplyLine("Anna Maria yes", in: transcript) == .answer("b1", text: "yes"))
        #expect(ReplyLine("\"Anna\" Maria says yes", in: transcript) == .answer("a2", text: "Maria says yes"))
        #expect(ReplyLine("3fa2c1 yes", in: transcript) == .answer("3fa2c1", text: "yes"))
        for refused in ["4 yes", "99 yes", "0 yes", "Ben yes", "1", "Anna", "Anna ", "\"Ben", "\u{0}", "12345 yes"] {
            guard case .unknown = ReplyLine(refused, in: transcript) else {
                Issue.record("\(refused) was taken")
                continue
            }
        }
    }

    @Test func twoOfOneNameAreToldApart() throws {
        let transcript = transcript([try message("1a", "Ben#77d1", "one"), try message("2b", "Ben#80aa", "two")])
        guard case .unknown(let words) = ReplyLine("Ben yes", in: transcript) else {
            Issue.record("one of two was taken")
            return
        }
        #expect(words.english.hasPrefix("Several are called that"))
        #expect(ReplyLine("Ben (77d1) yes", in: transcript) == .answer("1a", text: "yes"))
        #expect(ReplyLine("2 yes", in: transcript) == .answer("2b", text: "yes"))
    }

    /// A number means one message from when it is shown until a hundred more have come.
    @Test func numbersStay() throws {
        var transcript = transcript(try (1...99).map { try message("m\($0)", "Anna", "x") })
        #expect(transcript.number(of: "m1") == 1 && transcript.number(of: "m99") == 99)
        transcript.merge([try message("m1", "Anna", "changed")])
        #expect(transcript.number(of: "m1") == 1)
        transcript.merge([try message("m100", "Anna", "x")])
        #expect(transcript.number(of: "m1") == nil && transcript.number(of: "m100") == 1)
        #expect(transcript.message(number: 1)?.id == "m100" && transcript.message(number: 2)?.id == "m2")
    }

    private static let names = LineCompletion.Names(
        members: ["Anna", "Anna Maria", "Özlem", "Ben (77d1)"], authors: ["Anna Maria", "Ben (77d1)"], lost: ["Özlem"])

    @Test(arguments: [
        ("/rep", "/reply "), ("/wh", "/who"), ("/reply b", "/reply Ben (77d1) "), ("/reply ", "/reply "),
        ("/reply anna m", "/reply Anna Maria "), ("/coming ", "/coming Özlem "), ("/found oz", "/found Özlem "),
        ("I saw Ben", "I saw Ben (77d1) "), ("oz", "Özlem "), ("ann", "Anna"), ("Anna M", "Anna Maria "),
        ("/reply Ben (77d1) ask ozl", "/reply Ben (77d1) ask Özlem "), ("//oz", "//oz"), ("", ""), ("   ", "   "),
        ("Anna ", "Anna "), ("/who b", "/who b"), ("/nothing", "/nothing"), ("/an", "/announce "),
        ("x\u{301}", "x\u{301}"),
    ])
    func tabCompletes(line: String, completed: String) {
        #expect(LineCompletion(line, names: Self.names).text == completed)
    }

    @Test func tabShowsWhatThereIs() {
        #expect(LineCompletion("ann", names: Self.names).choices == ["Anna", "Anna Maria"])
        #expect(LineCompletion("/reply ", names: Self.names).choices == ["Anna Maria", "Ben (77d1)"])
        #expect(LineCompletion("/s", names: Self.names).choices == ["/search", "/seen", "/save"])
        #expect(LineCompletion("/se", names: Self.names).text == "/se")
        #expect(LineCompletion("/", names: Self.names).choices.count == ChatVerb.allCases.count)
        #expect(LineCompletion("oz", names: Self.names).choices.isEmpty)
    }

    @Test func tabKeepsWhatStandsBehind() {
        var editor = LineEditor()
        for character in "oz is here" { _ = editor.handle(.character(character)) }
        _ = editor.handle(.home)
        _ = editor.handle(.right)
        _ = editor.handle(.right)
        #expect(editor.handle(.tab) == .completes)
        editor.replaceBeforeCursor(with: LineCompletion(editor.beforeCursor, names: Self.names).text)
        #expect(editor.text == "Özlem  is here" && editor.beforeCursor == "Özlem ")
    }
}
