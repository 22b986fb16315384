import Foundation
import FuzzSupport
import TourModel
import TourNotebook

/// A file that somebody brings into a notebook, as the first byte says: a table, waypoints, a document, a map, a
/// packed map or bookmarks. What is taken is written out and read again, and the same file again does nothing.
enum NotebookImportHarness {
    private static let formats = 6
    private static let now = FuzzTour.wall / 1_000

    static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let text = Array(bytes.dropFirst())
        guard let imported = read(text, Int(first) % formats) else { return }
        for entry in imported.entries {
            check((try? entry.content.check()) != nil, "what is no item is taken: \(entry)")
        }
        let items = added(of: imported, to: [])
        guard let document = try? read(written(items), 2), !items.isEmpty || document.entries.isEmpty else {
            return check(items.isEmpty, "a document of ours is not read")
        }
        check(document.entries.count == items.count, "a document of ours is read in part: \(document.skipped)")
        check(added(of: document, to: items).count == items.count, "what is here comes twice by a document")
        let table = NotebookCSV(items)
        let rows = table.start + items.map { table.records(of: $0) }.joined()
        check(read(Array(rows.utf8), 0) != nil, "a table of ours is not read")
        let waypoints = GPXWriter(items)
        let points = waypoints.start + items.map { waypoints.waypoint($0) }.joined() + waypoints.end
        check(read(Array(points.utf8), 1) != nil, "waypoints of ours are not read")
    }

    private static func read(_ bytes: [UInt8], _ format: Int) -> ImportedNotebook? {
        switch format {
        case 0: try? NotebookCSV.read(bytes)
        case 1: try? GPX.read(bytes)
        case 3: try? KML.read(bytes)
        case 4: try? KML.read(packed: bytes)
        case 5: try? Bookmarks.read(bytes)
        default: try? JSONDecoder().decode(NotebookDocument.self, from: Data(bytes)).imported
        }
    }

    /// - Returns: all there is then, in a document's order.
    private static func added(of imported: ImportedNotebook, to held: [NotebookItem]) -> [NotebookItem] {
        var chance = SplitMix64(seed: 1)
        let plan = try? NotebookImport(imported, held: held, replaces: false, now: now, using: &chance) { _ in false }
        let new = (plan?.additions ?? []).map {
            NotebookItem(id: $0.id, content: $0.content, version: 1, createdAt: now, updatedAt: now)
        }
        let items = held + new
        return NotebookDocument.kinds.flatMap { kind in items.filter { $0.kind == kind } }
    }

    private static func written(_ items: [NotebookItem]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        var text = NotebookDocument.start
        for kind in NotebookDocument.kinds {
            text += NotebookDocument.begin(kind)
            let list = try items.filter { $0.kind == kind }.map { try encoder.encode($0) }
            text +=
                list.map { String(decoding: $0, as: UTF8.self) }.joined(separator: NotebookDocument.separator)
                + NotebookDocument.endOfList
        }
        return Array((text + NotebookDocument.end).utf8)
    }
}
