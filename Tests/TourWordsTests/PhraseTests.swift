import Testing
import TourWords

/// What a phrase says in English, and how its parts come together. Translations: `Scripts/words --check`.
@Suite struct PhraseTests {
    @Test func keyAndPlaces() {
        let template: Phrase.Template = "\("a") of \(2), “\(Phrase(verbatim: "c"))”"
        #expect(template.key == "{1} of {2}, “{3}”")
        #expect(Phrase(template).english == "a of 2, “c”")
    }

    @Test func bracesAreNoPlaces() {
        #expect(Phrase("{} {9} { \("x") {1}").english == "{} {9} { x x")
        #expect(Phrase("\("{2}")\("y")").english == "{2}y")
    }

    @Test func numbers() {
        let links = { (n: Int) in Phrase(n, one: "\(n) link", other: "\(n) links") }
        #expect([0, 1, 2, -1].map { links($0).english } == ["0 links", "1 link", "2 links", "-1 link"])
    }

    @Test func joined() {
        let parts = [Phrase("one"), Phrase(verbatim: "two"), Phrase("three")]
        #expect(Phrase(parts, separator: ", ").english == "one, two, three")
        let list = Phrase(list: ["a", "b"])
        #expect(list.english == "a, b" && list.said(in: .arabic) == "a، b" && list.said(in: .japanese) == "a、b")
        #expect((Phrase("a") + Phrase("b")).english == "ab")
        #expect(Phrase.empty.isEmpty)
    }

    @Test func aTranslationHasItsPlacesFilled() {
        let name = Phrase(verbatim: "Kız Kulesi")
        let phrase = Phrase("No tour here is called “\(name)”, or has an id that starts with it (six digits or more).")
        #expect(
            phrase.said(in: .turkish)
                == "Burada “Kız Kulesi” adında ya da kimliği bununla başlayan (en az altı hane) bir tur yok.")
        // What is not in the catalogue is said in English.
        #expect(Phrase("Nobody says this but the test of \(name).").said(in: .turkish).hasPrefix("Nobody says"))
    }

    @Test func partsAreTranslatedToo() {
        let none = Phrase("There is no tour yet.")
        #expect(Phrase([none, none], separator: " ").said(in: .turkish) == "Henüz bir tur yok. Henüz bir tur yok.")
        #expect(Phrase("\(none)").said(in: .turkish) == "Henüz bir tur yok.")
    }
}
