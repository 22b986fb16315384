/// Reads a JSON text from beginning to end without building values: for the one body that is long and frequent, where a
/// decoder of whole values takes most of the time.
///
/// Total: for any bytes, each call reads what its name says or throws `badJSON`.
/// Source: RFC 8259.
package struct JSONScanner {
    /// The kind of a value, by its first character.
    package enum Kind {
        case object, array, string
        case null
        /// A number or a truth value.
        case other
    }

    /// The maximum depth of containers, which is the bound of the decoder on the other routes too.
    static let depthMax = 512

    /// The whole text, which a `JSONText` refers to.
    package let bytes: [UInt8]
    private var place = 0

    /// - Parameter bytes: the whole text, not yet checked.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The kind of the next value, which stays unread.
    package mutating func next() throws(Failure) -> Kind {
        skipSpace()
        guard place < bytes.count else { throw Failure(.badJSON) }
        return switch bytes[place] {
        case Sign.openObject: .object
        case Sign.openArray: .array
        case Sign.quote: .string
        case UInt8(ascii: "n"): .null
        default: .other
        }
    }

    /// Reads an object: calls `body` behind each name and its colon. `body` reads the value.
    package mutating func object(
        _ body: (JSONText, inout JSONScanner) throws(Failure) -> Void
    ) throws(Failure) {
        try expect(Sign.openObject)
        guard !consume(Sign.closeObject) else { return }
        repeat { try body(try name(), &self) } while consume(Sign.comma)
        try expect(Sign.closeObject)
    }

    /// Reads an array: calls `body` before each element, with its index from 0. `body` reads the element.
    package mutating func array(_ body: (Int, inout JSONScanner) throws(Failure) -> Void) throws(Failure) {
        try expect(Sign.openArray)
        guard !consume(Sign.closeArray) else { return }
        var index = 0
        repeat {
            try body(index, &self)
            index += 1
        } while consume(Sign.comma)
        try expect(Sign.closeArray)
    }

    /// Reads a string; its escapes are checked, and resolved only by `JSONText`.
    package mutating func string() throws(Failure) -> JSONText {
        try expect(Sign.quote)
        let start = place
        var isPlain = true
        var isASCII = true
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case Sign.quote:
                let text = JSONText(range: start..<place - 1, isPlain: isPlain)
                if !isASCII, String(validating: bytes[text.range], as: UTF8.self) == nil { throw Failure(.badJSON) }
                return text
            case Sign.backslash:
                isPlain = false
                try skipEscape()
            case ..<0x20: throw Failure(.badJSON)
            default: if byte >= 0x80 { isASCII = false }
            }
        }
        throw Failure(.badJSON)
    }

    /// Reads a value of any kind, and drops it.
    package mutating func skip() throws(Failure) {
        var closers = [UInt8]()
        while true {
            if try opens(&closers) { continue }
            // A value has ended, and perhaps the containers around it.
            while let closer = closers.last, !consume(Sign.comma) {
                try expect(closer)
                closers.removeLast()
            }
            guard let closer = closers.last else { return }
            if closer == Sign.closeObject { _ = try name() }
        }
    }

    /// Checks that only white space is left.
    package mutating func end() throws(Failure) {
        skipSpace()
        guard place == bytes.count else { throw Failure(.badJSON) }
    }

    /// Reads a whole value, or the beginning of a nonempty container.
    /// - Returns: whether a nonempty container has begun.
    private mutating func opens(_ closers: inout [UInt8]) throws(Failure) -> Bool {
        let kind = try next()
        if kind == .object || kind == .array, closers.count == Self.depthMax { throw Failure(.badJSON) }
        switch kind {
        case .object:
            place += 1
            if consume(Sign.closeObject) { return false }
            closers.append(Sign.closeObject)
            _ = try name()
        case .array:
            place += 1
            if consume(Sign.closeArray) { return false }
            closers.append(Sign.closeArray)
        case .string:
            _ = try string()
            return false
        case .null, .other:
            try skipScalar()
            return false
        }
        return true
    }

    private mutating func name() throws(Failure) -> JSONText {
        let name = try string()
        try expect(Sign.colon)
        return name
    }

    private mutating func skipScalar() throws(Failure) {
        for word in Self.words where bytes[place...].starts(with: word) {
            place += word.count
            return
        }
        // A number: sign, whole part without leading zeros, fraction, exponent.
        if place < bytes.count, bytes[place] == Sign.minus { place += 1 }
        let isZero = place < bytes.count && bytes[place] == Sign.zero
        let digits = skipDigits()
        guard digits == 1 || digits > 1 && !isZero else { throw Failure(.badJSON) }
        if place < bytes.count, bytes[place] == Sign.point {
            place += 1
            guard skipDigits() > 0 else { throw Failure(.badJSON) }
        }
        guard place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") else { return }
        place += 1
        if place < bytes.count, bytes[place] == Sign.minus || bytes[place] == UInt8(ascii: "+") { place += 1 }
        guard skipDigits() > 0 else { throw Failure(.badJSON) }
    }

    private static let words = ["true", "false", "null"].map { Array($0.utf8) }

    private mutating func skipDigits() -> Int {
        let start = place
        while place < bytes.count, (Sign.zero...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
        return place - start
    }

    /// Skips an escape behind its backslash. A surrogate must come with its other half.
    private mutating func skipEscape() throws(Failure) {
        guard place < bytes.count else { throw Failure(.badJSON) }
        let sign = bytes[place]
        place += 1
        guard sign == UInt8(ascii: "u") else {
            guard JSONText.escapes[sign] != nil else { throw Failure(.badJSON) }
            return
        }
        switch try unit() {
        case 0xDC00...0xDFFF: throw Failure(.badJSON)
        case 0xD800...0xDBFF:
            guard place + 1 < bytes.count, bytes[place] == Sign.backslash, bytes[place + 1] == UInt8(ascii: "u") else {
                throw Failure(.badJSON)
            }
            place += 2
            guard (0xDC00...0xDFFF).contains(try unit()) else { throw Failure(.badJSON) }
        default: break
        }
    }

    private mutating func unit() throws(Failure) -> UInt16 {
        guard place + 4 <= bytes.count, let unit = JSONText.unit(bytes[place..<place + 4]) else {
            throw Failure(.badJSON)
        }
        place += 4
        return unit
    }

    private mutating func skipSpace() {
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func consume(_ sign: UInt8) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == sign else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ sign: UInt8) throws(Failure) {
        guard consume(sign) else { throw Failure(.badJSON) }
    }

    private enum Sign {
        static let quote = UInt8(ascii: "\"")
        static let backslash = UInt8(ascii: "\\")
        static let openObject = UInt8(ascii: "{")
        static let closeObject = UInt8(ascii: "}")
        static let openArray = UInt8(ascii: "[")
        static let closeArray = UInt8(ascii: "]")
        static let comma = UInt8(ascii: ",")
        static let colon = UInt8(ascii: ":")
        static let minus = UInt8(ascii: "-")
        static let point = UInt8(ascii: ".")
        static let zero = UInt8(ascii: "0")
    }
}
