import TourModel

/// A notebook as a table: a row for each note, place, category, itinerary, and stop of an itinerary. Lost edits are
/// left out.
/// Source: `Protocol/12-notebook.md`, "Import and export".
package struct NotebookCSV: Sendable {
    enum Column: String, CaseIterable {
        case kind, id, title, url, latitude, longitude, time, category, tags, note, favorite, read, source, type
        case itinerary, position, icon, color

        /// Other programs' names of columns.
        static let aliases: [String: Column] = [
            "name": .title, "text": .note, "notes": .note, "description": .note, "content": .note, "lat": .latitude,
            "lon": .longitude, "lng": .longitude, "long": .longitude, "link": .url, "address": .url, "tag": .tags,
            "favourite": .favorite, "order": .position, "at": .time,
        ]

        init?(header: String) {
            let word = header.trimmed.lowercased()
            guard let column = Column(rawValue: word) ?? Self.aliases[word] else { return nil }
            self = column
        }
    }

    static let placeColumns: [Column] = [
        .id, .title, .url, .latitude, .longitude, .category, .tags, .note, .favorite, .read, .source,
    ]

    /// The name of each kind in the table.
    static let words: [NotebookKind: String] = [
        .note: "note", .place: "place", .category: "category", .itinerary: "itinerary", .stop: "stop",
    ]

    private let isOfPlaces: Bool
    private let columns: [Column]
    private let categories: [NotebookID: String]
    private let memberships: [NotebookID: [(itinerary: NotebookID, position: Int)]]

    /// - Parameters:
    ///   - items: all items, for the names of categories and the positions of stops.
    ///   - placesOnly: whether to write only places, without the columns of other kinds.
    package init(_ items: [NotebookItem], placesOnly: Bool = false) {
        isOfPlaces = placesOnly
        columns = placesOnly ? Self.placeColumns : Column.allCases
        var categories: [NotebookID: String] = [:]
        var memberships: [NotebookID: [(itinerary: NotebookID, position: Int)]] = [:]
        for item in items {
            switch item.content {
            case .category(let category): categories[item.id] = category.name
            case .itinerary(let itinerary):
                for (index, stop) in itinerary.stops.enumerated() {
                    memberships[stop.id, default: []].append((item.id, index + 1))
                }
            default: break
            }
        }
        self.categories = categories
        self.memberships = memberships
    }

    /// The header line, with a byte order mark so that spreadsheets read the file as UTF-8.
    package var start: String { "\u{FEFF}" + CSV.record(columns.map(\.rawValue)) }

    /// The item's rows.
    package func records(of item: NotebookItem) -> String {
        guard let word = Self.words[item.kind], !isOfPlaces || item.kind == .place else { return "" }
        var cells: [Column: String] = [.kind: word, .id: item.id.text, .title: item.content.title]
        switch item.content {
        case .note(let note): cells[.note] = note.content
        case .place(let place): fill(&cells, place)
        case .category(let category):
            cells[.icon] = category.icon
            cells[.color] = category.color
            cells[.position] = String(category.order)
        case .itinerary(let itinerary): cells[.note] = itinerary.description
        case .stop(let stop): return rows(of: stop, item.id, cells)
        case .lost: return ""
        }
        return record(cells)
    }

    private func fill(_ cells: inout [Column: String], _ place: SavedPlace) {
        let coordinate = place.coordinate
        cells[.latitude] = coordinate?.latitudeText
        cells[.longitude] = coordinate?.longitudeText
        // The two coordinate columns already contain it.
        let isSaid = coordinate.map { GeoAddress($0).text } == place.url
        cells[.url] = isSaid ? nil : place.url
        cells[.category] = place.categoryID.flatMap { categories[$0] }
        cells[.tags] = CSV.list(place.tags)
        cells[.note] = place.note
        cells[.favorite] = place.isFavorite ? "yes" : ""
        cells[.read] = place.isRead ? "yes" : ""
        cells[.source] = place.source
    }

    private func rows(of stop: Stop, _ id: NotebookID, _ cells: [Column: String]) -> String {
        var cells = cells
        cells[.latitude] = stop.place?.latitudeText
        cells[.longitude] = stop.place?.longitudeText
        cells[.time] = stop.at.map { Timestamp(seconds: Int($0)).text }
        cells[.note] = stop.note
        cells[.type] = stop.materialType
        let places = memberships[id] ?? []
        guard !places.isEmpty else { return record(cells) }
        return places.map { place in
            cells[.itinerary] = place.itinerary.text
            cells[.position] = String(place.position)
            return record(cells)
        }.joined()
    }

    private func record(_ cells: [Column: String]) -> String {
        let numbers = columns.indices.filter { [.latitude, .longitude, .position].contains(columns[$0]) }
        return CSV.record(columns.map { cells[$0] ?? "" }, numbers: Set(numbers))
    }
}

