import TourModel

/// Places in files of navigation devices and maps: waypoints, and the named points of routes and tracks.
/// Source: topografix.com/GPX/1/1 and 1/0, `Protocol/12-notebook.md`, "Import and export".
package enum GPX {
    static let namespace = "http://www.topografix.com/GPX/1/1"
    /// The namespaces that are read; files without a namespace are common.
    fileprivate static let namespaces: Set = [namespace, "http://www.topografix.com/GPX/1/0", ""]

    /// - Throws: `ImportFault`; points that are no places are listed as skipped.
    package static func read(_ bytes: [UInt8]) throws(ImportFault) -> ImportedNotebook {
        let reader = GPXReader()
        try XMLDocument.read(bytes, by: reader)
        return reader.imported
    }
}

/// Keeps the points of a document. Its memory is bounded by one point and the points kept.
private final class GPXReader: XMLReader {
    /// A point with the texts of its child elements.
    private struct Point {
        var isWaypoint: Bool
        var latitude: String?
        var longitude: String?
        var texts: [String: [UInt8]] = [:]
    }

    private(set) var imported = ImportedNotebook()
    private var point: Point?
    private var pointDepth = 0
    /// The child of a point whose text is being read.
    private var field: String?
    private var pointCount = 0

    private static let points: Set = ["wpt", "rtept", "trkpt"]
    private static let fields: Set = ["name", "desc", "cmt", "type", "url"]

    func begin(_ element: XMLElement) throws(ImportFault) {
        let isOurs = GPX.namespaces.contains(element.namespace)
        guard element.depth > 1 else {
            guard isOurs, element.name == "gpx" else { throw .unreadable }
            return
        }
        guard isOurs else { return }
        if point == nil {
            guard Self.points.contains(element.name) else { return }
            pointCount += 1
            guard pointCount <= Limits.notebookItemsMax else { throw .tooMany }
            let said = element.attributes
            point = Point(isWaypoint: element.name == "wpt", latitude: said["lat"], longitude: said["lon"])
            pointDepth = element.depth
        } else if element.depth == pointDepth + 1 {
            field = Self.fields.contains(element.name) ? element.name : nil
            if element.name == "link", let address = element.attributes["href"], point?.texts["link"] == nil {
                point?.texts["link"] = Array(address.utf8)
            }
        }
    }

    func add(_ text: UnsafeRawBufferPointer, depth: Int) {
        guard let field, depth == pointDepth + 1, point != nil else { return }
        let known = point?.texts[field]?.count ?? 0
        // One byte above the limit shows that the text is too long.
        point?.texts[field, default: []].append(contentsOf: text.prefix(Limits.notebookTextBytesMax + 1 - known))
    }

    func end(depth: Int) {
        guard let said = point else { return }
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
        entry.kept = ImportedNotebook.Field.noneOfMaps
        imported.add(entry)
    }
}
