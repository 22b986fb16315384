import Testing
import TourMailbox

/// Goal: a base is an origin, written one way. Method: sound and unsound texts.
struct BaseTests {
    @Test(arguments: [
        ("https://Tours.Example", "https://tours.example", "tours.example"),
        ("https://tours.example:443/", "https://tours.example", "tours.example"),
        ("http://10.0.0.1:8080/api/", "http://10.0.0.1:8080/api", "10.0.0.1:8080"),
        ("HTTPS://[fe80::1]:8443", "https://[fe80::1]:8443", "[fe80::1]:8443"),
        ("https://[::1]", "https://[::1]", "[::1]"),
    ])
    func basesAreWrittenOneWay(text: String, written: String, host: String) throws {
        let base = try MailboxBase(text)
        #expect(base.description == written)
        #expect(base.host == host)
    }

    @Test(arguments: [
        "", "tours.example", "ftp://tours.example", "https://", "https://a b", "https://user@tours.example",
        "https://tours.example?x=1", "https://tours.example#x", "https://tours.example:0", "https://tours.example:x",
        "https://fe80::1", "https://[]", "https://:80", "https://tours.example:70000",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(throws: APIError.invalidURL) { try MailboxBase(text) }
    }
}
