import Foundation
import Testing
import TourNode

/// Goal: a search finds what has all its words; an answer's keys stand also where there is nothing.
/// Method: examples.
@Suite struct AnswerTests {
    @Test func wordsAreFoundWhateverTheCase() {
        let text = Self.message("The BUS waits at the Gate, Größe XL 🚌")
        #expect(Words(["bus", "gate"]).areIn(text))
        #expect(Words(["Größe"]).areIn(text))
        #expect(Words(["🚌"]).areIn(text))
        #expect(!Words(["bus", "train"]).areIn(text))
    }

    @Test func wordsMayBePartsOfWords() {
        #expect(Words(["us", "ait"]).areIn(Self.message("The bus waits")))
    }

    @Test func noWordsAreInEverything() {
        #expect(Words([]).areIn(Self.message("")))
        #expect(!Words(["a"]).areIn(Self.message("")))
    }

    @Test func keysStandWithoutValues() throws {
        struct Sample: Encodable {
            @Nullable var count: Int?
            @Nullable var name: String?
        }

        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let empty = try encoder.encode(Sample(count: nil, name: nil))
        #expect(String(decoding: empty, as: UTF8.self) == #"{"count":null,"name":null}"#)
        let full = try encoder.encode(Sample(count: 3, name: "x"))
        #expect(String(decoding: full, as: UTF8.self) == #"{"count":3,"name":"x"}"#)
    }

    private static func message(_ content: String) -> MessageView {
        MessageView(
            id: "", tourID: "", authorID: "", authorName: "", seq: 1, type: "text", content: content,
            metadata: MessageView.Metadata(), sentAt: "", receivedAt: "", status: .sent, syncedAt: nil, hops: 0,
            mine: false, unread: false, replyTo: nil)
    }
}
