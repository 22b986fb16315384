import Testing
import TourAPI
import TourClient
import TourJSON
import TourWords

/// Goal: files read as what they are, and drive no terminal. Method: messages made by hand.
struct FileWordsTests {
    private static func body(_ type: String, _ metadata: JSON, reply: JSON = .null) throws -> String {
        try answered(
            Message.self, ["id": "7", "type": .text(type), "content": "said", "metadata": metadata, "replyTo": reply]
        ).body.english
    }

    @Test func messagesAreShown() throws {
        let gate: JSON = ["name": "gate.jpg", "size": 1_200_000]
        #expect(try Self.body("image", gate) == "Picture: gate.jpg (1.2 MB)")
        #expect(try Self.body("file", gate, reply: "0123456789") == "(to 01234567) File: gate.jpg (1.2 MB)")
        let captioned: JSON = ["name": "gate.jpg", "size": 7, "caption": "By\nthe door"]
        #expect(try Self.body("image", captioned) == "Picture: gate.jpg (7 B) — By\nthe door")
    }

    @Test func namesAndCaptionsDriveNoTerminal() throws {
        let bad: JSON = [
            "name": "a\u{202E}gpj.\u{1B}[2Jexe\n../b", "size": 1, "caption": "\u{1B}]0;title\u{7}\u{2066}x",
        ]
        #expect(
            try Self.body("file", bad) == "File: agpj.\u{241B}[2Jexe ../b (1 B) — \u{241B}]0;title\u{2407}x")
    }
}
