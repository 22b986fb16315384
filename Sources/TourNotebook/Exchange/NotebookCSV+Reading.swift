import TourModel

extension NotebookCSV {
    /// The most columns of one meaning that are read; others count as not read.
    private static let sameColumnsMax = 16

    /// Reads a table: ours, or any whose first line names its columns; also as spreadsheets save it in other encodings
    /// than UTF-8. Without a column `kind` all rows are places.
    /// - Throws: `ImportFault`; rows that are no items are listed as skipped.
    package static func read(_ bytes: some Collection<UInt8>) throws(ImportFault) -> ImportedNotebook {
        let text = try FileText(bytes)
        let records = try CSV.records(text.utf8)
        guard let head = records.first else { throw .noHeader }
        var places: [Column: [Int]] = [:]
        for (index, cell) in head.cells.enumerated() {
            guard let column = Column(header: cell) else { continue }
            if places[column, default: []].count < sameColumnsMax { places[column, default: []].append(index) }
        }
        guard places[.title] != nil || places[.url] != nil else { throw .noHeader }
        guard records.count - 1 <= Limits.notebookItemsMax else { throw .tooMany }
        var imported = ImportedNotebook()
        imported.remarks.isEncodingGuessed = text.isGuessed
        var unread: Set<Int> = []
        for (index, record) in records.dropFirst().enumerated() {
            let row = Row(cells: record.cells, places: places, width: head.cells.count, number: index + 1)
            row.collectUnread(&unread)
            do throws(EntryFault) { imported.add(try row.entry()) } catch {
                imported.skipped.append(.init(number: row.number, title: row[.title], fault: error))
            }
        }
        imported.remarks.unreadColumns = unread.sorted().prefix(ImportedNotebook.Remarks.columnsMax).map {
            let header = head.cells[$0].trimmed
            return header.isEmpty ? "\($0 + 1)" : header
        }
        return imported
    }

    /// One line of a table.
    private struct Row {
        let cells: [String]
        /// The columns of each meaning, as they follow each other.
        let places: [Column: [Int]]
        /// The number of columns.
        let width: Int
        let number: Int

        /// The first cell of this meaning that holds something; empty where there is none.
        subscript(column: Column) -> String { texts(column).first ?? "" }

        private func texts(_ column: Column) -> [String] {
            (places[column] ?? []).filter { $0 < cells.count }.map { cells[$0] }.filter { !$0.isEmpty }
        }

        private func text(_ column: Column) -> String? { self[column].isEmpty ? nil : self[column] }

        /// Other programs have several columns of remarks, which one note holds.
        private var note: String? {
            var seen: Set<String> = []
            let parts = texts(.note).filter { seen.insert($0).inserted }
            return parts.isEmpty ? nil : parts.joined(separator: "\n")
        }

        /// Adds the columns whose text in this row no item gets.
        func collectUnread(_ unread: inout Set<Int>) {
            let used = kind.flatMap { NotebookCSV.columns[$0] } ?? []
            var read: Set<Int> = []
            for (column, places) in places where used.contains(column) {
                let first = self[column]
                read.formUnion(places.filter { $0 < cells.count && Self.isRead(cells[$0], column, first) })
            }
            for index in 0..<min(width, cells.count) where !read.contains(index) && !cells[index].trimmed.isEmpty {
                unread.insert(index)
            }
        }

        /// - Parameter first: the first cell of this meaning that holds something.
        private static func isRead(_ cell: String, _ column: Column, _ first: String) -> Bool {
            switch column {
            case .note: true
            case .read, .favorite: yes.union(no).contains(cell.trimmed.lowercased())
            default: cell == first
            }
        }

        private var kind: NotebookKind? {
            let word = self[.kind].trimmed.lowercased()
            return word.isEmpty ? .place : NotebookCSV.words.first { $0.value == word }?.key
        }

        /// Other programs' ids are none of ours.
        private var id: NotebookID? { NotebookID(self[.id].trimmed) }

        func entry() throws(EntryFault) -> ImportedNotebook.Entry {
            guard let kind else { throw EntryFault.noKind }
            var losses: [EntryLoss] = []
            var entry = ImportedNotebook.Entry(id: id, content: try content(of: kind, &losses), number: number)
            if kind == .place { entry.category = text(.category).flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed } }
            if cells.dropFirst(width).contains(where: { !$0.trimmed.isEmpty }) { losses.append(.surplusCells) }
            entry.losses = losses
            entry.kept = kept
            if kind == .stop, let itinerary = text(.itinerary) {
                entry.memberships = [.init(itinerary: itinerary.trimmed, position: try whole(.position))]
            }
            return entry
        }

