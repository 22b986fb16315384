import Testing
import TourAPI
import TourClient

/// Goal: words that somebody types mean the asker, the tour or the digits that they saw, and nothing else.
/// Method: answers of a node made by hand; words as they are typed.
@Suite struct AskerTests {
    private static func asker(_ id: String, _ words: [String]) -> Asker {
        Asker(id: id, name: "Anna", words: words, label: "marble canoe", secondsLeft: 60, sameName: false)
    }

    @Test(arguments: [["7"], ["amber"], ["amber", "falcon", "oak", "river"], ["Amber-Falcon"], ["amber falcon oak"]])
    func meansTheAsker(typed: [String]) {
        #expect(Self.asker("7", ["amber", "falcon", "oak", "river"]).isMeant(by: typed))
    }

    @Test(arguments: [
        [], [""], ["8"], ["falcon"], ["amb"], ["amber", "oak"], ["amber", "falcon", "oak", "river", "sea"], ["Anna"],
    ])
    func meansNobody(typed: [String]) {
        let isMeant = Self.asker("7", ["amber", "falcon", "oak", "river"]).isMeant(by: typed)
        #expect(!isMeant)
    }

    @Test func whoeverHasNoWordsIsNotThere() {
        let asks = [Self.asker("7", []), Self.asker("8", ["amber"])]
        let asking = AskingView(on: true, mayInvite: true, label: nil, asks: asks, code: nil)
        #expect(asking.askers.map(\.id) == ["8"])
    }

    @Test func aTourIsMeantByTheStartOfItsLabel() {
        let tour = NearbyTour(tag: "0011223344556677", label: "marble canoe", devices: 2)
        for typed in [[], ["marble"], ["marble", "canoe"], ["Marble-Canoe"], ["marble c"]] {
            #expect(tour.isMeant(by: typed), "\(typed)")
        }
        for typed in [["canoe"], ["marble", "canoes"], ["amber"]] {
            let isMeant = tour.isMeant(by: typed)
            #expect(!isMeant, "\(typed)")
        }
    }

    @Test(arguments: [["12345678"], ["1234-5678"], ["1234", "5678"], ["12 34 56 78"]])
    func readsEightDigits(typed: [String]) {
        #expect(TypedDigits.read(typed) == "12345678")
    }

    @Test(arguments: [[], ["1234567"], ["123456789"], ["1234567a"], ["ABCD-EFGH"], ["١٢٣٤٥٦٧٨"]])
    func readsNothingElse(typed: [String]) {
        #expect(TypedDigits.read(typed) == nil)
    }

    @Test func digitsAreReadOutInTwoGroups() { #expect(TypedDigits.grouped("12345678") == "1234 5678") }
}
