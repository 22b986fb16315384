/// Reads the answer to one HTTP request, however its bytes are split. Source: RFC 9112.
package struct AnswerReader {
    /// A part of the answer, in the order of arrival.
    package enum Part: Hashable, Sendable {
        /// The status of the final answer; provisional answers (1xx) are skipped.
        case status(UInt)
        /// Never empty.
        case body([UInt8])
        case end
    }

    /// The bytes are no HTTP answer.
    package struct Malformed: Error {}

    private enum State {
        case statusLine
        case fields
        case body(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailer
        case bodyToTheEnd
        case ended
    }

    /// The limit for one line of the head, a chunk's size or the trailer.
    package static let lineBytesMax = 16 * 1024
    /// The limit for the lines of one answer's head and trailer.
    package static let linesMax = 100

    private var state = State.statusLine
    private var waiting: [UInt8] = []
    private var lines = 0
    private var status: UInt = 0
    private var length: Int?
    private var isChunked = false

    package init() {}

    /// The parts that these bytes complete.
    package mutating func add(_ bytes: [UInt8]) throws(Malformed) -> [Part] {
        waiting += bytes
        var rest = waiting[...]
        var parts: [Part] = []
        while try step(&rest, &parts) {}
        waiting = Array(rest)
        return parts
    }

    /// The node has closed the connection.
    package mutating func close() throws(Malformed) -> [Part] {
        guard case .bodyToTheEnd = state else { throw Malformed() }
        state = .ended
        return [.end]
    }

    /// - Returns: whether more can be read from the rest.
    private mutating func step(_ rest: inout ArraySlice<UInt8>, _ parts: inout [Part]) throws(Malformed) -> Bool {
        guard !rest.isEmpty else { return false }
        switch state {
        case .body(let left): state = readBody(left, from: &rest, &parts).map { .body(left: $0) } ?? end(&parts)
        case .chunk(let left): state = readBody(left, from: &rest, &parts).map { .chunk(left: $0) } ?? .chunkEnd
        case .bodyToTheEnd: _ = readBody(rest.count, from: &rest, &parts)
        case .ended: throw Malformed()
        case .statusLine, .fields, .chunkSize, .chunkEnd, .trailer:
            guard let line = try popLine(from: &rest) else { return false }
            try read(line, &parts)
        }
        return true
    }

    private mutating func read(_ line: ArraySlice<UInt8>, _ parts: inout [Part]) throws(Malformed) {
        switch state {
        case .statusLine: try readStatus(line)
        case .fields where line.isEmpty: try beginBody(&parts)
        case .fields: try readField(line)
        case .chunkSize:
            let size = try Self.number(line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }, radix: 16)
            state = size == 0 ? .trailer : .chunk(left: size)
            lines = 0
        case .chunkEnd:
            guard line.isEmpty else { throw Malformed() }
            state = .chunkSize
        case .trailer: if line.isEmpty { state = end(&parts) }
        case .body, .chunk, .bodyToTheEnd, .ended: throw Malformed()
        }
    }

    private mutating func readStatus(_ line: ArraySlice<UInt8>) throws(Malformed) {
        let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].starts(with: Array("HTTP/1.".utf8)), words[1].count == 3 else {
            throw Malformed()
        }
        status = UInt(try Self.number(words[1], radix: 10))
        length = nil
        isChunked = false
        state = .fields
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) throws(Malformed) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Malformed() }
        let value = line[(colon + 1)...].filter { $0 != 0x20 && $0 != 0x09 }
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "content-length": length = try Self.number(value[...], radix: 10)
        case "transfer-encoding": isChunked = String(decoding: value, as: UTF8.self).lowercased() == "chunked"
        default: break
        }
    }

    private mutating func beginBody(_ parts: inout [Part]) throws(Malformed) {
        guard status >= 200 else {
            state = .statusLine
            return
        }
        parts.append(.status(status))
        if status == 204 || status == 304 {
            state = end(&parts)
        } else if isChunked {
            state = .chunkSize
        } else if let length {
            state = length == 0 ? end(&parts) : .body(left: length)
        } else {
            state = .bodyToTheEnd
        }
    }

    private func end(_ parts: inout [Part]) -> State {
        parts.append(.end)
        return .ended
    }

    /// Reads part of a body.
    /// - Returns: how much of the body is left; nil when it is complete.
    private func readBody(_ left: Int, from rest: inout ArraySlice<UInt8>, _ parts: inout [Part]) -> Int? {
        let piece = rest.prefix(left)
        parts.append(.body(Array(piece)))
        rest = rest.dropFirst(piece.count)
        return piece.count == left ? nil : left - piece.count
    }

    /// - Returns: the line without its line break (LF or CRLF); nil while the end of the line is missing.
    private mutating func popLine(from rest: inout ArraySlice<UInt8>) throws(Malformed) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0x0A) else {
            guard rest.count <= Self.lineBytesMax else { throw Malformed() }
            return nil
        }
        lines += 1
        guard end - rest.startIndex <= Self.lineBytesMax, lines <= Self.linesMax else { throw Malformed() }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        return line.last == 0x0D ? line.dropLast() : line
    }

    /// Accepts digits alone, and no number that a body's length cannot have.
    private static func number(_ digits: ArraySlice<UInt8>, radix: Int) throws(Malformed) -> Int {
        let text = String(decoding: digits, as: UTF8.self)
        guard !digits.isEmpty, digits.count <= 15, let number = Int(text, radix: radix), number >= 0,
            digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else { throw Malformed() }
        return number
    }
}
