/// The bytes are no JSON, or more of it than `JSONLimits` allow.
package struct JSONError: Error, Hashable {
    /// How many bytes precede the first that is not taken.
    package let offset: Int
}

/// The bounds of a text that is read.
package enum JSONLimits {
    /// Containers within each other, so that no text exhausts the stack.
    package static let depthMax = 64
    /// Values in all, so that a text of millions of zeros does not take many times its own memory.
    package static let valuesMax = 1_000_000
}

extension JSON {
    /// One value and nothing after it. The caller bounds the length. A name may stand in an object twice: the first
    /// counts. Half a surrogate pair, NUL and other control characters in a string are errors; a NUL that is escaped is
    /// none, since it is JSON: what a text may contain is for its reader to say.
    /// Source: RFC 8259.
    package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes: Array(bytes))
        self = try parser.document()
    }
}

private struct JSONParser {
    let bytes: [UInt8]
    private var at = 0
    private var values = 0

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

    /// - Parameter depth: how many containers are around it.
    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        values += 1
        guard values <= JSONLimits.valuesMax else { throw failure }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try list(depth: depth + 1)
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
        var members = [JSONMember]()
        try elements(until: "}", depth: depth) { parser throws(JSONError) in
            guard parser.next == UInt8(ascii: "\"") else { throw parser.failure }
            let name = try parser.string()
            parser.skipSpace()
            guard parser.consume(":") else { throw parser.failure }
            members.append(JSONMember(name: name, value: try parser.value(depth: depth)))
        }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(JSONError) -> JSON {
        var values = [JSON]()
        try elements(until: "]", depth: depth) { parser throws(JSONError) in
            values.append(try parser.value(depth: depth))
        }
        return .list(values)
    }

    /// Reads the elements of a container, whose opening sign is next.
    private mutating func elements(
        until end: Unicode.Scalar, depth: Int, read: (inout JSONParser) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard depth <= JSONLimits.depthMax else { throw failure }
        at += 1
        skipSpace()
        if consume(end) { return }
        repeat {
            skipSpace()
            try read(&self)
            skipSpace()
        } while consume(",")
        guard consume(end) else { throw failure }
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
        // Most texts contain no escapes, and are read in one piece.
        var start = at
        var resolved = [UInt8]()
        while true {
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { at += 1 }
            let stretch = bytes[start..<at]
            if consume("\"") {
                let text = resolved.isEmpty ? stretch : (resolved + stretch)[...]
                guard let string = String(validating: text, as: UTF8.self) else { throw failure }
                return string
            }
            guard consume("\\") else { throw failure }
            resolved += stretch
            try escape(into: &resolved)
            start = at
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

    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        var code = try fourDigits()
        if (0xD800..<0xDC00).contains(code) {
            guard consume("\\"), consume("u") else { throw failure }
            let low = try fourDigits()
            guard (0xDC00..<0xE000).contains(low) else { throw failure }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure }
        return scalar
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
