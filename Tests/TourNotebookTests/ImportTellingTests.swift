import Testing
import TourModel
import TourNotebook

/// Goal: an import loses nothing silently: each entry is taken, left or refused, and each thing that its item does not
/// get is told. Method: tables and lists of points with something missing, too much, or in other words.
struct ImportTellingTests {
    /// The places' addresses, what was lost of each, and the columns that were not read.
    struct Table: Sendable, CustomTestStringConvertible {
        var text: String
        var addresses: [String?]
        var losses: [[EntryLoss]] = []
        var unread: [String] = []
        var faults: [EntryFault] = []

        var testDescription: String { text }
    }

    @Test(arguments: [
        Table(text: "WKT,name\n\"POINT (28.9802 41.0086)\",A\n", addresses: ["geo:41.0086,28.9802"]),
        Table(text: "name,wkt\nA,point(28.5 41)\nB,POINT Z (1 2 3)\n", addresses: ["geo:41,28.5", "geo:2,1"]),
        Table(text: "name,geometry\nA,SRID=4326;POINT(-1e0 2)\nB,\n", addresses: ["geo:2,-1", nil]),
        Table(
            text: "WKT,name\n\"LINESTRING (1 2, 3 4)\",Walk\nPOINT EMPTY,B\n", addresses: [nil, nil],
            losses: [[.noPoint(field: "WKT")], [.noPoint(field: "WKT")]]),
        Table(text: "WKT,name\nPOINT (1 91),A\n", addresses: [nil], losses: [[.noPoint(field: "WKT")]]),
        Table(
            text: "title,latitude,longitude\nA,41.0086,\nB,,28\nC,,\nD,1,2\n",
            addresses: [nil, nil, nil, "geo:1,2"],
            losses: [[.halfPlace(missing: "longitude")], [.halfPlace(missing: "latitude")], [], []]),
        Table(text: "title,lat\nA,41\n", addresses: [nil], losses: [[.halfPlace(missing: "longitude")]]),
        Table(
            text: "title,lon,url\nA,29,https://a.example\n", addresses: ["https://a.example"],
            losses: [[.halfPlace(missing: "latitude")]]),
        Table(text: "title,lat,lon,WKT\nA,1,2,POINT (4 3)\n", addresses: ["geo:1,2"], unread: []),
        Table(
            text: "title,stars,coordinates\nA,5,\"41.0086, 28.9802\"\nB,,\n", addresses: [nil, nil],
            unread: ["stars", "coordinates"]),
        Table(text: "title,stars,\nA,,x\n", addresses: [nil], unread: ["3"]),
        Table(text: "title,name\nA,A\nB,\n", addresses: [nil, nil]),
        Table(text: "title,name\nA,B\n", addresses: [nil], unread: ["name"]),
        Table(text: "title;lat;lon\nPier;41,5;1;2\n", addresses: ["geo:41.5,1"], losses: [[.surplusCells]]),
        Table(text: "title,lat\nA,1,,\n", addresses: [nil], losses: [[.halfPlace(missing: "longitude")]]),
        Table(
            text: "title,lat,lon\nA,91,0\nB,x,0\nC,1,2\n", addresses: ["geo:1,2"],
            faults: [.noPlace(fields: "latitude, longitude"), .noPlace(fields: "latitude, longitude")]),
    ])
    func aTableTellsWhatItLoses(_ table: Table) throws {
        let imported = try NotebookCSV.read(table.text.utf8)
        let plan = try Sample.plan(imported)
        #expect(Self.places(plan).map(\.url) == table.addresses)
        let losses = table.losses.isEmpty ? table.addresses.map { _ in [] } : table.losses
        #expect(plan.rows.filter { $0.result == .added }.map(\.losses) == losses)
        #expect(plan.partial.count == losses.count { !$0.isEmpty })
        #expect(plan.remarks.unreadColumns == table.unread)
        #expect(plan.skipped.map(\.fault) == table.faults)
    }

    @Test func aLinkBesideCoordinatesIsKept() throws {
        let table = """
            title,url,lat,lon,note
            A,https://a.example,1,2,x
            B,https://a.example,1,2,
            C,"geo:1,2;u=9",1,2,
            """
        let places = Self.places(try Sample.plan(try NotebookCSV.read(table.utf8)))
        #expect(places.map(\.note) == ["x\nhttps://a.example", "https://a.example", nil])
        #expect(Set(places.map(\.url)) == ["geo:1,2"])
    }

    @Test func columnsOfRemarksAreOneNote() throws {
        let table = "title,note,description,notes\nA,one,two,one\nB,,two,\n"
        let imported = try NotebookCSV.read(table.utf8)
        #expect(Self.places(try Sample.plan(imported)).map(\.note) == ["one\ntwo", "two"])
        #expect(imported.remarks.unreadColumns == [])
    }

