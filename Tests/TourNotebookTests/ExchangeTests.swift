import Foundation
import Testing
import TourModel
import TourNotebook

/// Goal: a notebook that goes out comes in as it was; what is none is refused, and single entries that are none sink no
/// others. Method: a notebook with something of everything, written and read; documents and tables made by hand.
struct ExchangeTests {
    private static var contents: [NotebookID: NotebookContent] {
        Dictionary(uniqueKeysWithValues: Sample.items.map { ($0.id, $0.content) })
    }

    @Test func aDocumentReadsBack() throws {
        let imported = try Sample.read(json: Sample.json(Sample.items))
        #expect(imported.skipped == [])
        let plan = try Sample.plan(imported)
        #expect(Sample.after(plan, []) == Self.contents)
        #expect(plan.additions.count == Sample.items.count && plan.unchanged == 0)
    }

    @Test func aTableReadsBack() throws {
        let imported = try NotebookCSV.read(Sample.csv(Sample.items))
        #expect(imported.skipped == [])
        var wanted = Self.contents
        wanted[Sample.id(9)] = nil
        let plan = try Sample.plan(imported)
        // When a stop came into its itinerary the table does not say.
        let after = Sample.after(plan, []).mapValues { content -> NotebookContent in
            guard case .itinerary(var itinerary) = content else { return content }
            itinerary.stops = itinerary.stops.map { .init(id: $0.id, addedAt: 1_780_300_800) }
            return .itinerary(itinerary)
        }
        #expect(after == wanted)
    }

    @Test func aTableOfPlacesReadsBack() throws {
        let imported = try NotebookCSV.read(Sample.csv(Sample.items.filter { $0.kind == .place }, placesOnly: true))
        #expect(imported.entries.map(\.content.title) == [Sample.evil, "Kız Kulesi"])
        let held = Sample.items
        let table = try NotebookCSV.read(Sample.csv(held, placesOnly: true))
        #expect(table.entries.filter { $0.content.kind == .place }.map(\.category) == ["Sights, \"high\"", nil])
    }

    @Test func anExportBesideItselfChangesNothing() throws {
        let held = Sample.items
        for imported in [
            try Sample.read(json: Sample.json(held)), try NotebookCSV.read(Sample.csv(held)),
            try GPX.read(Sample.gpx(held)),
        ] {
            let plan = try Sample.plan(imported, held: held, replaces: true)
            #expect(plan.additions.map(\.content.title) == [] && plan.changes == [] && plan.skipped == [])
            #expect(plan.unchanged == imported.entries.count && plan.different == 0)
        }
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"format":"other","version":1}"#, #"{"format":"tour-chat-notebook"}"#,
        #"{"format":"tour-chat-notebook","version":1,"notes":{}}"#,
    ])
    func whatIsNoDocumentIsRefused(text: String) {
        #expect(throws: (any Error).self) { try Sample.read(json: Array(text.utf8)) }
    }

    @Test func aLaterDocumentIsRefused() {
        let text = #"{"format":"tour-chat-notebook","version":2,"notes":[]}"#
        #expect(throws: ImportFault.newer) { try Sample.read(json: Array(text.utf8)) }
    }

    @Test func everyCutDocumentIsRefused() throws {
        let bytes = try Sample.json(Sample.items)
        for end in stride(from: 0, to: bytes.count - 2, by: 97) {
            #expect(throws: (any Error).self) { try Sample.read(json: Array(bytes[..<end])) }
        }
    }

    @Test func oneBadItemSinksNoOther() throws {
        let id = Sample.id(1).text
        let text = """
            {"format":"tour-chat-notebook","version":1,"bookmarks":[
            {"id":"x","title":"no id"},{"id":"\(id)"},{"id":"\(id)","title":" "},7,
            {"id":"\(id)","title":"long","tags":["\(String(repeating: "x", count: 129))"]},{"id":"\(id)","title":"good"}
            ],"later":[1]}
            """
        let imported = try Sample.read(json: Array(text.utf8))
        #expect(imported.entries.map(\.content.title) == ["good"])
        #expect(imported.skipped.map(\.number) == [1, 2, 3, 4, 5])
        #expect(imported.skipped.map(\.title) == ["no id", "", " ", "", "long"])
        #expect(
            imported.skipped.map(\.fault) == [
                .item(.notAllowed(field: "id")), .missing(field: "title"), .item(.empty(field: "title")),
                .noItem, .item(.tooLong(field: "tags", max: Limits.notebookWordBytesMax)),
            ])
    }

    @Test func tablesOfOthersAreRead() throws {
        let text = """
            Name;LAT;Lng;Tags;stars
            Cafe;41,5;-2,25;x;y
            Pier;41,5,1;2;x;y
            Museum;48.8584;2.2945;"art, old";z
            Harbour;;;;
            ;1;2;;
            """
        let imported = try NotebookCSV.read(text.utf8)
        #expect(imported.entries.map(\.content.title) == ["Cafe", "Museum", "Harbour", "1,2"])
        guard case .place(let cafe)? = imported.entries.first?.content else { return }
        #expect(cafe.url == "geo:41.5,-2.25")
        #expect(
            imported.entries[1].content
                == .place(
                    SavedPlace(title: "Museum", url: "geo:48.8584,2.2945", source: "import", tags: ["art", "old"])))
        #expect(imported.skipped.map(\.number) == [2])
        #expect(throws: ImportFault.noHeader) { try NotebookCSV.read("a,b\n1,2\n".utf8) }
        #expect(throws: ImportFault.noHeader) { try NotebookCSV.read("".utf8) }
    }

    @Test func rowsThatAreNoItemsAreTold() throws {
        let text = """
            kind,id,title,latitude,longitude,time,position
            place,7,A,,,,
            castle,,B,,,,
            stop,,C,,,tomorrow,
            stop,,D,91,0,,
            category,,E,,,,first
            stop,,F,,,2026-06-01T08:00:00Z,
            """
        let imported = try NotebookCSV.read(text.utf8)
        #expect(imported.entries.map(\.content.title) == ["A", "F"] && imported.entries.first?.id == nil)
        #expect(imported.entries.last?.content == .stop(Stop(title: "F", at: 1_780_300_800)))
        #expect(imported.skipped.map(\.title) == ["B", "C", "D", "E"])
        #expect(
            imported.skipped.map(\.fault) == [
                .noKind, .noTime, .noPlace(fields: "latitude, longitude"), .noNumber(field: "position"),
            ])
    }
}
