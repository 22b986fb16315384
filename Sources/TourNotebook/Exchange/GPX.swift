import CExpat
import TourModel

/// Places in files of navigation devices and maps: waypoints, and the named points of routes and tracks.
/// Source: topografix.com/GPX/1/1 and 1/0, `Protocol/12-notebook.md`, "Import and export".
package enum GPX {
    static let namespace = "http://www.topografix.com/GPX/1/1"
    /// The namespaces that are read; files without a namespace are common.
    static let namespaces: Set = [namespace, "http://www.topografix.com/GPX/1/0", ""]
    /// The parser's separator between a namespace and a name.
    static let separator = UInt8(ascii: "|")

    private static let isParserLoaded = expat_library_load("libexpat.so.1")
    private static let pieceBytes = 64 * 1_024

    /// - Throws: `ImportFault`; points that are no places are listed as skipped.
    package static func read(_ bytes: [UInt8]) throws(ImportFault) -> ImportedNotebook {
        guard isParserLoaded, let parser = XML_ParserCreateNS(nil, XML_Char(separator)) else { throw .noParser }
        defer { XML_ParserFree(parser) }
        let reader = GPXReader(parser)
        var status = XML_STATUS_OK
        withExtendedLifetime(reader) {
            reader.attach()
            var rest = bytes[...]
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
        if let fault = reader.fault { throw fault }
        guard status == XML_STATUS_OK else {
            throw .malformed(line: Int(clamping: expat_line_number(parser)))
        }
        return reader.imported
    }
}

/// Receives the parser's events, and keeps the points. Its memory is bounded by one point, the depth, and the points
/// kept.
private final class GPXReader {
    /// No list of places nests more deeply, and each level costs the parser memory.
    private static let depthMax = 64

    /// A point with the texts of its child elements.
    private struct Point {
        var isWaypoint: Bool
        var latitude: String?
        var longitude: String?
        var texts: [String: [UInt8]] = [:]
    }

    private(set) var imported = ImportedNotebook()
    private(set) var fault: ImportFault?
    private let parser: XML_Parser
    private var depth = 0
    private var point: Point?
    private var pointDepth = 0
    /// The child of a point whose text is being read.
    private var field: String?
    private var pointCount = 0

    private static let points: Set = ["wpt", "rtept", "trkpt"]
    private static let fields: Set = ["name", "desc", "cmt", "type", "url"]

    init(_ parser: XML_Parser) { self.parser = parser }

    func attach() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in GPXReader.of(data)?.begin(name, attributes) },
            { data, _ in GPXReader.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let text, count > 0 else { return }
            GPXReader.of(data)?.add(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in GPXReader.of(data)?.stop(.notAllowed) }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> GPXReader? {
        data.map { Unmanaged<GPXReader>.fromOpaque($0).takeUnretainedValue() }
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
        guard depth <= Self.depthMax else { return stop(.notAllowed) }
        let local = Self.localName(String(cString: name))
        if depth == 1 {
            if local != "gpx" { stop(.unreadable) }
            return
        }
        guard let local else { return }
        if point == nil {
            guard Self.points.contains(local) else { return }
            pointCount += 1
            guard pointCount <= Limits.notebookItemsMax else { return stop(.tooMany) }
            let said = Self.read(attributes)
            point = Point(isWaypoint: local == "wpt", latitude: said["lat"], longitude: said["lon"])
            pointDepth = depth
        } else if depth == pointDepth + 1 {
            field = Self.fields.contains(local) ? local : nil
            if local == "link", let address = Self.read(attributes)["href"], point?.texts["link"] == nil {
                point?.texts["link"] = Array(address.utf8)
            }
        }
    }

    private func add(_ text: UnsafeRawBufferPointer) {
        guard fault == nil, let field, depth == pointDepth + 1, point != nil else { return }
        let known = point?.texts[field]?.count ?? 0
        // One byte above the limit shows that the text is too long.
        point?.texts[field, default: []].append(contentsOf: text.prefix(Limits.notebookTextBytesMax + 1 - known))
    }

    private func end() {
        defer { depth -= 1 }
        guard fault == nil, let said = point else { return }
        if depth == pointDepth + 1 { field = nil }
        guard depth == pointDepth else { return }
        point = nil
        field = nil
        accept(said)
    }

    private func accept(_ point: Point) {
        func text(_ name: String) -> String? {
            let text = point.texts[name].map { String(decoding: $0, as: UTF8.self).trimmed }
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        let name = text("name")
        // A track has a point every few metres: only named ones are meant as places.
        guard point.isWaypoint || name != nil else { return imported.remarks.unnamedPoints += 1 }
        guard let coordinate = Coordinate(latitude: point.latitude ?? "", longitude: point.longitude ?? "") else {
            let fault = EntryFault.noPlace(fields: "lat, lon")
            return imported.skipped.append(.init(number: pointCount, title: name ?? "", fault: fault))
        }
        var note = text("desc") ?? text("cmt")
        if let link = text("link") ?? text("url") {
            note = note.map { $0.hasSuffix(link) ? $0 : $0 + "\n" + link } ?? link
        }
        let place = SavedPlace(
            title: name ?? coordinate.description, url: GeoAddress(coordinate).text, note: note, source: "import")
        var entry = ImportedNotebook.Entry(content: .place(place), category: text("type"), number: pointCount)
        entry.kept = Self.kept
        imported.add(entry)
    }

    private static let kept: Set<ImportedNotebook.Field> = [.localID, .files, .tags, .read, .favorite, .source]

    /// - Returns: nil for an element of another namespace.
    private static func localName(_ name: String) -> String? {
        guard let mark = name.utf8.lastIndex(of: GPX.separator) else { return GPX.namespaces.contains("") ? name : nil }
        guard GPX.namespaces.contains(String(name[..<mark])) else { return nil }
        return String(name[name.utf8.index(after: mark)...])
    }

    /// The attributes without a namespace, by name.
    private static func read(_ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) -> [String: String] {
        var result: [String: String] = [:]
        guard var next = attributes else { return result }
        while let name = next.pointee, let value = next.advanced(by: 1).pointee {
            result[String(cString: name)] = String(cString: value)
            next = next.advanced(by: 2)
        }
        return result
    }
}
