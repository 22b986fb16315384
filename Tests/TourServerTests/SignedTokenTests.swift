import ServerBase
import ServerRequests
import Testing
import TourModel

/// Goal: a token has one form, and whatever is not quite in it is none.
/// Method: one token, the same with one thing changed, and each beginning of it.
struct SignedTokenTests {
    private static func text(_ header: String, _ more: String = "") -> String {
        [header, #"{"sub":"x"}"#].map { Base64URL.text(of: $0.utf8) }.joined(separator: ".") + ".c2ln" + more
    }

    private static let header = #"{"alg":"EdDSA","typ":"JWT","kid":"k"}"#

    @Test func partsAreRead() throws {
        let token = try #require(SignedToken(Self.text(Self.header)))
        #expect(token.algorithm == "EdDSA" && token.kid == "k")
        #expect(token.claims == Array(#"{"sub":"x"}"#.utf8) && token.signature == Array("sig".utf8))
        #expect(token.signed == Array(Self.text(Self.header).dropLast(5).utf8))
        // A header is signed as it came, whatever spaces and members it has.
        let spaced = Self.text(#" { "x" : [ 1 ] , "alg" : "RS256" } "#)
        let other = try #require(SignedToken(spaced))
        #expect(other.kid == nil && other.algorithm == "RS256" && other.signed == Array(spaced.dropLast(5).utf8))
        let empty = try #require(SignedToken(Base64URL.text(of: Self.header.utf8) + ".."))
        #expect(empty.claims.isEmpty && empty.signature.isEmpty)
    }

    private static let otherForms = [
        text(header, "="), text(header, "."), text(header, ".c2ln"), text(header, "\n"), text(header, " "),
        text(header, "c"), text(header, "cX"), text(header, "\u{0}"), " " + text(header), "." + text(header),
        text(header).replacing(".c2ln", with: ""), text(header).replacing(".", with: ""),
        text(header).replacing(".", with: ":"),
        text(header).replacing("c2ln", with: "c2l+"), text(header).replacing("c2ln", with: "c2l/"),
        text(header).replacing("c2ln", with: "c2l"), text(header).replacing("c2ln", with: "c2lğ"),
        text(#"{"alg":"EdDSA","kid":"k","crit":["exp"],"exp":1}"#), text(#"{"alg":"EdDSA","kid":"k","crit":[]}"#),
        text(#"{"alg":"EdDSA","kid":"k","crit":null}"#), text(#"{"alg":"EdDSA","crit":["b64"],"b64":false}"#),
        text(#"{"kid":"k"}"#), text(#"{"alg":7}"#), text(#"{"alg":null}"#), text(#"{"alg":"EdDSA","kid":7}"#),
        text(#"["EdDSA"]"#), text(""), text("EdDSA"), text(header + "{}"), text(header + "\u{0}"), "", ".", "..", "...",
    ]

    @Test(arguments: otherForms)
    func otherFormsAreNone(text: String) {
        #expect(SignedToken(text) == nil)
    }

    @Test func noBeginningIsAToken() {
        let text = Self.text(Self.header)
        let whole = text.utf8.count
        for count in 0..<whole - 4 { #expect(SignedToken(String(text.prefix(count))) == nil, "\(count)") }
    }

    @Test func itsLengthHasABound() {
        func token(bytes: Int) -> String {
            let text = Self.text(Self.header, ".")
            return text.replacing(".c2ln.", with: "." + String(repeating: "A", count: bytes - text.utf8.count + 5))
        }
        // Of four letters in a row only the second can be the last.
        let longest = ServerLimits.tokenBytesMax
        let taken = (longest - 3...longest + 4).filter { SignedToken(token(bytes: $0)) != nil }
        #expect(taken.count == 3 && taken.allSatisfy { $0 <= longest }, "\(taken)")
    }
}
