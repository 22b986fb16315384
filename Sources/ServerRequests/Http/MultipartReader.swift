import ServerBase

/// Reads `multipart/form-data` as it arrives: each piece yields events, and the reader keeps only the beginning of a
/// boundary or of a part's head between two pieces.
///
/// Total: any bytes are read or throw `badRequest`.
/// Source: RFC 7578; RFC 2046, section 5.1.
package struct MultipartReader {
    /// A part of what a piece of the body contains.
    package enum Event: Hashable, Sendable {
        case begin(Head)
        /// Some bytes of the current part.
        case bytes([UInt8])
        case end
    }

    /// The head of a part.
    package struct Head: Hashable, Sendable {
        /// The name of the form field.
        package var name: String
        /// The file's name on the client; nil for a plain field.
        package var fileName: String?
        /// The media type that the client declares; nil where it declares none.
        package var media: String?

        /// A part's head; `fileName` and `media` are nil where the client gives none.
        package init(name: String, fileName: String?, media: String?) {
            self.name = name
            self.fileName = fileName
            self.media = media
        }
    }

    private enum State {
        /// Before the first boundary, where any bytes are skipped.
        case preamble
        /// Behind a boundary: the end of its line follows, or the two dashes that end the body.
        case boundary
        case head
        case body
        /// Behind the last boundary, where any bytes are skipped.
        case epilogue
    }

    private let boundary: [UInt8]
    private var state = State.preamble
    /// Bytes that are not read yet: at the start a line's end, since the first boundary may open the body without one.
    private var rest: [UInt8] = [MultipartReader.return, MultipartReader.newline]

    /// - Parameter contentType: the header's value with its `boundary` parameter.
    /// - Throws: `unsupportedMediaType` for another type; `badRequest` without a valid boundary.
    package init(contentType: String?) throws(Failure) {
        let text = contentType ?? ""
        guard Self.isForm(text) else { throw Failure(.unsupportedMediaType) }
        guard let boundary = HeaderParameters(text)["boundary"],
            ServerLimits.boundaryCharacters.contains(boundary.utf8.count), boundary.utf8.last != 0x20,
            boundary.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { throw Failure(.badRequest) }
        self.boundary = Array("\r\n--\(boundary)".utf8)
    }

    /// Whether the header's media type is `multipart/form-data`.
    package static func isForm(_ contentType: String) -> Bool {
        contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased() == "multipart/form-data"
    }

    /// Whether the last boundary has been read: without it the body was cut off.
    package var isAtEnd: Bool { state == .epilogue }

    /// Reads the next piece of the body.
    /// - Throws: `badRequest` for bytes that are no form; the reader cannot be used afterwards.
    package mutating func read(_ piece: [UInt8]) throws(Failure) -> [Event] {
        rest += piece
        var events = [Event]()
        var place = 0
        while let next = try step(from: place, &events) { place = next }
        rest.removeFirst(stop)
        return events
    }

    /// How far `rest` was read when a step needed more bytes.
    private var stop = 0

    /// Reads on from `start`.
    /// - Returns: nil when the step needs more bytes; `stop` then says how many bytes of `rest` can be dropped.
    private mutating func step(from start: Int, _ events: inout [Event]) throws(Failure) -> Int? {
        stop = start
        switch state {
        case .preamble:
            guard let found = find(boundary, from: start) else {
                stop = max(start, rest.count - boundary.count + 1)
                return nil
            }
            state = .boundary
            return found + boundary.count
        case .boundary: return try endLine(from: start)
        case .head: return try head(from: start, &events)
        case .body: return body(from: start, &events)
        case .epilogue:
            stop = rest.count
            return nil
        }
    }

    private mutating func endLine(from start: Int) throws(Failure) -> Int? {
        guard rest.count - start >= 2 else { return nil }
        if rest[start] == Self.dash, rest[start + 1] == Self.dash {
            state = .epilogue
            return start + 2
        }
        // Intermediaries may add spaces behind a boundary.
        let place = rest[start...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? rest.count
        guard place - start <= Self.paddingMax else { throw Failure(.badRequest) }
        guard rest.count - place >= 2 else { return nil }
        guard rest[place] == Self.return, rest[place + 1] == Self.newline else { throw Failure(.badRequest) }
        state = .head
        // The line's end stays unread, so that a head without lines is two line ends in a row.
        return place
    }

    private mutating func head(from start: Int, _ events: inout [Event]) throws(Failure) -> Int? {
        guard let found = find(Self.headEnd, from: start) else {
            guard rest.count - start <= ServerLimits.partHeadBytesMax else { throw Failure(.badRequest) }
            return nil
        }
        guard found - start <= ServerLimits.partHeadBytesMax,
            let text = String(validating: rest[start..<found], as: UTF8.self), let head = Head(lines: text)
        else { throw Failure(.badRequest) }
        events.append(.begin(head))
        state = .body
        // The head's last line end stays unread too: in an empty part it begins the next boundary.
        return found + 2
    }

    private mutating func body(from start: Int, _ events: inout [Event]) -> Int? {
        // The two bytes of the head's line end come before the part's first byte.
        let first = isInsideBody ? start : start + 2
        if let found = find(boundary, from: start) {
            if found > first { events.append(.bytes(Array(rest[first..<found]))) }
            events.append(.end)
            state = .boundary
            isInsideBody = false
            return found + boundary.count
        }
        let end = rest.count - boundary.count + 1
        if end > first {
            events.append(.bytes(Array(rest[first..<end])))
            isInsideBody = true
            stop = end
        }
        return nil
    }

    /// Whether the current part has yielded bytes already.
    private var isInsideBody = false

    /// - Returns: where the pattern begins.
    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        rest.withUnsafeBufferPointer { bytes in
            var place = start
            while place + pattern.count <= bytes.count {
                guard let next = bytes[place...].firstIndex(of: pattern[0]), next + pattern.count <= bytes.count else {
                    return nil
                }
                if bytes[next..<next + pattern.count].elementsEqual(pattern) { return next }
                place = next + 1
            }
            return nil
        }
    }

    private static let `return`: UInt8 = 0x0D
    private static let newline: UInt8 = 0x0A
    private static let dash = UInt8(ascii: "-")
    private static let headEnd: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    /// The maximum of spaces between a boundary and the end of its line.
    private static let paddingMax = 128
}

extension MultipartReader.Head {
    /// - Returns: nil for a part without a name, which a form cannot have.
    fileprivate init?(lines: String) {
        var disposition: String?
        var type: String?
        for line in lines.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingPrefix { $0.isWhitespace }
            switch line[..<colon].lowercased() {
            case "content-disposition": disposition = String(value)
            case "content-type": type = String(value)
            default: break
            }
        }
        let kind = (disposition ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }
        guard let disposition, kind.lowercased() == "form-data" else { return nil }
        let parameters = HeaderParameters(disposition)
        guard let name = parameters["name"] else { return nil }
        self.init(name: name, fileName: parameters["filename"], media: type)
    }
}
