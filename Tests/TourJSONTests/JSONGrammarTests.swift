import Foundation
import Testing
import TourJSON

/// Goal: the parser takes the texts that are JSON, refuses all others, and reads strings as they were meant; whatever
/// the bytes are, it ends. Method: samples, and changed texts that Foundation's decoder judges as well.
struct JSONGrammarTests {
    private static func isTaken(_ bytes: some Sequence<UInt8>) -> Bool { (try? JSON(parsing: bytes)) != nil }

    @Test(arguments: [
        "{}", "[]", "null", "true", " false\n", "0", "-0", "-1.50e+10", "1E5", "\"\"", "\"ğ😀\"",
        "[[],{},[{\"a\":[1,2]}]]",
        "{\"a\":1,\"a\":2}", "\t{ \"a\" : [ 1 , null ] }\r\n", #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#,
    ])
    func textsOfJSONAreTaken(text: String) {
        #expect(Self.isTaken(text.utf8))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
        "{\"a\":1 \"b\":2}",
        "01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "Infinity", "nul", "tru", "truex", "[1 2]", "1 2", "\"",
        "\"a",
        "\"\\", "\"\\x\"",
        "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"",
        "\"\u{0}\"",
        "[}", "{]", "{\"a\":[}", "'a'", "/**/1", "\u{FEFF}1",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(!Self.isTaken(text.utf8))
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22],
    ])
    func stringsAreUTF8(bytes: [UInt8]) {
        #expect(!Self.isTaken(bytes))
    }

    @Test func nestingIsBounded() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            for (depth, isTaken) in [(64, true), (65, false), (100_000, false)] {
                let text =
                    String(repeating: open, count: depth) + (open == "[" ? "" : "1")
                    + String(repeating: close, count: depth)
                #expect(Self.isTaken(text.utf8) == isTaken, "\(open) \(depth)")
            }
        }
    }

    @Test func valuesAreCounted() {
        for (values, isTaken) in [(JSONLimits.valuesMax, true), (JSONLimits.valuesMax + 1, false)] {
            // The array is a value as well.
            let text = "[" + String(repeating: "0,", count: values - 2) + "0]"
            #expect(Self.isTaken(text.utf8) == isTaken, "\(values)")
        }
    }

    /// Any JSON value, read to the bottom.
    private enum Value: Decodable {
        case read

        private struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            self = .read
            if let object = try? decoder.container(keyedBy: Name.self) {
                for name in object.allKeys { _ = try object.decode(Value.self, forKey: name) }
            } else if var array = try? decoder.unkeyedContainer() {
                while !array.isAtEnd { _ = try array.decode(Value.self) }
            } else {
                let single = try decoder.singleValueContainer()
                if single.decodeNil() || (try? single.decode(Bool.self)) != nil { return }
                if (try? single.decode(String.self)) != nil { return }
                _ = try single.decode(Double.self)
            }
        }
    }

    @Test func changedTextsAreJudgedAsTheDecoderJudgesThem() {
        let sample = Array(
            #"{"messages":[{"localId":"a\u00e9\n","sealed":null,"x":[-1.5e0]},{"ğ":true}],"b":{"c":0}}"#.utf8)
        let signs = Array(#"{}[]",:\ue01-.+tn /"#.utf8) + [0x0A, 0x01, 0x80, 0xC3]
        var generator = Seeded(state: 7)
        var taken = 0
        for _ in 0..<30_000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    signs[Int.random(in: 0..<signs.count, using: &generator)]
            }
            let isJSON = (try? JSONDecoder().decode(Value.self, from: Data(bytes))) != nil
            if Self.isTaken(bytes) != isJSON {
                Issue.record("\(String(decoding: bytes, as: UTF8.self)): decoder \(isJSON)")
                return
            }
            taken += isJSON ? 1 : 0
        }
        #expect(taken > 1_000, "some changes leave JSON")
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    @Test(arguments: [
        ("\"\"", ""), ("\"ab\"", "ab"), (#""a\/b\\\"""#, "a/b\\\""), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
        (#""\u00e9\u011F""#, "éğ"), (#""x\uD83D\uDE00y""#, "x😀y"), (#""\u0000""#, "\u{0}"), (#""\u\#("0041")0""#, "A0"),
    ])
    func stringsAreReadAsTheyWereMeant(text: String, content: String) throws {
        #expect(try JSON(parsing: text.utf8).text == content)
    }
}
