import Testing
import TourModel

/// Goal: every array of bytes has one text, and no other text is read as it.
/// Method: the vectors of RFC 4648, section 10, without padding; all texts of up to three letters; texts that are not
/// quite right.
struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func bytesHaveTheirText(plain: String, text: String) {
        #expect(Base64URL.text(of: Array(plain.utf8)) == text)
        #expect(Base64URL.bytes(of: text.utf8) == Array(plain.utf8))
    }

    @Test func bothLettersOfAddressesAreKnown() {
        #expect(Base64URL.text(of: [0xFB, 0xFF, 0xBF]) == "-_-_")
        #expect(Base64URL.bytes(of: "-_-_".utf8) == [0xFB, 0xFF, 0xBF])
    }

    @Test func noTwoTextsHaveTheSameBytes() {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \u{7F}".utf8)
        let pairs = letters.flatMap { first in letters.map { [first, $0] } }
        let texts = pairs + pairs.flatMap { pair in letters.map { pair + [$0] } }
        let taken = texts.compactMap { text in Base64URL.bytes(of: text).map { (text, $0) } }
        #expect(taken.count == 256 + 65_536)
        #expect(taken.allSatisfy { text, bytes in Array(Base64URL.text(of: bytes).utf8) == text })
    }

    @Test(arguments: [
        "Zg==", "Zg=", "=", "Z", "Zm9vY", "Zh", "Zm9", "Zm9vYh", "+/+/", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v.", "Zmé9",
        "\u{0}\u{0}",
    ])
    func otherTextsAreNone(text: String) {
        #expect(Base64URL.bytes(of: text.utf8) == nil)
    }
}
