import Testing
import TourClient

/// Goal: a number that somebody writes as at home reaches the server with its country, and never with a wrong one.
/// Method: numbers of several countries, as they are written there and from abroad; locales.
@Suite struct PhoneNumberTests {
    @Test(
        arguments: [
            ("0532 123 45 67", "TR", "+905321234567"), ("0151/234-567", "DE", "+49151234567"),
            ("612 345 678", "ES", "+34612345678"), ("06 12 34 56 78", "FR", "+33612345678"),
            ("02 1234567", "IT", "+39021234567"), ("(212) 555-0100", "US", "+12125550100"),
            ("+90 (532) 123 45 67", "DE", "+905321234567"), ("0090 532 1234567", "DE", "+905321234567"),
            ("\u{202A}+905321234567\u{202C}", "DE", "+905321234567"),
            ("\u{2066}0532\u{2069} 123 45 67", "TR", "+905321234567"),
        ])
    func nationalNumbersGetTheCountry(text: String, region: String, number: String) {
        #expect(PhoneNumber.international(text, region: region) == number)
    }

    @Test(
        arguments: [
            ("0532 123 45 67", nil), ("5321234567", "TR"), ("0532 123", "XX"), ("call me", "TR"), ("", "TR"),
            ("+0532123", "TR"), ("+90 532 abc", "TR"),
        ] as [(String, String?)])
    func nothingIsGuessed(text: String, region: String?) {
        #expect(PhoneNumber.international(text, region: region) == nil)
    }

    @Test func theCountryIsTheLocales() {
        func region(_ values: [String: String]) -> String? { PhoneNumber.region { values[$0] } }
        #expect(region(["LANG": "tr_TR.UTF-8"]) == "TR")
        #expect(region(["LANG": "tr_TR.UTF-8", "LC_ALL": "de_DE"]) == "DE")
        #expect(region(["LANG": "en_GB", "LC_ALL": "", "LC_MESSAGES": "es_ES@euro"]) == "ES")
        #expect(region(["LANG": "C.UTF-8"]) == nil && region([:]) == nil && region(["LANG": "de"]) == nil)
    }

    @Test func aCountryIsNamedByLettersOrCode() {
        #expect(PhoneNumber.region(named: "tr") == "TR" && PhoneNumber.region(named: " +90 ") == "TR")
        #expect(PhoneNumber.region(named: "49") == "DE" && PhoneNumber.region(named: "Mars") == nil)
    }
}
