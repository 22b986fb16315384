import Testing
import TourModel
import TourNotebook

/// Goal: places of other programs come in as they are, and no file can make the reader grow, hang or half take it.
/// Method: files as devices write them, whole, cut and hostile.
struct GPXTests {
    private static func document(_ body: String, root: String = "xmlns=\"http://www.topografix.com/GPX/1/1\"")
        -> [UInt8]
    {
        Array("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"x\" \(root)>\(body)</gpx>".utf8)
    }

    private static func places(_ body: String) throws -> [SavedPlace] { places(try GPX.read(document(body))) }

    private static func places(_ imported: ImportedNotebook) -> [SavedPlace] {
        imported.entries.compactMap { entry in
            guard case .place(let place) = entry.content else { return nil }
            return place
        }
    }

    @Test func waypointsAreRead() throws {
        let imported = try GPX.read(
            Self.document(
                """
                <metadata><name>All of it</name></metadata>
                <wpt lat="48.8584" lon="2.2945"><ele>33</ele><time>2026-06-01T08:00:00Z</time>
                  <name> Tour <![CDATA[& <Eiffel>]]> </name><cmt>unused</cmt><desc>High&#10;&amp; old</desc>
                  <link href="https://tower.example/?a=1&amp;b=2"><text>Site</text></link><type>Sights</type>
                  <extensions><name>inner</name></extensions></wpt>
                <wpt lon="-0.5" lat="-33.85"/>
                <rte><name>Route</name><rtept lat="1" lon="2"><name>Gate</name></rtept><rtept lat="1" lon="3"/></rte>
                <trk><trkseg><trkpt lat="4" lon="5"><cmt>no name</cmt></trkpt>
                <trkpt lat="4" lon="6"><name>Ferry</name></trkpt></trkseg></trk>
                """))
        #expect(
            Self.places(imported) == [
                SavedPlace(
                    title: "Tour & <Eiffel>", url: "geo:48.8584,2.2945",
                    note: "High\n& old\nhttps://tower.example/?a=1&b=2", source: "import"),
                SavedPlace(title: "-33.85,-0.5", url: "geo:-33.85,-0.5", source: "import"),
                SavedPlace(title: "Gate", url: "geo:1,2", source: "import"),
                SavedPlace(title: "Ferry", url: "geo:4,6", source: "import"),
            ])
        #expect(imported.entries.map(\.category) == ["Sights", nil, nil, nil])
        #expect(imported.skipped == [])
    }

    @Test func namespacesAreHeeded() throws {
        let body =
            "<g:wpt lat=\"1\" lon=\"2\"><g:name>In</g:name><x:name>Out</x:name></g:wpt><x:wpt lat=\"1\" lon=\"2\"/>"
        let root = "xmlns:g=\"http://www.topografix.com/GPX/1/0\" xmlns:x=\"https://x.example\""
        let text = "<g:gpx \(root)>\(body)</g:gpx>"
        #expect(Self.places(try GPX.read(Array(text.utf8))).map(\.title) == ["In"])
        let bare = "<gpx><wpt lat='1' lon='2'><name>Bare</name><url>https://a.example</url></wpt></gpx>"
        #expect(Self.places(try GPX.read(Array(bare.utf8))).map(\.note) == ["https://a.example"])
    }

    @Test func otherEncodingsAreRead() throws {
        let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx><wpt lat=\"1\" lon=\"2\"><name>Caf"
        let bytes = Array(text.utf8) + [0xE9] + Array("</name></wpt></gpx>".utf8)
        #expect(Self.places(try GPX.read(bytes)).map(\.title) == ["Café"])
    }

    @Test(arguments: ["lat=\"91\" lon=\"0\"", "lat=\"x\" lon=\"0\"", "lat=\"1\"", "", "lat=\"1e1\" lon=\"nan\""])
    func whatIsNoPlaceIsTold(attributes: String) throws {
        let imported = try GPX.read(
            Self.document("<wpt \(attributes)><name>A</name></wpt><wpt lat=\"1\" lon=\"2\"><name>B</name></wpt>"))
        #expect(imported.entries.map(\.content.title) == ["B"])
        #expect(imported.skipped.map(\.title) == ["A"] && imported.skipped.map(\.number) == [1])
    }

    @Test func whatIsTooLongIsTold() throws {
        let long = String(repeating: "x", count: Limits.notebookTextBytesMax + 10)
        let imported = try GPX.read(
            Self.document("<wpt lat=\"1\" lon=\"2\"><name>A</name><desc>\(long)</desc></wpt><wpt lat=\"1\" lon=\"3\"/>")
        )
        #expect(imported.entries.count == 1)
        #expect(
            imported.skipped.map(\.fault) == [.item(.tooLong(field: "note", max: Limits.notebookTextBytesMax))])
    }

    @Test func textStaysText() throws {
        let held = Sample.items
        let bytes = Sample.gpx(held)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("<script"))
        let read = Self.places(try GPX.read(bytes))
        guard case .place(let written) = held[1].content else { return }
        #expect(read.count == 1 && read.first?.title == written.title && read.first?.note == written.note)
        #expect(read.first?.url == written.url)
        let control = NotebookContent.place(SavedPlace(title: "a\u{1}b\u{FFFF}\rc", url: "geo:1,2"))
        #expect(
            Self.places(try GPX.read(Sample.gpx([Sample.item(1, control)]))).map(\.title)
                == ["a\u{FFFD}b\u{FFFD}\rc"])
    }

    @Test func everyCutFileIsRefused() throws {
        let bytes = Sample.gpx(Sample.items)
        for end in 0..<(bytes.count - 1) {
            #expect(throws: ImportFault.self) { try GPX.read(Array(bytes[..<end])) }
        }
    }

    @Test func entitiesAreRefused() {
        let billion = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
        for subset in [
            "<!ENTITY l0 \"lol\">" + billion, "<!ENTITY x SYSTEM \"file:///etc/passwd\">", "<!ENTITY % p \"x\">",
        ] {
            let text = "<!DOCTYPE gpx [\(subset)]><gpx><wpt lat=\"1\" lon=\"2\"><name>&l9;</name></wpt></gpx>"
            #expect(throws: ImportFault.notAllowed) { try GPX.read(Array(text.utf8)) }
        }
    }

    @Test func deepNestingIsRefused() {
        let text = "<gpx>" + String(repeating: "<a>", count: 100_000)
        #expect(throws: ImportFault.notAllowed) { try GPX.read(Array(text.utf8)) }
    }

    @Test(arguments: ["", "hello", "<html/>", "<kml xmlns='x'/>", "<gpx", "<gpx></gpx><gpx/>", "{\"a\":1}"])
    func whatIsNoGPXIsRefused(text: String) {
        #expect(throws: ImportFault.self) { try GPX.read(Array(text.utf8)) }
    }

    @Test func anUnknownRootIsNoSuchFile() {
        #expect(throws: ImportFault.unreadable) { try GPX.read(Array("<kml><wpt lat='1' lon='2'/></kml>".utf8)) }
    }

    @Test func manyWaypoints() throws {
        let body = (0..<10_000).map { "<wpt lat=\"\(Double($0) / 1_000)\" lon=\"2\"><name>W\($0)</name></wpt>" }
        let imported = try GPX.read(Self.document(body.joined(separator: "\n")))
        #expect(imported.entries.count == 10_000 && imported.skipped == [])
        let plan = try Sample.plan(imported)
        #expect(plan.additions.count == 10_000)
        let held = plan.additions.map {
            NotebookItem(id: $0.id, content: $0.content, version: 1, createdAt: 0, updatedAt: 0)
        }
        #expect(try Sample.plan(imported, held: held).unchanged == 10_000)
    }

    @Test func noiseIsRefusedOrRead() throws {
        var rng = SplitMix64(seed: 3)
        let good = Sample.gpx(Sample.items)
        for _ in 0..<500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &rng) {
                bytes[Int.random(in: 0..<bytes.count, using: &rng)] = UInt8.random(in: 0...255, using: &rng)
            }
            // Whatever it is, it is one of the two, and soon.
            do throws(ImportFault) { #expect(try GPX.read(bytes).entries.count <= 1) } catch {
                #expect("\(error)" != "")
            }
        }
    }
}