    @Test func pointsWithoutANameAreCounted() throws {
        let points = (0..<7).map { "<trkpt lat='\($0)' lon='2'><ele>1</ele></trkpt>" }.joined()
        let track = "<gpx><trk><name>Walk</name><trkseg>\(points)</trkseg></trk><wpt lat='1' lon='2'/></gpx>"
        let plan = try Sample.plan(try GPX.read(Array(track.utf8)))
        #expect(plan.remarks.unnamedPoints == 7 && plan.additions.count == 1)
    }

    @Test func otherKindsAreCounted() throws {
        var imported = try NotebookCSV.read("kind,title\nnote,N\nplace,P\nitinerary,I\nstop,S\ncategory,C\n".utf8)
        imported.keepPlaces()
        #expect(imported.remarks.otherKinds == 3 && imported.entries.map(\.content.title) == ["P", "C"])
    }

    private static func waypoint(_ note: String?, _ category: String? = nil) -> String {
        let note = note.map { "<desc>\($0)</desc>" } ?? ""
        let category = category.map { "<type>\($0)</type>" } ?? ""
        return "<gpx><wpt lat='41.0086' lon='28.9802'><name>Blue gate</name>\(note)\(category)</wpt></gpx>"
    }

    @Test(
        arguments: [
            ("Meet at 14:00", nil, "MOVED", nil), (nil, nil, "new", nil), ("gone", nil, nil, nil),
            ("same", "Sights", "same", "Food"), ("same", nil, "same", "Food"), ("same", "Sights", "same", nil),
        ] as [(String?, String?, String?, String?)])
    func anEditedListIsToldOrTaken(_ note: String?, _ category: String?, _ new: String?, _ group: String?) throws {
        let first = try Sample.plan(try GPX.read(Array(Self.waypoint(note, category).utf8)))
        var contents = Sample.after(first, [])
        // Fields that the list cannot hold stay, also when the file's words are taken.
        for (id, content) in contents {
            guard case .place(var place) = content else { continue }
            (place.tags, place.isFavorite, place.isRead) = (["boat"], true, true)
            contents[id] = .place(place)
        }
        let held = Sample.items(contents)
        let edited = try GPX.read(Array(Self.waypoint(new, group).utf8))
        let kept = try Sample.plan(edited, held: held)
        #expect(kept.different == 1 && kept.unchanged == 0 && kept.changes == [])
        #expect(kept.rows.map(\.result) == [.different])
        let taken = try Sample.plan(edited, held: held, replaces: true, seed: 2)
        #expect(taken.different == 0 && taken.changes.count == 1)
        guard case .place(let place)? = taken.changes.first?.after else { return }
        #expect(place.note == new && place.tags == ["boat"] && place.isFavorite && place.isRead)
        let again = try Sample.plan(edited, held: Sample.items(Sample.after(taken, held)), replaces: true, seed: 3)
        #expect(again.unchanged == 1 && again.changes == [] && again.additions.isEmpty)
    }

    @Test func aTableKeepsWhatItHasNoColumnFor() throws {
        let held = Sample.items
        let table = "id,title,note\n\(Sample.id(3).text),Kız Kulesi,new\n"
        let plan = try Sample.plan(try NotebookCSV.read(table.utf8), held: held, replaces: true)
        guard case .place(var place) = held[2].content else { return }
        place.note = "new"
        #expect(plan.changes.map(\.after) == [.place(place)])
    }

    @Test func theSameThingTwiceInAFileIsTold() throws {
        let table = "title,note\nGate,first\nGate,second\nGate,first\n"
        let imported = try NotebookCSV.read(table.utf8)
        let plan = try Sample.plan(imported)
        #expect(plan.rows.map(\.result) == [.added, .skipped, .unchanged])
        #expect(plan.skipped.map(\.fault) == [.twice(number: 1)])
        let again = try Sample.plan(imported, held: Sample.items(Sample.after(plan, [])), replaces: true, seed: 2)
        #expect(again.rows.map(\.result) == [.unchanged, .skipped, .unchanged] && again.changes == [])
    }

    @Test func eachEntryHasARow() throws {
        let table = "title,lat,lon\nA,1,2\nB,91,2\nC,1,\n,,\nA,1,2\n"
        let rows = try Sample.plan(try NotebookCSV.read(table.utf8)).rows
        #expect(rows.map(\.number) == [1, 2, 3, 4, 5])
        #expect(rows.map(\.result) == [.added, .skipped, .added, .skipped, .unchanged])
        #expect(rows.map(\.title) == ["A", "B", "C", "", "A"])
    }

    private static func places(_ plan: NotebookImport) -> [SavedPlace] {
        plan.additions.compactMap { addition in
            guard case .place(let place) = addition.content else { return nil }
            return place
        }
    }
}
