import TourModel

/// The placemarks of maps, as files that browsers and map programs save. Source: OGC 12-007r2, "KML 2.3".
package enum KML {
    /// - Throws: `ImportFault`; lines and areas, which are no places, are listed as skipped.
    package static func read(_ bytes: [UInt8]) throws(ImportFault) -> ImportedNotebook {
        let reader = KMLReader()
        try XMLDocument.read(bytes, by: reader)
        return reader.imported
    }

    /// Reads a packed map, `.kmz`: the list that it holds, without pictures.
    package static func read(packed bytes: [UInt8]) throws(ImportFault) -> ImportedNotebook {
        try read(try ZIP.member(of: bytes, bytesMax: NotebookImport.fileBytesMax) { $0.lowercased().hasSuffix(".kml") })
    }
}

/// Keeps the placemarks of a document. Its memory is bounded by one placemark, the depth and the placemarks kept.
private final class KMLReader: XMLReader {
    private struct Placemark {
        var depth: Int
        var name: [UInt8] = []
        var description: [UInt8] = []
        var coordinates: [UInt8] = []
        var points = 0
    }

    private(set) var imported = ImportedNotebook()
    private var placemark: Placemark?
    private var number = 0
    /// The open folders that count, by depth, with their names.
    private var folders: [(depth: Int, name: [UInt8])] = []
    private var path = FolderPath()
    /// The text that is being read, and the depth of its element.
    private var field: (WritableKeyPath<Placemark, [UInt8]>, Int)?
    private var folderNameDepth: Int?
    private var pointDepth: Int?

    func begin(_ element: XMLElement) throws(ImportFault) {
        let isOurs =
            element.namespace.isEmpty || element.namespace.hasPrefix("http://www.opengis.net/kml/")
            || element.namespace.hasPrefix("http://earth.google.com/kml/")
        guard element.depth > 1 else {
            guard isOurs, element.name == "kml" else { throw .unreadable }
            return
        }
        guard isOurs else { return }
        guard let open = placemark else { return try beginOutside(element) }
        let isChild = element.depth == open.depth + 1
        switch element.name {
        case "name" where isChild: field = (\.name, element.depth)
        case "description" where isChild: field = (\.description, element.depth)
        case "Point":
            placemark?.points += 1
            pointDepth = element.depth
        case "coordinates" where pointDepth == element.depth - 1 && open.points == 1:
            field = (\.coordinates, element.depth)
        default: break
        }
    }

    private func beginOutside(_ element: XMLElement) throws(ImportFault) {
        switch element.name {
        case "Folder":
            if path.open("") { folders.append((element.depth, [])) }
        case "name" where folders.last?.depth == element.depth - 1: folderNameDepth = element.depth
        case "Placemark":
            number += 1
            guard number <= Limits.notebookItemsMax else { throw .tooMany }
            placemark = Placemark(depth: element.depth)
        default: break
        }
    }

    func add(_ text: UnsafeRawBufferPointer, depth: Int) {
        if depth == folderNameDepth, let last = folders.indices.last {
            folders[last].name += text.prefix(Limits.notebookTitleBytesMax + 1 - folders[last].name.count)
        } else if let (path, fieldDepth) = field, fieldDepth == depth, var open = placemark {
            placemark = nil
            open[keyPath: path] += text.prefix(Limits.notebookTextBytesMax + 1 - open[keyPath: path].count)
            placemark = open
        }
    }

    func end(depth: Int) {
        if field?.1 == depth { field = nil }
        if folderNameDepth == depth {
            folderNameDepth = nil
            if let name = folders.last?.name { path.rename(String(decoding: name, as: UTF8.self)) }
        }
        if pointDepth == depth { pointDepth = nil }
        if let done = placemark, done.depth == depth {
            placemark = nil
            accept(done)
        }
        if folders.last?.depth == depth {
            folders.removeLast()
            path.close()
        }
    }

    private func accept(_ placemark: Placemark) {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).trimmed }
        let name = text(placemark.name)
        guard placemark.points > 0 else {
            return imported.skipped.append(.init(number: number, title: name, fault: .noPoint))
        }
        // Longitude, latitude, and the height.
        let numbers = text(placemark.coordinates).split(separator: ",").map { String($0) }
        guard (2...3).contains(numbers.count), let place = Coordinate(latitude: numbers[1], longitude: numbers[0])
        else {
            let fault = EntryFault.noPlace(fields: "coordinates")
            return imported.skipped.append(.init(number: number, title: name, fault: fault))
        }
        let note = HTMLText.plain(text(placemark.description))
        let content = SavedPlace(
            title: name.isEmpty ? place.description : name, url: GeoAddress(place).text,
            note: note.isEmpty ? nil : note,
            source: "import")
        var entry = ImportedNotebook.Entry(content: .place(content), category: path.text, number: number)
        entry.kept = ImportedNotebook.Field.noneOfMaps
        if placemark.points > 1 { entry.losses = [.morePoints] }
        imported.add(entry)
    }
}

/// The names of the folders around an entry, as its category. All entries of a folder share one text, which is cut, as
/// each name is, one byte above what a category may have: so it is still told that it is too long.
struct FolderPath {
    /// Deeper folders are passed over.
    static let depthMax = 64
    private static let bytesMax = Limits.notebookTitleBytesMax + 1

    /// The open folders: each one's own name, and the path down to it.
    private var folders: [(name: String, text: String?)] = []

    /// nil where no open folder has a name.
    var text: String? { folders.last?.text }

    /// - Returns: whether the folder counts; one that does not is not closed either.
    mutating func open(_ name: String) -> Bool {
        guard folders.count < Self.depthMax else { return false }
        let name = Self.cut(name)
        folders.append((name, Self.text(name, in: text)))
        return true
    }

    /// Gives the innermost folder another name.
    mutating func rename(_ name: String) {
        let name = Self.cut(name)
        guard let last = folders.popLast() else { return }
        folders.append((name, name == last.name ? last.text : Self.text(name, in: text)))
    }

    mutating func close() { _ = folders.popLast() }

    private static func text(_ name: String, in outer: String?) -> String? {
        guard !name.isEmpty else { return outer }
        // Nothing is added to what is too long already.
        guard let outer, outer.utf8.count < bytesMax else { return outer ?? name }
        return cut(outer + " / " + name)
    }

    /// Without blanks around it. A character that the cut divides counts as its replacement, which is no shorter.
    private static func cut(_ text: String) -> String {
        let text = text.trimmed
        return text.utf8.count <= bytesMax ? text : String(decoding: text.utf8.prefix(bytesMax), as: UTF8.self)
    }
}
