import Foundation
import Testing
import TourAPI
import TourModel
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

    @Test(arguments: [
        ("GÜNAYDIN", "Günaydın"), ("KALKIYOR", "Otobüs kalkıyor"), ("otobus", "Otobüs"), ("OTOBÜS", "otobu\u{308}s"),
        ("istanbul", "İSTANBUL"), ("İSTANBUL", "istanbul"), ("ISPARTA", "ısparta"), ("GRÖSSE", "Größe"),
        ("οδος", "ΟΔΌΣ"), ("バス", "バスが来た"),
        // Points and accents of other scripts, built into the letter or not.
        ("محمد", "محمَّد عند البَوّابة"), ("البوابه", "محمَّد عند البَوّابة"), ("الان", "الآن"), ("اهلا", "أهـــلًا"),
        ("على", "علي"), ("שלום", "שָׁלוֹם"), ("שלומ", "שלום"), ("\u{FB2A}לום", "שלום"),
        ("ܫܠܡܐ", "ܫܠܳܡܳܐ"), ("ελλας", "Ἑλλάς"), ("ΟΔΟΣ", "οδος μου"), ("οδοσ", "οδος"), ("ёлка", "ЕЛКА"),
        ("cafe", "cafe\u{301}"), ("café", "CAFÉ"), ("o\u{338}l", "øl"), ("łódź", "LODZ"),
        // Width, digits, and what nobody sees.
        ("ABC", "ＡＢＣ１２"), ("ＡＢＣ", "abc"), ("ガイド", "ｶﾞｲﾄﾞ"), ("ガイド", "カ\u{3099}イト\u{3099}"), ("12", "Gate １２"),
        ("17", "الساعة ١٧"), ("می\u{200C}خواهم", "میخواهم"), ("Gui\u{AD}de", "guide"), ("guide", "Gui\u{200B}de"),
        ("🚌\u{FE0F}", "🚌"), ("दिल्ली", "नई दिल्ली"), ("ที่", "ที่นี่"),
    ])
    func accentsDoNotMatter(word: String, text: String) {
        #expect(Words([word]).areIn(Self.message(text)))
    }

    @Test(arguments: [
        ("カ", "ガ"), ("कि", "कु"), ("o", "a"), ("C++", "cc"), ("ש", "ס"), ("\u{301}", "e\u{301}"), ("ـ", "أهـــلًا"),
        ("\u{200B}", "a"),
    ])
    func otherLettersAreOthers(word: String, text: String) {
        #expect(!Words([word]).areIn(Self.message(text)))
    }

    @Test(arguments: [
        ("::ffff:192.0.2.2", "192.0.2.2"), ("192.0.2.2", "192.0.2.2"), ("2001:db8::1", "2001:db8::1"),
        ("::ffff:1", "::ffff:1"),
    ])
    func addressesAreShownPlain(address: String, shown: String) {
        #expect(TourNode.plain(address) == shown)
    }

    @Test func anInterfaceThatIsNotThereIsRefused() throws {
        var settings = NodeSettings()
        try settings.check(interfaces: ["eth0", "lo"])
        settings.interfaces = ["lo"]
        try settings.check(interfaces: ["eth0", "lo"])
        settings.interfaces = ["lo", "nosuch0"]
        let error = #expect(throws: NodeError.self) { try settings.check(interfaces: ["eth0", "lo"]) }
        #expect(error == .network(.noInterface("nosuch0", present: ["eth0", "lo"])))
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

    private static func message(_ content: String) -> Message {
        Message(
            id: "", tourID: "", authorID: "", authorName: "", authorNamesake: nil, authorRole: "member", seq: 1,
            type: "text", content: content, metadata: Message.Metadata(), sentAt: "", receivedAt: "", status: .sent,
            syncedAt: nil, hops: 0,
            mine: false, unread: false, replyTo: nil)
    }
}
