import Foundation
import TourNotebook

/// A notebook being written out in pieces.
package struct NotebookExport: Sendable {
    private static let pieceItems = 256

    private var items: ArraySlice<NotebookItem>
    private let format: NodeNotebook.ExchangeFormat
    private let table: NotebookCSV
    private let waypoints: GPXWriter
    private let encoder = JSONEncoder()
    private var kinds = NotebookDocument.kinds[...]
    /// The list of the first kind has begun.
    private var isInList = false
    private var isStarted = false
    private var isEnded = false

    /// - Parameter items: in the order of `NotebookDocument.kinds`.
    init(_ items: [NotebookItem], _ format: NodeNotebook.ExchangeFormat, placesOnly: Bool) {
        // In a table of places each row includes its category's name.
        let isTableOfPlaces = placesOnly && format != .json
        self.items = (isTableOfPlaces ? items.filter { $0.kind == .place } : items)[...]
        self.format = format
        table = NotebookCSV(items, placesOnly: placesOnly)
        waypoints = GPXWriter(items)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// - Returns: nil when everything was written.
    package mutating func next() throws -> [UInt8]? {
        guard !isEnded else { return nil }
        guard isStarted else {
            isStarted = true
            return Array(start.utf8)
        }
        guard format != .json || kinds.isEmpty else { return try nextOfList() }
        guard !items.isEmpty else {
            isEnded = true
            return Array(end.utf8)
        }
        let piece = items.prefix(Self.pieceItems)
        items = items.dropFirst(piece.count)
        let text = piece.map { format == .csv ? table.records(of: $0) : waypoints.waypoint($0) }.joined()
        return Array(text.utf8)
    }

    private var start: String {
        switch format {
        case .json: NotebookDocument.start
        case .csv: table.start
        case .gpx: waypoints.start
        }
    }

    private var end: String {
        switch format {
        case .json: NotebookDocument.end
        case .csv: ""
        case .gpx: waypoints.end
        }
    }

    private mutating func nextOfList() throws -> [UInt8] {
        guard let kind = kinds.first else { return [] }
        var bytes = isInList ? [] : Array(NotebookDocument.begin(kind).utf8)
        for _ in 0..<Self.pieceItems {
            guard let item = items.first, item.kind == kind else { break }
            items.removeFirst()
            if isInList { bytes += NotebookDocument.separator.utf8 }
            isInList = true
            bytes += try encoder.encode(item)
        }
        guard items.first?.kind != kind else { return bytes }
        kinds.removeFirst()
        isInList = false
        return bytes + NotebookDocument.endOfList.utf8
    }
}
