import Foundation
import TourModel
import TourNotebook
import TourStore

// Exporting and importing a notebook.
extension NodeNotebook {
    /// The format of an export.
    package enum ExchangeFormat: String, Sendable {
        case json, csv, gpx
    }

    /// Imports the entries of a file that are not here yet. Importing the same file again changes nothing.
    /// - Parameters:
    ///   - placesOnly: ignores all other entries; the categories of places are imported.
    ///   - replaces: an existing item that is the same thing as an entry gets the entry's content.
    /// - Throws: `bad-import`; `item-changed` when a sync came between: nothing was imported then.
    package func importFile(
        _ bytes: [UInt8], _ format: ImportFormat, placesOnly: Bool, replaces: Bool
    ) async throws -> NotebookImport {
        let now = Self.now
        let seed = newSeed()
        let plan = try await besideTheLoop { store in
            do {
                var imported = try Self.read(bytes, format)
                if placesOnly { imported.keepPlaces() }
                let gone = try store.deletedNotebookIDs(among: Set(imported.entries.compactMap(\.id)))
                let held = try NotebookDocument.kinds.flatMap { try store.notebook($0).map(\.item) }
                var rng = SplitMix64(seed: seed)
                return try NotebookImport(imported, held: held, replaces: replaces, now: now, using: &rng) {
                    gone.contains($0)
                }
            } catch let fault as ImportFault {
                throw NodeError.notebook(.badImport(fault))
            }
        }
        try await besideTheLoop { store in
            let edits = plan.additions.map { NotebookEdit.put($0.id, $0.content) }
            let changes = plan.changes.map { NotebookEdit.put($0.id, $0.after) }
            let before = Dictionary(plan.changes.map { ($0.id, $0.before) }) { first, _ in first }
            try store.editNotebook(edits + changes, expecting: before, now: now)
        }
        if !plan.additions.isEmpty || !plan.changes.isEmpty { recordEdit() }
        return plan
    }

    private static func read(_ bytes: [UInt8], _ format: ImportFormat) throws -> ImportedNotebook {
        switch format {
        case .csv: return try NotebookCSV.read(bytes)
        case .gpx: return try GPX.read(bytes)
        case .kml: return try KML.read(bytes)
        case .kmz: return try KML.read(packed: bytes)
        case .html: return try Bookmarks.read(bytes)
        case .json:
            do { return try JSONDecoder().decode(NotebookDocument.self, from: Data(bytes)).imported } catch {
                throw error is ImportFault ? error : ImportFault.unreadable
            }
        }
    }

    /// - Parameter placesOnly: saved places and their categories.
    package func export(_ format: ExchangeFormat, placesOnly: Bool) async throws -> NotebookExport {
        let placesOnly = placesOnly || format == .gpx
        let items = try await besideTheLoop { store in
            try NotebookDocument.kinds.filter { !placesOnly || [.place, .category].contains($0) }
                .flatMap { try store.notebook($0).map(\.item) }
        }
        return NotebookExport(items, format, placesOnly: placesOnly)
    }
}
