import Testing
import TourModel
import TourNotebook

/// Goal: an import brings what is not here, once, and changes only what it may. Method: a notebook beside files that
/// know some of it, by id, by name, or not at all.
struct ImportTests {
    private static func place(_ title: String, _ url: String? = nil, tags: [String] = []) -> NotebookContent {
        .place(SavedPlace(title: title, url: url, tags: tags))
    }

    private static func entry(_ id: UInt64?, _ content: NotebookContent) -> ImportedNotebook.Entry {
        .init(id: id.map { Sample.id($0) }, content: content, number: 1)
    }

    @Test func titleAndAddressAreEnough() throws {
        let held = [Sample.item(1, Self.place("Tower", "geo:1,2"))]
        let imported = ImportedNotebook(entries: [
            Self.entry(nil, Self.place("Tower", "geo:1,2")), Self.entry(7, Self.place("Tower", "geo:1,2")),
            Self.entry(nil, Self.place("Tower", "geo:1,3")), Self.entry(nil, Self.place("Tower", "geo:1,3")),
            Self.entry(nil, Self.place("Tower")),
        ])
        let plan = try Sample.plan(imported, held: held, replaces: true)
        #expect(plan.additions.map(\.content) == [Self.place("Tower", "geo:1,3"), Self.place("Tower")])
        #expect(plan.unchanged == 3 && plan.changes == [] && plan.different == 0)
    }

    @Test func whatIsHereStaysUnlessReplaced() throws {
        let held = [Sample.item(1, Self.place("Tower")), Sample.item(2, .note(Note(title: "A", content: "")))]
        let imported = ImportedNotebook(entries: [
            Self.entry(1, Self.place("Tour")), Self.entry(2, .note(Note(title: "A", content: ""))),
        ])
        let kept = try Sample.plan(imported, held: held)
        #expect(kept.changes == [] && kept.different == 1 && kept.unchanged == 1 && kept.additions.isEmpty)
        let replaced = try Sample.plan(imported, held: held, replaces: true)
        #expect(replaced.changes.map(\.id) == [Sample.id(1)] && replaced.different == 0)
        #expect(replaced.changes.map(\.before) == [Self.place("Tower")])
        #expect(replaced.changes.map(\.after) == [Self.place("Tour")])
    }

    @Test func whatWasDeletedComesUnderAnotherID() throws {
        let items = Sample.items
        let imported = try Sample.read(json: Sample.json(items))
        let gone = Set(items.map(\.id))
        let plan = try Sample.plan(imported, gone: gone)
        #expect(plan.additions.count == items.count)
        #expect(gone.isDisjoint(with: plan.additions.map(\.id)))
        // What refers to others refers to them as they are called now.
        let ids = Set(plan.additions.map(\.id))
        for addition in plan.additions {
            switch addition.content {
            case .place(let place): #expect(place.categoryID.map { ids.contains($0) } ?? true)
            case .itinerary(let itinerary): #expect(ids.isSuperset(of: itinerary.stops.map(\.id)))
            default: break
            }
        }
    }

    @Test func anIDOfAnotherKindIsNotTaken() throws {
        let held = [Sample.item(1, .note(Note(title: "A", content: "")))]
        let plan = try Sample.plan(ImportedNotebook(entries: [Self.entry(1, Self.place("B"))]), held: held)
        #expect(plan.additions.count == 1 && plan.additions.first?.id != Sample.id(1) && plan.changes == [])
    }

    @Test func categoriesAreMadeOnce() throws {
        var entries = [
            Self.entry(nil, Self.place("A")), Self.entry(nil, Self.place("B")), Self.entry(nil, Self.place("C")),
        ]
        for index in 0..<2 { entries[index].category = "Sights" }
        entries[2].category = "Food"
        let food = PlaceCategory(name: "Food", icon: "", color: "", order: 0)
        let plan = try Sample.plan(ImportedNotebook(entries: entries), held: [Sample.item(1, .category(food))])
        let made = plan.additions.filter { $0.content.kind == .category }
        #expect(made.map(\.content.title) == ["Sights"])
        let used = plan.additions.compactMap { addition -> NotebookID? in
            guard case .place(let place) = addition.content else { return nil }
            return place.categoryID
        }
        #expect(used == made.map(\.id) + made.map(\.id) + [Sample.id(1)])
    }

    @Test func aTableOfStopsMakesItsItinerary() throws {
        let text = """
            kind,title,itinerary,position
            stop,Hotel,Tuesday,3
            stop,Gate,Tuesday,1
            stop,Museum,Tuesday,2
            stop,Hotel,Tuesday,4
            stop,Gate,Wednesday,
            stop,Nowhere,00000000-0000-4000-8000-000000000000,
            """
        let imported = try NotebookCSV.read(text.utf8)
        let plan = try Sample.plan(imported)
        let after = Sample.after(plan, [])
        let titles = after.values.compactMap { content -> [String]? in
            guard case .itinerary(let itinerary) = content, itinerary.title == "Tuesday" else { return nil }
            return itinerary.stops.compactMap { after[$0.id]?.title }
        }
        #expect(titles == [["Gate", "Museum", "Hotel", "Hotel"]])
        #expect(plan.skipped.map(\.title) == ["Nowhere"])
        let again = try Sample.plan(imported, held: Sample.items(after), seed: 2)
        #expect(again.additions.isEmpty && again.changes == [] && again.unchanged == 5)
    }

    @Test func whenAStopCameInMakesNoDifference() throws {
        let held = try Sample.plan(try NotebookCSV.read(Sample.csv(Sample.items)))
        let items = Sample.items(Sample.after(held, []))
        let plan = try Sample.plan(try Sample.read(json: Sample.json(Sample.items)), held: items, replaces: true)
        // What lost a conflict is not in a table.
        #expect(plan.additions.map(\.content.kind) == [.lost] && plan.changes.map(\.id) == [] && plan.different == 0)
    }

    @Test func anotherStopComesBehindThose() throws {
        let held = Sample.items
        let text = "kind,title,itinerary\nstop,New,Tuesday\nstop,New too,\(Sample.id(7).text)\n"
        let plan = try Sample.plan(try NotebookCSV.read(text.utf8), held: held)
        #expect(plan.additions.map(\.content.title) == ["New", "New too"] && plan.changes.map(\.id) == [Sample.id(7)])
        guard case .itinerary(let itinerary)? = plan.changes.first?.after else { return }
        #expect(itinerary.stops.map(\.id) == [Sample.id(5), Sample.id(6)] + plan.additions.map(\.id))
    }

    @Test func anItineraryTakesNoMoreThanItHolds() throws {
        let rows = (0..<2_005).map { "stop,S\($0),Long,\($0 + 1)" }
        let text = "kind,title,itinerary,position\n" + rows.joined(separator: "\n")
        let plan = try Sample.plan(try NotebookCSV.read(text.utf8))
        #expect(plan.skipped.count == 5)
        let longest = plan.additions.compactMap { addition -> Int? in
            guard case .itinerary(let itinerary) = addition.content else { return nil }
            return itinerary.stops.count
        }
        #expect(longest == [Limits.notebookStopsMax])
    }

    @Test func aNotebookTakesNoMoreThanItHolds() throws {
        let held = (0..<UInt64(Limits.notebookItemsMax)).map {
            Sample.item($0, .note(Note(title: "A", content: "")))
        }
        #expect(throws: ImportFault.tooMany) {
            try Sample.plan(ImportedNotebook(entries: [Self.entry(nil, Self.place("B"))]), held: held)
        }
    }
}
