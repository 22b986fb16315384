import Testing
import TourAPI
import TourClient
import TourJSON
import TourModel
import TourWords

/// Goal: how far a file is here reads as it is, in tables, lists and the chat, and no name leaves its place.
/// Method: answers made by hand, one for each state.
@Suite struct FileTests {
    private static func answer(
        _ state: String, have: Int = 0, size: Int = 1_000, peers: Int = 0, holders: Int = 0, rate: Int = 0
    ) -> JSON {
        [
            "id": "3fa2c1d0ff", "name": "photo.jpg", "media": "image/jpeg", "size": .number(String(size)),
            "have": .number(String(have)), "complete": .flag(state == "complete"), "state": .text(state),
            "peers": .number(String(peers)), "holders": .number(String(holders)),
            "bytesPerSecond": .number(String(rate)),
        ]
    }

    private static func standing(
        _ state: String, have: Int = 0, size: Int = 1_000, peers: Int = 0, holders: Int = 0, rate: Int = 0
    ) throws -> FileSummary {
        try answered(
            FileSummary.self, answer(state, have: have, size: size, peers: peers, holders: holders, rate: rate))
    }

    @Test func statesInWords() throws {
        #expect(try Self.standing("complete", have: 1_000).words(isOnAir: true).english == "here")
        let coming = try Self.standing("fetching", have: 409, peers: 3, rate: 1_234_567)
        #expect(coming.words(isOnAir: true).english == "40 % from 3, 1.2 MB/s")
        #expect(try Self.standing("fetching", peers: 1).words(isOnAir: true).english == "0 % from 1")
        #expect(try Self.standing("waiting").words(isOnAir: true).english == "waiting: nobody near has it")
        #expect(
            try Self.standing("waiting", have: 999).words(isOnAir: true).english
                == "99 %, waiting: nobody near has the rest")
        #expect(try Self.standing("known").words(isOnAir: true).english == "not fetched")
        #expect(try Self.standing("no-room").words(isOnAir: true).english == "no room here")
    }

    @Test func whatCanBeDoneIsSaidOnce() throws {
        let (here, known, refused) = try (
            Self.standing("complete"), Self.standing("known"), Self.standing("no-room")
        )
        #expect(FileSummary.hints([here]) == [])
        #expect(
            FileSummary.hints([known, here, known]).map(\.english) == ["'tour-chat save ID' fetches what is not here."]
        )
        #expect(FileSummary.hints([refused, known]).count == 2)
    }

    @Test func withoutANodeNobodyIsNear() throws {
        #expect(try Self.standing("waiting").words(isOnAir: false).english == "no node is running")
        #expect(try Self.standing("fetching", have: 500).words(isOnAir: false).english == "50 %, no node is running")
        #expect(try Self.standing("complete").words(isOnAir: false).english == "here")
    }

    @Test func holders() throws {
        #expect(try Self.standing("fetching").heldBy.english == "")
        #expect(try Self.standing("fetching", peers: 3, holders: 3).heldBy.english == "3 near")
        #expect(try Self.standing("fetching", peers: 3, holders: 1).heldBy.english == "1 near, 2 in part")
        #expect(try Self.standing("fetching", peers: 2).heldBy.english == "2 in part")
    }

    @Test func ofNothingAllIsHere() throws {
        #expect(try Self.standing("complete", size: 0).percent == 100)
        #expect(try Self.standing("fetching", have: 1 << 30, size: 1 << 30).percent == 100)
    }

    @Test func whatIsNoAnswerIsNone() {
        #expect(throws: ContractError("blobID", .missing)) { try FileSummary.read(["id": "7"]) }
        #expect(throws: ContractError("state")) { try answered(FileSummary.self, Self.answer("lost")) }
    }

    @Test func whoWaitsIsToldOnceThatNobodyHasIt() throws {
        var wait = FileWait()
        let waiting = try Self.standing("waiting")
        #expect(wait.nextPhrase(for: waiting, at: .seconds(1)) == nil)
        #expect(wait.nextPhrase(for: waiting, at: .seconds(5)) == nil)
        // Somebody came, and went.
        #expect(wait.nextPhrase(for: try Self.standing("fetching", peers: 1), at: .seconds(6)) == nil)
        #expect(wait.nextPhrase(for: waiting, at: .seconds(7)) == nil)
        #expect(wait.nextPhrase(for: waiting, at: .seconds(11)) == nil)
        #expect(wait.nextPhrase(for: waiting, at: .seconds(12))?.english.hasPrefix("Nobody near has it;") == true)
        #expect(wait.nextPhrase(for: waiting, at: .seconds(60)) == nil)
    }

    @Test func whatIsMissingIsTheRest() throws {
        var wait = FileWait()
        let waiting = try Self.standing("waiting", have: 1)
        _ = wait.nextPhrase(for: waiting, at: .zero)
        #expect(
            wait.nextPhrase(for: waiting, at: .seconds(5))?.english.hasPrefix("Nobody near has the rest of it;") == true
        )
    }

    private static func message(
        _ id: String = "3fa2c1d0ff", type: String = "image", mine: Bool = false, complete: Bool = true, have: Int = 0
    ) throws -> Message {
        let metadata: JSON = [
            "name": "a\u{1B}.jpg", "size": 1_234_567, "caption": "sea", "complete": .flag(complete),
            "have": .number(String(have)),
        ]
        return try answered(
            Message.self,
            [
                "id": .text(id), "type": .text(type), "authorName": "Anna", "mine": .flag(mine), "metadata": metadata,
            ])
    }

    @Test func aMessageSaysWhatItIs() throws {
        #expect(try Self.message().body.english == "Picture: a\u{241B}.jpg (1.2 MB) — sea")
        #expect(try Self.message(type: "file").body.english == "File: a\u{241B}.jpg (1.2 MB) — sea")
        #expect(try Self.message().file?.progress == nil)
        #expect(try Self.message(complete: false).file?.progress?.english == "not here yet")
        #expect(try Self.message(complete: false, have: 617_284).file?.progress?.english == "50 % here")
    }

    @Test func aListSaysWhenAFileHasCome() throws {
        var list = MessageList(isColored: false, in: .english)
        #expect(list.add(try Self.message(complete: false)).count == 2)
        #expect(list.add(try Self.message(complete: false, have: 600_000)) == [])
        #expect(list.add(try Self.message(have: 1_234_567)) == ["      3fa2c1d0 is here"])
        #expect(list.add(try Self.message(have: 1_234_567)) == [])
    }

    private static func shown(_ state: ChatState) -> String {
        let rows = ChatScreen(state, columns: 99, rows: 10, colored: false, in: .english).rows
        // What stands in it is neither the line of the state nor that of the input.
        return rows.dropLast(2).joined(separator: "\n")
    }

    @Test func theChatSaysHowTheLatestIsSaved() throws {
        var state = ChatState(tourName: "Rome", openedAt: Timestamp(seconds: 1_800_000_000))
        state.meet(.open)
        state.transcript.merge([
            try Self.message("11111111aa", type: "file"), try Self.message(complete: false, have: 617_284),
            try Self.message("22222222bb", mine: true),
        ])
        let text = Self.shown(state)
        #expect(text.contains("sea [11111111]"))
        #expect(text.contains("sea [3fa2c1d0, 50 % here, /save 3fa2c1d0 saves it]"))
        #expect(text.contains("sea [22222222]"))
        state.hasSaved = true
        #expect(Self.shown(state).contains("sea [3fa2c1d0, 50 % here]"))
    }
}
