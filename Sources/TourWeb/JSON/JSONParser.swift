/// The bytes are no JSON.
package struct JSONError: Error, Hashable {
    /// How many bytes precede the first invalid one.
    package let offset: Int
}

extension JSON {
    /// One value and nothing after it. Source: RFC 8259.
    package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes: Array(bytes))
        self = try parser.document()
    }
}

/// Recursive descent; nesting is bounded, so that no answer can exhaust the stack.
private struct JSONParser {
    private static let depthMax = 64

    let bytes: [UInt8]
    private var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONError) -> JSON {
        let value = try value(depth: 0)
        skipSpace()
        guard at == bytes.count else { throw failure }
        return value
    }

    private var failure: JSONError { JSONError(offset: at) }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < Self.depthMax else { throw failure }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[at...].starts(with: word.utf8) else { throw failure }
        at += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        at += 1
        var members = [JSONMember]()
        skipSpace()
        if consume("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure }
            let name = try string()
            skipSpace()
            guard consume(":") else { throw failure }
            members.append(JSONMember(name: name, value: try value(depth: depth + 1)))
            skipSpace()
        } while consume(",")
        guard consume("}") else { throw failure }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(JSONError) -> JSON {
        at += 1
        var values = [JSON]()
        skipSpace()
        if consume("]") { return .list(values) }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while consume(",")
        guard consume("]") else { throw failure }
        return .list(values)
    }

    private mutating func digits() throws(JSONError) {
        guard let first = next, isDigit(first) else { throw failure }
        while let byte = next, isDigit(byte) { at += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private mutating func number() throws(JSONError) -> String {
        let start = at
        _ = consume("-")
        if !consume("0") { try digits() }
        if consume(".") { try digits() }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            try digits()
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func string() throws(JSONError) -> String {
        at += 1
        var text = [UInt8]()
        while true {
            // Most texts contain no escapes: unescaped stretches are copied in one piece.
            let start = at
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { at += 1 }
            text += bytes[start..<at]
            guard let byte = next else { throw failure }
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw failure }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            default: throw failure
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw failure }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try escapedScalar()).utf8
        default: throw failure
        }
    }

    /// An unpaired half of a surrogate pair becomes U+FFFD.
    private mutating func escapedScalar() throws(JSONError) -> Character {
        let replacement = Character("\u{FFFD}")
        let high = try fourDigits()
        guard (0xD800..<0xDC00).contains(high) else {
            return Unicode.Scalar(high).map(Character.init) ?? replacement
        }
        let back = at
        guard consume("\\"), consume("u") else {
            at = back
            return replacement
        }
        let low = try fourDigits()
        guard (0xDC00..<0xE000).contains(low) else {
            at = back
            return replacement
        }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)).map(Character.init) ?? replacement
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        guard at + 4 <= bytes.count else { throw failure }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[at])).hexDigitValue else { throw failure }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }
}
