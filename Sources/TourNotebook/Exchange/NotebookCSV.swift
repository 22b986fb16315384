import TourModel

/// A notebook as a table: a row for each note, place, category, itinerary, and stop of an itinerary. Lost edits are
/// left out.
/// Source: `Protocol/12-notebook.md`, "Import and export".
package struct NotebookCSV: Sendable {
    enum Column: String, CaseIterable {
        case kind, id, title, url, latitude, longitude, time, category, tags, note, favorite, read, source, type
        case itinerary, position, icon, color
        /// A shape in well-known text, which maps write: `POINT (28.9802 41.0086)`.
        case wkt

        /// Other programs' names of columns.
        static let aliases: [String: Column] = [
            "name": .title, "text": .note, "notes": .note, "description": .note, "content": .note, "excerpt": .note,
            "comment": .note, "selection": .note, "lat": .latitude, "lon": .longitude, "lng": .longitude,
            "long": .longitude, "link": .url, "address": .url, "tag": .tags, "labels": .tags, "uri": .url,
            "website": .url, "folder": .category, "status": .read,
            "favourite": .favorite, "order": .position, "at": .time, "geometry": .wkt, "geom": .wkt, "the_geom": .wkt,
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

    /// The columns that hold something of each kind.
    static let columns: [NotebookKind: Set<Column>] = [
        .note: [.kind, .id, .title, .note], .place: Set(placeColumns).union([.kind, .wkt]),
        .category: [.kind, .id, .title, .position, .icon, .color], .itinerary: [.kind, .id, .title, .note],
        .stop: [
            .kind, .id, .title, .latitude, .longitude, .wkt, .time, .note, .type, .itinerary, .position,
        ],
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
        columns = placesOnly ? Self.placeColumns : Column.allCases.filter { $0 != .wkt }
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
