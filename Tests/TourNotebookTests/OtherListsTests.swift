import Foundation
import Testing
import TourModel
import TourNotebook

/// Goal: maps and bookmarks of other programs come in as they are, and no file can make the readers grow, hang or half
/// take it. Method: files as such programs write them, cut, and hostile.
struct OtherListsTests {
    private static func places(_ imported: ImportedNotebook) -> [SavedPlace] {
        imported.entries.compactMap { entry in
            guard case .place(let place) = entry.content else { return nil }
            return place
        }
    }

    private static func map(_ body: String, root: String = " xmlns=\"http://www.opengis.net/kml/2.2\"") -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml\(root)>\(body)</kml>".utf8)
    }

    private static let point = "<Point><coordinates>28.98,41.01,0</coordinates></Point>"

    /// A placemark, its place, and what is told.
    struct Mark: Sendable {
        var body: String
        var title: String? = "Gate"
        var url = "geo:41.01,28.98"
        var note: String?
        var category: String?
        var losses: [EntryLoss] = []
        var fault: EntryFault?
    }

    private static let marks: [Mark] = [
        Mark(body: "<Placemark><name>Gate</name>\(point)</Placemark>"),
        Mark(body: "<Placemark>\(point)<name> Gate </name></Placemark>"),
        Mark(body: "<Placemark>\(point)</Placemark>", title: "41.01,28.98"),
        Mark(
            body: "<Placemark><name>Gate</name><description>a &lt;b&gt; &amp;amp; c</description>\(point)</Placemark>",
            note: "a  & c"),
        Mark(
            body:
                "<Placemark><name>Gate</name><description><![CDATA[Open till <b>17:00</b><br>x&nbsp;y &eacute;&#33;<p>"
                + "<a href='https://a.example/?a=1&amp;b=2'>site</a><img src='x'></p>1 < 2]]></description>"
                + "\(point)</Placemark>",
            note: "Open till 17:00\nx\u{A0}y é!\nsite https://a.example/?a=1&b=2\n1 < 2"),
        Mark(
            body:
                "<Document><name>Trip</name><Folder><name>Day 2</name><Placemark><name>Gate</name>\(point)</Placemark>"
                + "</Folder></Document>", category: "Day 2"),
        Mark(
            body: "<Folder><name>Trip</name><Folder><Placemark><name>Gate</name>\(point)</Placemark></Folder></Folder>",
            category: "Trip"),
        Mark(
            body:
                "<Folder><name>A</name></Folder><Folder><name>B</name><Folder><name>C</name><Placemark>"
                + "<name>Gate</name>"
                + "\(point)</Placemark></Folder></Folder>", category: "B / C"),
        Mark(
            body:
                "<Placemark><name>Gate</name><MultiGeometry><Point><coordinates>\n28.98,41.01 </coordinates></Point>"
                + "<Point>"
                + "<coordinates>1,2</coordinates></Point></MultiGeometry></Placemark>", losses: [.morePoints]),
        Mark(
            body: "<Placemark><name>Gate</name><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>",
            fault: .noPoint),
        Mark(body: "<Placemark><name>Gate</name></Placemark>", fault: .noPoint),
        Mark(
            body: "<Placemark><name>Gate</name><Point><coordinates>200,1</coordinates></Point></Placemark>",
            fault: .noPlace(fields: "coordinates")),
        Mark(
            body: "<Placemark><name>Gate</name><Point><coordinates>28.98</coordinates></Point></Placemark>",
            fault: .noPlace(fields: "coordinates")),
        Mark(
            body: "<Placemark><name>Gate</name><Style><name>x</name></Style><x:name xmlns:x='y'>z</x:name>\(point)"
                + "</Placemark>"),
    ]

    @Test(arguments: marks)
    func mapsAreRead(_ mark: Mark) throws {
        for root in [" xmlns=\"http://www.opengis.net/kml/2.2\"", " xmlns=\"http://earth.google.com/kml/2.1\"", ""] {
            let imported = try KML.read(Self.map(mark.body, root: root))
            #expect(imported.skipped.map(\.fault) == (mark.fault.map { [$0] } ?? []))
            guard mark.fault == nil else { continue }
            let place = SavedPlace(title: mark.title ?? "", url: mark.url, note: mark.note, source: "import")
            #expect(Self.places(imported) == [place])
            #expect(imported.entries.map(\.category) == [mark.category])
            #expect(imported.entries.map(\.losses) == [mark.losses])
        }
    }

    @Test(arguments: [
        "", "<kml", "<html/>", "<gpx/>", "<kml xmlns='x'/>", "<kml><Placemark></kml>", "<kml></kml><kml/>",
        "<!DOCTYPE kml [<!ENTITY a \"x\">]><kml><Placemark><name>&a;</name></Placemark></kml>",
    ])
    func whatIsNoMapIsRefused(_ text: String) {
        #expect(throws: ImportFault.self) { try KML.read(Array(text.utf8)) }
    }

    /// With a picture, compressed; with a comment, not compressed; without a map.
    private static let packed: [[UInt8]] = [packedWithPicture, packedWithComment, packedWithoutMap].compactMap {
        Data(base64Encoded: $0, options: .ignoreUnknownCharacters).map { Array($0) }
    }
    private static let packedWithPicture = """
        UEsDBBQAAAAIAAAAIVx3c2UwCQAAAKAAAAAMAAAAaW1hZ2VzL2EucG5n6wzwc+8cxBgAUEsDBBQAAAAIAAAAIVxtrY2pTgAA
        AGkAAAAHAAAAZG9jLmttbLPJzs2xswnISUxOzU0syrazyUvMTbVzTkw7vNJGH8y2CcjPzCuxs0nOzy9KycxLLEkttjOy0LO0
        0DEx1DMwtNFHlrDRh6rWRzJSH2QHAFBLAQIUAxQAAAAIAAAAIVx3c2UwCQAAAKAAAAAMAAAAAAAAAAAAAACAAQAAAABpbWFn
        ZXMvYS5wbmdQSwECFAMUAAAACAAAACFcba2NqU4AAABpAAAABwAAAAAAAAAAAAAAgAEzAAAAZG9jLmttbFBLBQYAAAAAAgAC
        AG8AAACmAAAAAAA=
        """
    private static let packedWithComment = """
        UEsDBBQAAAAAAAAAIVxtrY2paQAAAGkAAAAHAAAATWFwLktNTDxrbWw+PFBsYWNlbWFyaz48bmFtZT5DYWbDqTwvbmFtZT48
        UG9pbnQ+PGNvb3JkaW5hdGVzPjI4Ljk4LDQxLjAxPC9jb29yZGluYXRlcz48L1BvaW50PjwvUGxhY2VtYXJrPjwva21sPlBL
        AQIUAxQAAAAAAAAAIVxtrY2paQAAAGkAAAAHAAAAAAAAAAAAAACAAQAAAABNYXAuS01MUEsFBgAAAAABAAEANQAAAI4AAAAJ
        AGEgY29tbWVudA==
        """
    private static let packedWithoutMap = """
        UEsDBBQAAAAAAAAAIVyDFtyMAQAAAAEAAAAKAAAAcmVhZG1lLnR4dHhQSwECFAMUAAAAAAAAACFcgxbcjAEAAAABAAAACgAA
        AAAAAAAAAAAAgAEAAAAAcmVhZG1lLnR4dFBLBQYAAAAAAQABADgAAAApAAAAAAA=
        """

    @Test func packedMapsAreRead() throws {
        #expect(Self.packed.count == 3)
        for bytes in Self.packed.prefix(2) {
            #expect(Self.places(try KML.read(packed: bytes)).map(\.title) == ["Café"])
        }
        #expect(throws: ImportFault.unreadable) { try KML.read(packed: Self.packed[2]) }
        #expect(throws: ImportFault.unreadable) { try KML.read(packed: Array("<kml/>".utf8)) }
        #expect(throws: ImportFault.unreadable) { try KML.read(packed: []) }
    }

    @Test func noDamagedArchiveIsHalfTaken() throws {
        for bytes in Self.packed.prefix(2) {
            for end in 0..<(bytes.count - 9) {
                #expect(throws: ImportFault.self) { try KML.read(packed: Array(bytes[..<end])) }
            }
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 0xFF
                // Whatever it is, it is one of the two, and soon.
                do throws(ImportFault) { #expect(try KML.read(packed: changed).entries.count <= 1) } catch {
                    #expect("\(error)" != "")
                }
            }
        }
    }

    private static func page(_ body: String) -> [UInt8] {
        Array("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Menu</H1>\n\(body)".utf8)
    }

    @Test func bookmarksAreRead() throws {
        let body = """
            <DL><p>
                <DT><H3 ADD_DATE="1700000000">Trip</H3>
                <DL><p>
                    <DT><A HREF="https://museum.example/?a=1&amp;b=2" TAGS="tickets,day 2">Museum &amp; tickets</A>
                    <DD>Group desk
                    <DT><A HREF="https://ferry.example/" ADD_DATE="1700000200"></A>
                    <HR>
                    <DT><H3>Food &lt;3</H3>
                    <DD>Where to eat
                    <DL><p>
                        <dt><a href='https://cafe.example/' icon="data:image/png;base64,a>b">Café am Hafen</a>
                    </DL><p>
                    <DT><A HREF=https://back.example/>Back</A>
                </DL><p>
                <DT><A HREF="place:sort=8&maxResults=10">Most visited</A>
                <DT><A HREF="javascript:alert(1)">Script</A>
                <!-- <A HREF="https://comment.example/">no</A> -->
                <DT><A>Nothing</A>
                <DT><A HREF="https://root.example/">Root</A>
            </DL><p>
            """
        let imported = try Bookmarks.read(Self.page(body))
        #expect(
            Self.places(imported) == [
                SavedPlace(
                    title: "Museum & tickets", url: "https://museum.example/?a=1&b=2", note: "Group desk",
                    source: "import", tags: ["tickets", "day 2"]),
                SavedPlace(title: "https://ferry.example/", url: "https://ferry.example/", source: "import"),
                SavedPlace(title: "Café am Hafen", url: "https://cafe.example/", source: "import"),
                SavedPlace(title: "Back", url: "https://back.example/", source: "import"),
                SavedPlace(title: "Root", url: "https://root.example/", source: "import"),
            ])
        #expect(imported.entries.map(\.category) == ["Trip", "Trip", "Trip / Food <3", "Trip", nil])
        #expect(imported.skipped.map(\.title) == ["Most visited", "Script", "Nothing"])
        #expect(imported.skipped.allSatisfy { $0.fault == .noAddress })
    }

    private static let longName = String(repeating: "é", count: Limits.notebookTitleBytesMax)

    /// Folders around one entry, from the outside, and the bytes of its category; nil: it has none.
    struct Nesting: Sendable {
        var folders: [String]
        var category: String?
        var bytes: ClosedRange<Int>?
    }

    /// One above the limit; the cut may divide a character.
    private static let tooLong = Limits.notebookTitleBytesMax + 1...Limits.notebookTitleBytesMax + 3

    private static let nestings = [
        Nesting(folders: []), Nesting(folders: ["", " "]), Nesting(folders: ["A", "", "B"], category: "A / B"),
        Nesting(folders: ["x" + longName], bytes: tooLong), Nesting(folders: [longName, longName], bytes: tooLong),
        Nesting(folders: ["A", longName, "B"], bytes: tooLong),
        Nesting(folders: Array(repeating: String(repeating: "n", count: 100), count: 40), bytes: tooLong),
    ]

    @Test(arguments: nestings)
    func pathsOfFoldersAreBounded(_ nesting: Nesting) throws {
        let depth = nesting.folders.count
        let map =
            nesting.folders.map { "<Folder><name>\($0)</name>" }.joined()
            + "<Placemark>\(Self.point)</Placemark>" + String(repeating: "</Folder>", count: depth)
            + "<Placemark>\(Self.point)</Placemark>"
        let page =
            nesting.folders.map { "<H3>\($0)</H3><DL>" }.joined() + "<A HREF=https://a.example>A</A>"
            + String(repeating: "</DL>", count: depth) + "<A HREF=https://b.example>B</A>"
        for imported in [try KML.read(Self.map(map)), try Bookmarks.read(Self.page(page))] {
            let categories = imported.entries.map(\.category)
            #expect(categories.count == 2 && categories.last == .some(nil))
            guard let bytes = nesting.bytes else {
                #expect(categories.first == .some(nesting.category))
                continue
            }
            #expect(bytes.contains(categories.first.flatMap { $0 }?.utf8.count ?? 0))
            #expect(try Sample.plan(imported).skipped.count == 1)
        }
    }

    /// Deeper lists than count are passed over, and their ends with them.
    @Test func deepListsArePassedOver() throws {
        let depth = 1_000
        let open = (0..<depth).map { "<H3>\($0)</H3><DL>" }.joined()
        let body =
            open + "<A HREF=https://a.example>A</A>" + String(repeating: "</DL>", count: depth - 2)
            + "<A HREF=https://b.example>B</A>"
        let categories = try Bookmarks.read(Self.page(body)).entries.map(\.category)
        #expect(categories == [(0..<64).map(String.init).joined(separator: " / "), "0 / 1"])
    }

    private static let longTitle = EntryFault.item(.tooLong(field: "title", max: Limits.notebookTitleBytesMax))
    private static let longNote = EntryFault.item(.tooLong(field: "note", max: Limits.notebookTextBytesMax))
    private static let longTexts: [(String, String, EntryFault?)] = [
        (String(repeating: "t", count: 5_000), "n", longTitle),
        ("t", String(repeating: "n<i>", count: 300_000), longNote),
        // Names of characters count as the characters.
        (String(repeating: "&amp;", count: 1_024), "n", nil),
        (String(repeating: "&amp;", count: 1_025), "n", longTitle),
        (String(repeating: " ", count: 5_000) + "t", "n", nil),
    ]

    @Test(arguments: longTexts)
    func longTextsOfBookmarksAreTold(_ title: String, _ note: String, _ fault: EntryFault?) throws {
        let imported = try Bookmarks.read(Self.page("<DL><DT><A HREF=https://a.example>\(title)</A><DD>\(note)</DL>"))
        #expect(imported.skipped.map(\.fault) == (fault.map { [$0] } ?? []))
        #expect(imported.entries.count == (fault == nil ? 1 : 0))
        #expect(imported.skipped.allSatisfy { $0.title.utf8.count <= Limits.notebookTitleBytesMax + 1 })
    }

    @Test func bookmarksWithoutWordsTakeNoneAway() throws {
        let held = Sample.item(
            1, .place(SavedPlace(title: "A", url: "https://a.example", note: "mine", isRead: true, tags: ["x"])))
        let imported = try Bookmarks.read(Self.page("<DL><DT><A HREF=\"https://a.example\">A</A></DL>"))
        let plan = try Sample.plan(imported, held: [held], replaces: true)
        #expect(plan.unchanged == 1 && plan.changes == [])
    }

    @Test func whatIsNoListOfBookmarksIsRefused() {
        for text in ["", "<html><a href='https://a.example'>x</a></html>", "bookmarks", "\0\0"] {
            #expect(throws: ImportFault.unreadable) { try Bookmarks.read(Array(text.utf8)) }
        }
    }

    @Test(arguments: ["<", "<!--", "<A HREF=\"", "<DL><H3>", "&", "<A HREF=\"https://a\" "])
    func repeatedBeginningsEnd(_ piece: String) throws {
        let imported = try Bookmarks.read(Self.page(String(repeating: piece, count: 20_000)))
        #expect(imported.entries.count <= 20_000)
    }

    @Test func theEndingSaysTheFormat() {
        let endings = ["a.kml", "b.KMZ", "c.html", "d.HTM", "e.tsv", "f.gpx", "g.csv", "h.json", "i.txt", "kml", ""]
        #expect(
            endings.map { ImportFormat(file: $0) }
                == [.kml, .kmz, .html, .html, .csv, .gpx, .csv, .json, nil, nil, nil])
    }
}
