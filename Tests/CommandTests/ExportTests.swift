import Testing
import TourAPI
import TourClient
import TourJSON
import TourNotebook
import TourWords

/// Goal: an export opens in a spreadsheet or browser and runs nothing of what others wrote.
/// Method: cells and texts that would.
@Suite struct ExportTests {
    @Test func quotesAsTheStandardSays() {
        #expect(CSV.record(["a", "b,c", "d\"e", "f\ng", ""]) == "a,\"b,c\",\"d\"\"e\",\"f\ng\",\r\n")
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "\u{A0}@x"])
    func noFormula(cell: String) {
        #expect(CSV.record([cell]).hasPrefix("'"))
    }

    @Test func lineBreaksInFront() {
        #expect(CSV.record(["\r=1"]) == "\"'\r=1\"\r\n")
        #expect(CSV.record(["a=1"]) == "a=1\r\n")
    }

    @Test func theLastLineNamesTheTour() {
        #expect(ExportWords.written("Rome", to: "trip.html").english == "The log of Rome is written to trip.html.")
    }

    @Test func htmlIsEscaped() throws {
        #expect(HTMLText.escaped("<b a='1'>\"&\u{202E}") == "&lt;b a=&#39;1&#39;&gt;&quot;&amp;")
        var writer = HTMLWriter(title: "</title><script>", in: .english)
        #expect(!String(decoding: writer.start(), as: UTF8.self).contains("<script>"))
        let html = try Self.html(
            ["id": "a\"b", "type": "text", "authorName": "<i>", "content": "<script>x</script>"], by: &writer)
        #expect(!html.contains("<script>") && !html.contains("<i>") && html.contains("id=\"ma&quot;b\""))
    }

    @Test(arguments: [
        (#"{"id":"a","type":"text","metadata":{}}"#, true),
        (#"{"id":"a","type":"text","metadata":{"alone":null}}"#, true),
        (#"{"id":"a","type":"text","metadata":{"alone":{"memberID":"b","name":"Anna"}}}"#, false),
        (#"{"id":"a","type":"withheld","metadata":{}}"#, false), (#"{"id":"a","type":"withdrawn"}"#, true), ("x", true),
    ])
    func wordsToTheGuidesAloneAreNotPassedOn(line: String, isIn: Bool) {
        #expect(ExportedLines.has(Array(line.utf8)[...]) == isIn)
    }

    @Test func aPageSaysWhoLeads() throws {
        var writer = HTMLWriter(title: "Rome", in: .english)
        let html = try Self.html(
            ["id": "ab", "type": "text", "authorName": "Anna", "authorRole": "guide", "content": "hi"], by: &writer)
        #expect(html.contains("<b>Anna ★</b>: hi"))
        #expect(throws: CommandFailure.self) { try writer.add(Array(#"{"id":"ab"}"#.utf8)[...]) }
    }

    private static func html(
        _ message: JSON, by writer: inout HTMLWriter, picture: [UInt8]? = nil
    ) throws -> String {
        String(decoding: try writer.add(try line(message), picture: picture), as: UTF8.self)
    }

    private static func line(_ message: JSON) throws -> ArraySlice<UInt8> {
        var line: [UInt8] = []
        try answered(Message.self, message).appendJSON(to: &line)
        return line[...]
    }

    private static func picture(size: Int, isHere: Bool) -> JSON {
        let file: JSON = [
            "name": "\"><b>.jpg", "media": "text/html", "size": .number(String(size)), "caption": .null, "width": 8,
            "height": 8, "thumbnail": "/9j/4AAQ", "complete": .flag(isHere), "have": .number(String(isHere ? size : 0)),
        ]
        return ["id": "ab", "type": "image", "authorName": "Anna", "content": "", "metadata": file]
    }

    @Test func aPageHasItsPicturesInside() throws {
        var writer = HTMLWriter(title: "Rome", in: .english)
        #expect(String(decoding: writer.start(), as: UTF8.self).contains("img-src data:;"))
        let here = Self.picture(size: 5, isHere: true)
        #expect(writer.picture(in: try Self.line(here)) == "ab")
        #expect(writer.picture(in: try Self.line(Self.picture(size: 5, isHere: false))) == nil)
        let large = Self.picture(size: Int(HTMLWriter.pictureBytesMax) + 1, isHere: true)
        #expect(writer.picture(in: try Self.line(large)) == nil)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFB, 0xFF]
        let whole = try Self.html(here, by: &writer, picture: jpeg)
        #expect(whole.contains("src=\"data:image/jpeg;base64,/9j/+/8=\"") && !whole.contains("<b>.jpg"))
        // Bytes that are no picture are not shown as one, whatever their sender calls them.
        for picture in [Array("<script>".utf8), nil] {
            #expect(try Self.html(here, by: &writer, picture: picture).contains("base64,/9j/4AAQ\""))
        }
        #expect(HTMLPicture.source(preview: "\" onerror=\"x") == nil && HTMLPicture.source(preview: "") == nil)
    }

    @Test func csvHasAColumnForEachKey() throws {
        var writer = CSVWriter()
        let line = Array(#"{"id":"ab","seq":7,"content":"=x","metadata":{"urgent":true},"syncedAt":null}"#.utf8)
        let record = String(decoding: try writer.add(line[...]), as: UTF8.self)
        #expect(record == "ab,,,,,7,,'=x,,,,,,,\"{\"\"urgent\"\":true}\"\r\n")
    }
}
