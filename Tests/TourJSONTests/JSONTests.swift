import Testing
import TourJSON

/// Goal: JSON is read and written as RFC 8259 says, keeping order and numbers, and bad input is an error.
/// Method: a document there and back, and every prefix of it.
struct JSONTests {
    private static let document = #"{"b":[1,-2.50e+3,true,null],"a":"x\n\"\\é","c":{}}"#

    @Test func roundTrip() throws {
        let value = try JSON(parsing: Self.document.utf8)
        #expect(String(decoding: value.encoded, as: UTF8.self) == Self.document)
        #expect(value["b"]?.list?.count == 4)
        #expect(value["a"]?.text == "x\n\"\\é")
    }

    @Test func escapes() throws {
        #expect(JSON.text("\u{1}\u{1F}").encoded == Array(#""\u0001\u001f""#.utf8))
    }

    @Test func everyPrefixIsAnError() {
        let bytes = Array(Self.document.utf8)
        for end in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSON(parsing: bytes[..<end]) }
        }
    }
}
