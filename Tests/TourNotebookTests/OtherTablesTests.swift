import Testing
import TourModel
import TourNotebook

/// Goal: the tables that other programs write are read as they are, and so are ours after a spreadsheet saved them.
/// Method: the first lines, separators, encodings and forms of times that such programs write.
struct OtherTablesTests {
    private static func places(_ bytes: [UInt8]) throws -> [SavedPlace] {
        try NotebookCSV.read(bytes).entries.compactMap { entry in
            guard case .place(let place) = entry.content else { return nil }
            return place
        }
    }

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { unit in
            let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
            return isLittle ? [low, high] : [high, low]
        }
    }

    /// As bytes, from a text of Latin letters.
    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
    }

    private static let cafe = SavedPlace(
        title: "Café 1 €", url: "geo:41.0086,28.9802", note: "röstet", source: "import")

    @Test(arguments: [
        Array("title,latitude,longitude,note\nCafé 1 €,41.0086,28.9802,röstet\n".utf8),
        Array("\u{FEFF}title;latitude;longitude;note\r\nCafé 1 €;41,0086;28,9802;röstet\r\n".utf8),
        Array("sep=;\r\ntitle;latitude;longitude;note\r\nCafé 1 €;41,0086;28,9802;röstet\r\n".utf8),
        Array("\u{FEFF}sep=|\ntitle|latitude|longitude|note\nCafé 1 €|41,0086|28,9802|röstet\n".utf8),
        Array("\"SEP=,\"\ntitle,latitude,longitude,note\nCafé 1 €,41.0086,28.9802,röstet\n".utf8),
        Array("sep=\t\rtitle\tlatitude\tlongitude\tnote\rCafé 1 €\t41,0086\t28,9802\tröstet\r".utf8),
        utf16("title\tlatitude\tlongitude\tnote\r\nCafé 1 €\t41,0086\t28,9802\tröstet\r\n", isLittle: true),
        utf16("title,latitude,longitude,note\nCafé 1 €,41.0086,28.9802,röstet", isLittle: false),
        utf16("sep=;\ntitle;latitude;longitude;note\nCafé 1 €;41,0086;28,9802;röstet", isLittle: true),
        latin("title;latitude;longitude;note\r\nCafé 1 €;41,0086;28,9802;röstet\r\n"),
        latin("sep=;\r\ntitle;latitude;longitude;note\r\nCafé 1 €;41,0086;28,9802;röstet\r\n"),
        latin("WKT,name,description\n\"POINT (28.9802 41.0086)\",Café 1 €,röstet\n"),
    ])
    func encodingsAndSeparatorsAreRead(_ bytes: [UInt8]) throws {
        #expect(try Self.places(bytes) == [Self.cafe])
    }

    @Test func aGuessIsTold() throws {
        #expect(try NotebookCSV.read(Self.latin("title\nCafé\n")).remarks.isEncodingGuessed)
        #expect(try !NotebookCSV.read("title\nCafé\n".utf8).remarks.isEncodingGuessed)
        #expect(try !NotebookCSV.read(Self.utf16("title\nCafé\n", isLittle: true)).remarks.isEncodingGuessed)
    }

    @Test func whatIsNoTextIsRefused() {
        #expect(throws: ImportFault.unreadable) { try NotebookCSV.read(Array("title\nA\0\n".utf8)) }
        let cut = Array(Self.utf16("title\nCafé\n", isLittle: true).dropLast())
        #expect(throws: ImportFault.malformed(line: 2)) { try NotebookCSV.read(cut) }
        #expect(throws: ImportFault.malformed(line: 1)) { try NotebookCSV.read([0xFF, 0xFE, 0x00, 0xD8, 0x61, 0x00]) }
        #expect(throws: ImportFault.self) { try NotebookCSV.read([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A]) }
    }

    @Test func bookmarksOfOthersAreRead() throws {
        let table = """
            title,url,time_added,tags,status
            Ferry,https://ferry.example/,1700000000,boat|day 2|old town,unread
            "Tower, hours",https://tower.example/,1700000001,,archive
            ,https://bare.example/path,1700000002,,unread
            """
        let imported = try NotebookCSV.read(table.utf8)
        #expect(imported.remarks.unreadColumns == ["time_added"] && imported.skipped == [])
        let places = try Self.places(Array(table.utf8))
        #expect(places.map(\.title) == ["Ferry", "Tower, hours", "https://bare.example/path"])
        #expect(places.map(\.tags) == [["boat", "day 2", "old town"], [], []])
        #expect(places.map(\.isRead) == [false, true, false])
    }

    @Test func foreignIDsAndFoldersAreNoFaults() throws {
        let table = """
            id,title,note,excerpt,url,folder,tags,created,favorite
            912,Tickets,"Desk
            left",Times,https://museum.example/,Trip / Day 2,"tickets, day 2",2026-05-01T10:00:00.000Z,true
            x-1,Ferry,,Boats,https://ferry.example/,Unsorted,a;b,,false
            00000000-0000-4000-8000-000000000001,Own,,,,,a;b,,maybe
            """
        let imported = try NotebookCSV.read(table.utf8)
        #expect(imported.skipped == [] && imported.remarks.unreadColumns == ["created", "favorite"])
        #expect(imported.entries.map(\.category) == ["Trip / Day 2", "Unsorted", nil])
        #expect(imported.entries.map { $0.id == nil } == [true, true, false])
        let places = try Self.places(Array(table.utf8))
        #expect(places.map(\.note) == ["Desk\nleft\nTimes", "Boats", nil])
        #expect(places.map(\.tags) == [["tickets", "day 2"], ["a", "b"], ["a;b"]])
        #expect(places.map(\.isFavorite) == [true, false, false])
    }

    /// A first line may repeat a name without an end: some of these columns are read, and the others are told.
    @Test(arguments: ["note", "title", "tags", "read"])
    func columnsOfOneMeaningAreBounded(_ name: String) throws {
        let count = 20_000
        let head = Array(repeating: name, count: count).joined(separator: ",")
        let cells = (0..<count).map { name == "read" ? "yes" : "\($0 / 2)" }.joined(separator: ",")
        let table = Array("url,\(head)\nhttps://a.example,\(cells)\n".utf8)
        let imported = try NotebookCSV.read(table)
        #expect(imported.remarks.unreadColumns == Array(repeating: name, count: ImportedNotebook.Remarks.columnsMax))
        #expect(imported.entries.count == 1 && imported.skipped == [])
        let note = (0..<8).map(String.init).joined(separator: "\n")
        #expect(try Self.places(table).map(\.note) == [name == "note" ? note : nil])
    }

    @Test func aPlaceWithoutATitleHasOne() throws {
        let long = "https://a.example/" + String(repeating: "é", count: Limits.notebookTitleBytesMax)
        let places = try Self.places(Array("url,lat,lon\n\(long),,\n,1,2\n,,\n".utf8))
        #expect(places.map { $0.title.utf8.count <= Limits.notebookTitleBytesMax } == [true, true])
        #expect(places.first.map { long.hasPrefix($0.title) } == true && places.last?.title == "1,2")
    }

    @Test func whatAKindHasNoPlaceForIsTold() throws {
        let table = "kind,title,url,time,position\nplace,P,https://a.example,2026-06-01,\nnote,N,https://a.example,,\n"
        #expect(try NotebookCSV.read(table.utf8).remarks.unreadColumns == ["url", "time"])
        #expect(try NotebookCSV.read(Sample.csv(Sample.items)).remarks.unreadColumns == [])
    }

    /// 2026-06-01T08:00:00Z.
    private static let eight: Int64 = 1_780_300_800

    @Test(
        arguments: [
            ("2026-06-01T08:00:00Z", eight, false), ("2026-06-01T08:00:00.25Z", eight, false),
            ("2026-06-01T10:00:00+02:00", eight, false), ("2026-06-01 03:30:00 -0430", nil, false),
            ("2026-06-01T03:30-0430", eight, false), ("2026-06-01T08:00Z", eight, false),
            ("2026-06-01 08:00", eight, true), ("2026-06-01 08:00:00", eight, true), ("2026/6/1 8:00", eight, true),
            ("01.06.2026 08:00", eight, true), ("1.6.2026 8:00:00", eight, true), ("01.06.2026, 08:00", eight, true),
            ("31/05/2026 08:00", eight - 86_400, true), ("5/31/2026 8:00 AM", eight - 86_400, true),
            ("5/31/2026 8:00:00\u{202F}pm", eight - 43_200, true), ("06/06/2026 12:00 AM", eight + 403_200, true),
            ("01.06.2026", eight - 28_800, true), ("30-05-2026 08:00", eight - 172_800, true),
            ("01/02/2026 08:00", nil, false), ("31.02.2026 08:00", nil, false), ("13/13/2026 08:00", nil, false),
            ("01.06.26 08:00", nil, false), ("46174.3333", nil, false), ("tomorrow", nil, false),
            ("01.06.2026 25:00", nil, false), ("01.06.2026 13:00 PM", nil, false), ("01.06.2026 PM", nil, false),
            ("2026-06-01T08:00+99:00", nil, false), ("2026-06-01T", eight - 28_800, true), ("-1.-6.2026", nil, false),
        ] as [(String, Int64?, Bool)])
    func formsOfTimesAreRead(_ text: String, _ seconds: Int64?, _ isWithoutZone: Bool) throws {
        let table = "kind;title;time\nstop;A;\(text)\n"
        let imported = try NotebookCSV.read(table.utf8)
        let at = imported.entries.first.flatMap { entry -> Int64? in
            guard case .stop(let stop) = entry.content else { return nil }
            return stop.at
        }
        #expect(at == seconds)
        #expect(imported.skipped.map(\.fault) == (seconds == nil ? [.noTime] : []))
        #expect(imported.entries.flatMap(\.losses) == (isWithoutZone ? [.noZone] : []))
    }

    @Test func aTableOfOursThatASpreadsheetSavedIsRead() throws {
        let id = Sample.id(20).text
        let table = """
            \u{FEFF}kind;id;title;url;latitude;longitude;time;category;tags;note;favorite;read;source;type;\
            itinerary;position
            stop;\(Sample.id(21).text);浅草寺;;35,7148;139,7967;01.12.2026 09:00;;;;;;;stop;\(id);1
            itinerary;\(id);Day 2;;;;;;;;;;;;;
            """
        let plan = try Sample.plan(try NotebookCSV.read(table.utf8))
        #expect(plan.skipped == [] && plan.additions.count == 2 && plan.partial.map(\.losses) == [[.noZone]])
        let place = Coordinate(degreesNorth: 35.7148, degreesEast: 139.7967)
        #expect(plan.additions.first?.content == .stop(Stop(title: "浅草寺", place: place, at: 1_796_115_600)))
    }
}