        /// Fields for which the table has no column.
        private var kept: Set<ImportedNotebook.Field> {
            var kept: Set<ImportedNotebook.Field> = [.localID, .files, .stops]
            let columns: [(ImportedNotebook.Field, [Column])] = [
                (.address, [.url, .latitude, .longitude, .wkt]), (.place, [.latitude, .longitude, .wkt]),
                (.note, [.note]), (.category, [.category]), (.tags, [.tags]), (.read, [.read]),
                (.favorite, [.favorite]), (.source, [.source]), (.time, [.time]), (.type, [.type]), (.icon, [.icon]),
                (.color, [.color]), (.order, [.position]),
            ]
            for (field, columns) in columns where columns.allSatisfy({ places[$0] == nil }) { kept.insert(field) }
            return kept
        }

        private func content(
            of kind: NotebookKind, _ losses: inout [EntryLoss]
        ) throws(EntryFault) -> NotebookContent {
            let title = self[.title]
            switch kind {
            case .note: return .note(Note(title: title, content: note ?? ""))
            case .category:
                return .category(
                    PlaceCategory(
                        name: title, icon: self[.icon], color: self[.color], order: try whole(.position) ?? 0))
            case .itinerary: return .itinerary(Itinerary(title: title, description: note))
            case .stop:
                return .stop(
                    Stop(
                        title: title, materialType: text(.type) ?? "stop", note: note,
                        place: try coordinate(&losses), at: try time(&losses)))
            case .place, .lost: return .place(try place(title, &losses))
            }
        }

        private func place(_ title: String, _ losses: inout [EntryLoss]) throws(EntryFault) -> SavedPlace {
            let coordinate = try coordinate(&losses)
            var (note, address) = (note, text(.url))
            if let coordinate {
                // A place has one address, and the coordinates are it; a link goes where that of a waypoint goes.
                if let link = address, GeoAddress(link)?.coordinate != coordinate {
                    note = note.map { $0.hasSuffix(link) ? $0 : $0 + "\n" + link } ?? link
                }
                address = GeoAddress(coordinate).text
            }
            return SavedPlace(
                title: title.trimmed.isEmpty ? SavedPlace.title(for: address, coordinate) : title, url: address,
                note: note, source: text(.source) ?? "import", isRead: isYes(.read), isFavorite: isYes(.favorite),
                tags: tags)
        }

        private var tags: [String] {
            let parts = CSV.parts(of: self[.tags])
            // In our own rows these marks are part of a tag; others separate tags by them.
            guard id == nil else { return parts }
            return parts.flatMap { $0.split { $0 == "|" || $0 == ";" }.map(\.trimmed).filter { !$0.isEmpty } }
        }

        private func coordinate(_ losses: inout [EntryLoss]) throws(EntryFault) -> Coordinate? {
            switch (text(.latitude), text(.longitude)) {
            case (let north?, let east?):
                guard let place = Coordinate(latitude: north, longitude: east) else {
                    throw EntryFault.noPlace(fields: "latitude, longitude")
                }
                return place
            case (nil, nil):
                guard let shape = text(.wkt) else { return nil }
                let point = WellKnownText.point(shape)
                if point == nil { losses.append(.noPoint(field: "WKT")) }
                return point
            case (nil, _): losses.append(.halfPlace(missing: "latitude"))
            case (_, nil): losses.append(.halfPlace(missing: "longitude"))
            }
            return nil
        }

        private func time(_ losses: inout [EntryLoss]) throws(EntryFault) -> Int64? {
            guard let text = text(.time) else { return nil }
            guard let time = TableTime(text) else { throw EntryFault.noTime }
            if time.isWithoutZone { losses.append(.noZone) }
            return time.seconds
        }

        private func whole(_ column: Column) throws(EntryFault) -> Int? {
            guard let text = text(column) else { return nil }
            guard let number = Int(text.trimmed) else {
                throw EntryFault.noNumber(field: column.rawValue)
            }
            return number
        }

        private static let yes: Set = ["yes", "true", "1", "x", "y", "archive", "archived"]
        private static let no: Set = ["no", "false", "0", "n", "unread"]

        private func isYes(_ column: Column) -> Bool { Self.yes.contains(self[column].trimmed.lowercased()) }
    }
}

extension SavedPlace {
    /// A title for a place that has none, as far as one may be long: its address, or its coordinates.
    static func title(for address: String?, _ coordinate: Coordinate?) -> String {
        guard coordinate == nil else { return coordinate?.description ?? "" }
        var (title, bytes) = ("", 0)
        for character in address ?? "" {
            bytes += character.utf8.count
            guard bytes <= Limits.notebookTitleBytesMax else { break }
            title.append(character)
        }
        return title
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