extension NotebookCSV {
    /// Reads a table: ours, or any whose first line names its columns. Without a column `kind` all rows are places.
    /// - Throws: `ImportFault`; rows that are no items are listed as skipped.
    package static func read(_ bytes: some Collection<UInt8>) throws(ImportFault) -> ImportedNotebook {
        let records = try CSV.records(bytes)
        guard let head = records.first else { throw .noHeader }
        var places: [Column: Int] = [:]
        for (index, cell) in head.cells.enumerated() {
            guard let column = Column(header: cell), places[column] == nil else { continue }
            places[column] = index
        }
        guard places[.title] != nil else { throw .noHeader }
        guard records.count - 1 <= Limits.notebookItemsMax else { throw .tooMany }
        var imported = ImportedNotebook()
        for (index, record) in records.dropFirst().enumerated() {
            let row = Row(cells: record.cells, places: places, number: index + 1)
            do throws(EntryFault) { imported.add(try row.entry()) } catch {
                imported.skipped.append(.init(number: row.number, title: row[.title], fault: error))
            }
        }
        return imported
    }

    /// One line of a table.
    private struct Row {
        let cells: [String]
        let places: [Column: Int]
        let number: Int

        /// Empty where the table has no such column, or this row no such cell.
        subscript(column: Column) -> String {
            guard let place = places[column], place < cells.count else { return "" }
            return cells[place]
        }

        private func text(_ column: Column) -> String? { self[column].isEmpty ? nil : self[column] }

        func entry() throws(EntryFault) -> ImportedNotebook.Entry {
            let word = self[.kind].trimmed.lowercased()
            guard let kind = word.isEmpty ? .place : NotebookCSV.words.first(where: { $0.value == word })?.key else {
                throw EntryFault.noKind
            }
            var entry = ImportedNotebook.Entry(id: try id(), content: try content(of: kind), number: number)
            if kind == .place { entry.category = text(.category).flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed } }
            entry.isPartial = true
            if kind == .stop, let itinerary = text(.itinerary) {
                entry.memberships = [.init(itinerary: itinerary.trimmed, position: try whole(.position))]
            }
            return entry
        }

        private func content(of kind: NotebookKind) throws(EntryFault) -> NotebookContent {
            let title = self[.title]
            switch kind {
            case .note: return .note(Note(title: title, content: self[.note]))
            case .category:
                return .category(
                    PlaceCategory(
                        name: title, icon: self[.icon], color: self[.color], order: try whole(.position) ?? 0))
            case .itinerary: return .itinerary(Itinerary(title: title, description: text(.note)))
            case .stop:
                return .stop(
                    Stop(
                        title: title, materialType: text(.type) ?? "stop", note: text(.note), place: try coordinate(),
                        at: try time()))
            case .place, .lost: return .place(try place(title))
            }
        }

        private func place(_ title: String) throws(EntryFault) -> SavedPlace {
            let coordinate = try coordinate()
            return SavedPlace(
                title: title, url: text(.url) ?? coordinate.map { GeoAddress($0).text }, note: text(.note),
                source: text(.source) ?? "import", isRead: isYes(.read), isFavorite: isYes(.favorite),
                tags: CSV.parts(of: self[.tags]))
        }

        private func id() throws(EntryFault) -> NotebookID? {
            guard let text = text(.id) else { return nil }
            guard let id = NotebookID(text.trimmed) else { throw EntryFault.noID }
            return id
        }

        private func coordinate() throws(EntryFault) -> Coordinate? {
            guard let north = text(.latitude), let east = text(.longitude) else { return nil }
            guard let place = Coordinate(latitude: north, longitude: east) else {
                throw EntryFault.noPlace(fields: "latitude, longitude")
            }
            return place
        }

        private func time() throws(EntryFault) -> Int64? {
            guard let text = text(.time) else { return nil }
            guard let time = Timestamp(text.trimmed) else {
                throw EntryFault.noTime
            }
            return Int64(time.seconds)
        }

        private func whole(_ column: Column) throws(EntryFault) -> Int? {
            guard let text = text(column) else { return nil }
            guard let number = Int(text.trimmed) else {
                throw EntryFault.noNumber(field: column.rawValue)
            }
            return number
        }

        private func isYes(_ column: Column) -> Bool {
            ["yes", "true", "1", "x", "y"].contains(self[column].trimmed.lowercased())
        }
    }
}

extension Coordinate {
    /// Reads decimal degrees from a file, also with a decimal comma.
    init?(latitude: String, longitude: String) {
        func degrees(_ text: String) -> Double? {
            let text = text.trimmed
            guard text.utf8.count <= 32, text.allSatisfy({ "+-.,0123456789".contains($0) }) else { return nil }
            return Double(text.contains(".") ? text : String(text.map { $0 == "," ? "." : $0 }))
        }
        guard let north = degrees(latitude), let east = degrees(longitude) else { return nil }
        self.init(degreesNorth: north, degreesEast: east)
    }
}
