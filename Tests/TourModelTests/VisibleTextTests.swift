import Testing
import TourModel

/// Goal: what looks empty is empty, and marks that nobody sees count for nothing. Method: tables.
@Suite struct VisibleTextTests {
    static let empty = [
        "", " ", "\t\n", "\u{A0}", "\u{3000}", "\u{2003}", "\u{200B}\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}",
        "\u{FEFF}", "\u{AD}", "\u{3164}", "\u{FFA0}", "\u{115F}\u{1160}", "\u{2800}", "\u{200E}\u{200F}",
        "\u{202A}\u{202C}", "\u{2066} \u{2069}", "\u{61C}", "\u{34F}", "\u{FE0F}", "\u{E0041}", "\u{180E}", "\u{0}",
        "\u{17B4}",
    ]

    @Test(arguments: empty) func whatLooksEmptyIsEmpty(text: String) {
        #expect(text.looksEmpty && !DisplayName.isAllowed(DisplayName.tidy(text)))
    }

    @Test(arguments: [
        "a", ".", "-", "\u{200B}a", "👩\u{200D}💻", "❤\u{FE0F}", "م", "\u{200F}م", "\u{3164}가", "가", "ー", "0",
        "می\u{200C}خواهم",
    ])
    func whatIsSeenIsNot(text: String) {
        #expect(!text.looksEmpty && DisplayName.isAllowed(DisplayName.tidy(text)))
    }

    @Test(arguments: [
        ("\u{202A}+905327654323\u{202C}", "+905327654323"), ("\u{2066}1234\u{2069} 5678", "1234 5678"),
        ("\u{FEFF}ABCD-EFGH", "ABCD-EFGH"), ("\u{200E}3fa2c1\u{200F}", "3fa2c1"), ("12\u{200B}34", "1234"),
        ("12\u{AD}34", "1234"), ("a b", "a b"), ("", ""),
    ])
    func marksAreTakenAway(text: String, rest: String) {
        #expect(text.withoutInvisibleMarks == rest)
    }
}
