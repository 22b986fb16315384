import Testing
import TourCrypto

/// Goal: no two uses of a hash share a label. Method: the two tables are compared with themselves and each other.
struct LabelTests {
    @Test func noLabelIsADuplicate() {
        let texts = HashLabel.all.map(\.text) + KeyLabel.all.map(\.text)
        #expect(texts.count == 61)
        #expect(Set(texts).count == texts.count)
    }

    @Test func everyLabelNamesProtocolAndVersion() {
        for text in HashLabel.all.map(\.text) + KeyLabel.all.map(\.text) {
            #expect(text.hasPrefix("tour-chat/1/"))
            #expect(text.count > "tour-chat/1/".count)
        }
    }
}
