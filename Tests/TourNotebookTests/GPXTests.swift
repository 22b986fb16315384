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

    private static func file(_ before: String, _ declaration: String, _ name: String) -> String {
        "\(before)<?xml version=\"1.0\" \(declaration)?><gpx><wpt lat=\"1\" lon=\"2\"><name>\(name)</name></wpt></gpx>"
    }

    /// As bytes, from a text of Latin letters.
    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
            return isLittle ? [low, high] : [high, low]
        }
    }

    @Test(arguments: [
        (Array(file("\n\n", "encoding=\"UTF-8\"", "Café").utf8), "Café"),
        (Array(file("\u{FEFF} \r\n\t", "", "Café").utf8), "Café"),
        (Array(file("\u{FEFF}", "encoding='utf-8'", "Café").utf8), "Café"),
        (Array(file("", "", "Caf&eacute;").utf8), "Café"),
        (
            Array(file("", "standalone=\"yes\"", "Open&nbsp;till&ndash;&quot;5&quot;&#33;").utf8),
            "Open\u{A0}till–\"5\"!"
        ),
        (Array(file("\n", "", "<![CDATA[a&nbsp;b]]><!-- &nbsp; &bad; -->&hearts;").utf8), "a&nbsp;b♥"),
        (Array(file("", "", "&amp;nbsp;&lt;&thetasym;&rsaquo;").utf8), "&nbsp;<ϑ›"),
        (latin(file("", "encoding=\"windows-1252\"", "Café 1 €")), "Café 1 €"),
        (latin(file("\n", "encoding='Windows-1252' standalone='yes'", "Caf\u{E9}&euro;")), "Café€"),
        (latin(file("", "encoding=\"cp1252\"", "ÀÿÖ")), "ÀÿÖ"),
        (latin(file("", "encoding=\"ISO-8859-1\"", "ß€")), "ß€"),
        (utf16(file("\u{FEFF}", "encoding=\"UTF-16\"", "Café"), isLittle: true), "Café"),
        (utf16(file("\u{FEFF}\n", "encoding=\"UTF-16\"", "東京&nbsp;"), isLittle: false), "東京"),
        (utf16(file("", "encoding=\"UTF-16LE\"", "Café"), isLittle: true), "Café"),
        (utf16(file("", "", "Café"), isLittle: false), "Café"),
        (Array(file("", "encoding=\"utf-16\"", "Café").utf8), "Café"),
    ])
    func filesOfOtherProgramsAreRead(_ bytes: [UInt8], _ name: String) throws {
        #expect(Self.places(try GPX.read(bytes)).map(\.title) == [name])
    }

    @Test func anUnknownEncodingIsNamed() {
        for name in ["windows-1251", "Shift_JIS", "UTF-7"] {
            let bytes = Array(Self.file("", "encoding=\"\(name)\"", "A").utf8)
            #expect(throws: ImportFault.encoding(name: name)) { try GPX.read(bytes) }
        }
    }

    @Test func damageIsFoundWhereItIs() {
        for (text, line) in [
            ("\n\n<gpx>\n<wpt></gpx>", 4), ("<gpx>\n&nothing;</gpx>", 2), ("<gpx>\n\n&nbsp</gpx>", 3),
            ("\n<gpx><![CDATA[&nbsp;", 2), ("<gpx><!-- &nbsp;\n", 1),
        ] {
            #expect(throws: ImportFault.malformed(line: line)) { try GPX.read(Array(text.utf8)) }
        }
        #expect(throws: ImportFault.malformed(line: 1)) { try GPX.read(Self.latin("<gpx>é</gpx>")) }
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
