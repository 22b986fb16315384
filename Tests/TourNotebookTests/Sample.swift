import Foundation
import TourModel
import TourNotebook

/// A notebook with something of everything in it, and what is done with such ones in tests.
enum Sample {
    static func id(_ number: UInt64) -> NotebookID { NotebookID(high: 0x4000, low: 1 << 63 | number) }

    static func item(_ number: UInt64, _ content: NotebookContent) -> NotebookItem {
        NotebookItem(id: id(number), content: content, version: 3, createdAt: 1_780_300_800, updatedAt: 1_780_300_900)
    }

    static let evil = "</name><script>alert(\"1\")</script> & 'x' ]]> \u{202E}"

    static var items: [NotebookItem] {
        let place = Coordinate(latitude: 488_584_000, longitude: -22_945_001)
        let lost = LostEdit(item(90, .note(Note(title: "Old", content: "what it said"))), .overruled)
        return [
            item(1, .category(PlaceCategory(name: "Sights, \"high\"", icon: "star", color: "#c60", order: 2))),
            item(
                2,
                .place(
                    SavedPlace(
                        categoryID: id(1), title: evil, url: place.map { GeoAddress($0).text },
                        note: "first\nsecond\thttps://a.example\nhttps://museum.example/?a=1&b=<2>", source: "share",
                        isRead: true, isFavorite: true, tags: ["sea view", "a,b", "=1"]))),
            item(3, .place(SavedPlace(title: "Kız Kulesi", url: "https://kule.example", note: "-1"))),
            item(4, .note(Note(title: "=note", content: "line\r\n\"quoted\", <b>bold</b>\u{0b}\n"))),
            item(5, .stop(Stop(title: "東京タワー", note: "'apostrophe", place: place, at: 1_780_304_400))),
            item(6, .stop(Stop(title: "مقهى", materialType: "lunch"))),
            item(7, .itinerary(Itinerary(title: "Tuesday", description: "by boat", stops: entries([5, 6])))),
            item(8, .itinerary(Itinerary(title: "Wednesday", stops: entries([6])))),
        ] + (lost.map { [item(9, .lost($0))] } ?? [])
    }

    static func entries(_ numbers: [UInt64]) -> [Itinerary.Entry] {
        numbers.map { Itinerary.Entry(id: id($0), addedAt: 1_780_300_800) }
    }

    static func json(_ items: [NotebookItem]) throws -> [UInt8] {
        var text = NotebookDocument.start
        for kind in NotebookDocument.kinds {
            let list = try items.filter { $0.kind == kind }
                .map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            text += NotebookDocument.begin(kind) + list.joined(separator: NotebookDocument.separator)
            text += NotebookDocument.endOfList
        }
        return Array((text + NotebookDocument.end).utf8)
    }

    static func csv(_ items: [NotebookItem], placesOnly: Bool = false) -> [UInt8] {
        let table = NotebookCSV(items, placesOnly: placesOnly)
        return Array((table.start + items.map { table.records(of: $0) }.joined()).utf8)
    }

    static func gpx(_ items: [NotebookItem]) -> [UInt8] {
        let writer = GPXWriter(items)
        return Array((writer.start + items.map { writer.waypoint($0) }.joined() + writer.end).utf8)
    }

    static func read(json bytes: [UInt8]) throws -> ImportedNotebook {
        try JSONDecoder().decode(NotebookDocument.self, from: Data(bytes)).imported
    }

    /// The notebook after an import.
    static func after(_ plan: NotebookImport, _ held: [NotebookItem]) -> [NotebookID: NotebookContent] {
        var contents = Dictionary(held.map { ($0.id, $0.content) }) { first, _ in first }
        for addition in plan.additions { contents[addition.id] = addition.content }
        for change in plan.changes { contents[change.id] = change.after }
        return contents
    }

    static func plan(
        _ imported: ImportedNotebook, held: [NotebookItem] = [], replaces: Bool = false, gone: Set<NotebookID> = [],
        seed: UInt64 = 1
    ) throws -> NotebookImport {
        var rng = SplitMix64(seed: seed)
        return try NotebookImport(imported, held: held, replaces: replaces, now: 1_780_400_000, using: &rng) {
            gone.contains($0)
        }
    }

    /// The notebook as items, for another import.
    static func items(_ contents: [NotebookID: NotebookContent]) -> [NotebookItem] {
        contents.map { NotebookItem(id: $0.key, content: $0.value, version: 1, createdAt: 0, updatedAt: 0) }
    }
}
