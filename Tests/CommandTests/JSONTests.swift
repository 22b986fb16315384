import Testing
import TourCommands
import TourWeb

/// Goal: JSON is read and written as RFC 8259 says, keeping order and numbers, and bad input is an error.
/// Method: documents there and back; a list of bad ones; every prefix of a good one.
@Suite struct JSONTests {
    private static let document = #"{"b":[1,-2.50e+3,true,null],"a":"x\n\"\\é","c":{}}"#

    @Test func roundTrip() throws {
        let value = try JSON(parsing: Self.document.utf8)
        #expect(String(decoding: value.encoded, as: UTF8.self) == Self.document)
        #expect(value["b"]?.list?.count == 4)
        #expect(value["a"]?.text == "x\n\"\\é")
    }

    @Test func escapes() throws {
        let escaped = "\"\\u0041\\uD83D\\uDE00\\uD83D\\u0062\\/\""
        #expect(try JSON(parsing: escaped.utf8).text == "A😀\u{FFFD}b/")
        #expect(JSON.text("\u{1}\u{1F}").encoded == Array(#""\u0001\u001f""#.utf8))
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "1.", "-", "tru", "\"a", "\"\\x\"", "\"\\u12\"", "1 2",
        "\"\n\"", "+1",
    ])
    func bad(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text.utf8) }
    }

    @Test func everyPrefixIsAnError() {
        let bytes = Array(Self.document.utf8)
        for end in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSON(parsing: bytes[..<end]) }
        }
    }

    @Test func badUTF8AndDepth() {
        #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSON(parsing: deep.utf8) }
    }
}
