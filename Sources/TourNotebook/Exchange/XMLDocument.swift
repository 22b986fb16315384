import CExpat

/// Receives what an XML document contains, in its order.
protocol XMLReader: AnyObject {
    /// An element begins; the document's own is at depth 1.
    func begin(_ element: XMLElement) throws(ImportFault)
    /// A piece of text in the element at this depth.
    func add(_ text: UnsafeRawBufferPointer, depth: Int)
    /// The element at this depth ends.
    func end(depth: Int)
}

/// The start of an element, valid while `XMLReader.begin` runs.
struct XMLElement {
    /// Empty for none.
    let namespace: String
    /// Without its prefix.
    let name: String
    let depth: Int
    fileprivate let start: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

    /// The attributes without a namespace, by name.
    var attributes: [String: String] {
        var result: [String: String] = [:]
        guard var next = start else { return result }
        while let name = next.pointee, let value = next.advanced(by: 1).pointee {
            result[String(cString: name)] = String(cString: value)
            next = next.advanced(by: 2)
        }
        return result
    }
}

/// Reads documents of XML by libexpat. Source: Extensible Markup Language 1.0; names of HTML's characters are read,
/// too, which programs write that paste texts of web pages.
enum XMLDocument {
    /// The parser's separator between a namespace and a name.
    fileprivate static let separator = UInt8(ascii: "|")
    /// No list of places nests more deeply, and each level costs the parser memory.
    fileprivate static let depthMax = 64

    private static let isParserLoaded = expat_library_load("libexpat.so.1")
    private static let pieceBytes = 64 * 1_024

    /// - Throws: `noParser`, `malformed`, `encoding`, `notAllowed`, and what the reader throws.
    static func read(_ bytes: [UInt8], by reader: any XMLReader) throws(ImportFault) {
        let text = try XMLSource(bytes)
        guard isParserLoaded, let parser = XML_ParserCreateNS("UTF-8", XML_Char(separator)) else { throw .noParser }
        defer { XML_ParserFree(parser) }
        let events = XMLEvents(parser, reader)
        var status = XML_STATUS_OK
        withExtendedLifetime(events) {
            events.attach()
            var rest = text.utf8[...]
            repeat {
                let piece = rest.prefix(pieceBytes)
                rest = rest.dropFirst(piece.count)
                status = piece.withUnsafeBytes {
                    XML_Parse(
                        parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count),
                        rest.isEmpty ? 1 : 0)
                }
            } while status == XML_STATUS_OK && !rest.isEmpty
        }
        if let fault = events.fault { throw fault }
        guard status == XML_STATUS_OK else {
            throw .malformed(line: Int(clamping: expat_line_number(parser)) + text.linesBefore)
        }
    }
}

/// Hands the parser's events to a reader. Its memory is bounded by the depth.
private final class XMLEvents {
    private(set) var fault: ImportFault?
    private let parser: XML_Parser
    private let reader: any XMLReader
    private var depth = 0

    init(_ parser: XML_Parser, _ reader: any XMLReader) { (self.parser, self.reader) = (parser, reader) }

    func attach() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in XMLEvents.of(data)?.begin(name, attributes) },
            { data, _ in XMLEvents.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let text, count > 0, let events = XMLEvents.of(data), events.fault == nil else { return }
            events.reader.add(UnsafeRawBufferPointer(start: text, count: Int(count)), depth: events.depth)
        }
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in XMLEvents.of(data)?.stop(.notAllowed) }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLEvents? {
        data.map { Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ reason: ImportFault) {
        if fault == nil { fault = reason }
        _ = XML_StopParser(parser, XML_Bool(0))
    }

    private func begin(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        depth += 1
        guard fault == nil, let name else { return }
        guard depth <= XMLDocument.depthMax else { return stop(.notAllowed) }
        let whole = String(cString: name)
        let mark = whole.utf8.lastIndex(of: XMLDocument.separator)
        let element = XMLElement(
            namespace: mark.map { String(whole[..<$0]) } ?? "",
            name: mark.map { String(whole[whole.utf8.index(after: $0)...]) } ?? whole, depth: depth, start: attributes)
        do throws(ImportFault) { try reader.begin(element) } catch { stop(error) }
    }

    private func end() {
        if fault == nil { reader.end(depth: depth) }
        depth -= 1
    }
}
