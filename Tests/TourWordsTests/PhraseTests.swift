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
        #expect((Phrase("a") + Phrase("b")).english == "ab")
        #expect(Phrase.empty.isEmpty)
    }
}
