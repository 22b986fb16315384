import ServerBase
import Testing

/// Goal: people read failures in the language they like best. Method: headers of clients, and every code's text.
struct LanguageTests {
    @Test(arguments: [
        (nil, Language.english), ("", .english), ("tr", .turkish), ("tr-TR,tr;q=0.9,en-US;q=0.8", .turkish),
        ("en-GB, tr;q=0.5", .english), ("de, tr;q=0.3", .turkish), ("de", .english), ("tr;q=0", .english),
        ("*, tr;q=0.1", .english), ("tr;q=oops, en;q=0.1", .english),
    ])
    func bestOfOursIsTaken(header: String?, language: Language) {
        #expect(Language(accepting: header) == language)
    }

    @Test func everyCodeHasATextInEachLanguage() {
        for code in FailureCode.allCases {
            let english = FailureText.text(for: code, in: .english, field: "email")
            let turkish = FailureText.text(for: code, in: .turkish, field: "email")
            #expect(english.hasSuffix(".") && turkish.hasSuffix("."))
            #expect(english != turkish)
            #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
        }
        #expect(FailureText.text(for: .invalidField, in: .turkish, field: "email").contains("email"))
    }
}
