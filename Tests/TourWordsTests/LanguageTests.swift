import Testing
import TourWords

/// Which language somebody gets: names of locales, headers of browsers, and numbers beside nouns.
@Suite struct LanguageTests {
    @Test(arguments: [
        ("tr_TR.UTF-8", Language.turkish), ("de-AT", .german), ("JA", .japanese), ("ar", .arabic), ("fr@euro", .french),
    ])
    func tags(_ tag: String, _ language: Language) { #expect(Language(tag: tag) == language) }

    @Test(arguments: ["C", "POSIX", "", "xx_YY", "english"])
    func noTags(_ tag: String) { #expect(Language(tag: tag) == nil) }

    @Test(arguments: [
        ("tr", Language.turkish), ("nl, fr;q=0.5, de;q=0.9", .german), ("es, de", .spanish), ("", .english),
        ("nl", .english), ("de;q=0, fr;q=0.1", .french), ("de;q=x", .german), (";;;,,,q=", .english),
    ])
    func headers(_ header: String, _ language: Language) { #expect(Language(acceptLanguage: header) == language) }

    @Test func arabicHasSixForms() {
        let forms = [0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 111, -3].map(Language.arabic.pluralForm)
        #expect(forms == [0, 1, 2, 3, 3, 4, 4, 5, 5, 3, 4, 3])
    }

    @Test(arguments: Language.allCases)
    func everyNumberHasAForm(_ language: Language) {
        for number in [Int.min, -1, 0, 1, 2, 5, 11, 100, Int.max] {
            #expect((0..<language.pluralForms).contains(language.pluralForm(of: number)))
        }
    }
}
