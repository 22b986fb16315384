import Testing
import TourPrint

/// Goal: what is printed can be read, in every script, by people and by programs.
/// Method: prints documents, draws their pages and reads their texts back with poppler's programs.
struct PrintTests {
    /// U+10FFFD is for private use, and in no font that anybody installs.
    @Test(arguments: [
        ("Hagia Sophia", ""), ("\u{10FFFD}", "\u{10FFFD}"), ("a\u{10FFFD}b\u{10FFFC}c", "\u{10FFFD}\u{10FFFC}"),
        ("\u{10FFFD}\u{10FFFD} \u{10FFFD}", "\u{10FFFD}"), ("Café", ""), ("", ""), ("\u{200B}\u{202E}\u{FEFF}", ""),
        ("a\u{A0}b\u{2003}\u{2028}", ""), ("\u{1}\u{7F}\u{9F}", ""), ("\u{AD}é\u{200D}", ""),
        ("x\u{10FFFA}\u{10FFFB}\u{10FFFC}\u{10FFFD}", "\u{10FFFA}\u{10FFFB}\u{10FFFC}"), ("0–9 “x” €", ""),
    ])
    func lettersWithoutFontAreNamed(_ text: String, _ letters: String) throws {
        let documents = [
            PrintDocument(title: text), PrintDocument(title: "x", details: [text]),
            PrintDocument(title: "x", body: [.text(text)]), PrintDocument(title: "x", body: [.heading(text)]),
            PrintDocument(title: "x", body: [.entry(number: 1, title: "y", lines: [text])]),
        ]
        for document in documents {
            #expect(String(PDFPrinter.lettersWithoutFont(in: document, max: 3)) == letters)
        }
    }

    @Test func thisComputerPrints() { #expect(PDFPrinter.isAvailable) }

    @Test func aNoteHasItsTitleItsDetailsAndItsText() async throws {
        let file = try PrintedFile(
            PrintDocument(
                title: "Kapadokya'da üç gün", details: ["Yazıldı: 2026-06-01 08:00 UTC"],
                body: [.text("Güneş, ığdır ağacı ve çömlek: İlk gün Göreme.")], language: "tr"))
        let lines = try await file.lines()
        #expect(lines[0] == "Kapadokya'da üç gün")
        #expect(lines[1] == "Yazıldı: 2026-06-01 08:00 UTC")
        #expect(lines[2] == "Güneş, ığdır ağacı ve çömlek: İlk gün Göreme.")
        #expect(PrintedFile.letters(in: lines.last ?? "") == "1/1")
        let information = try await file.information()
        #expect(information["Title"] == "Kapadokya'da üç gün" && information["Creator"] == "tour-chat")
        #expect(information["Pages"] == "1" && information["Page size"]?.contains("A4") == true)
        #expect(information["JavaScript"] == "no")
    }

    /// Logical order in the text, and on the paper from the right.
    @Test func arabicStandsOnTheRight() async throws {
        let text = "مرحبا بكم في الجولة"
        let file = try PrintedFile(PrintDocument(title: "x", body: [.text(text)]))
        #expect(try await file.letters().contains(PrintedFile.letters(in: text)))
        let sides = try await Self.inkOfSides(file)
        #expect(sides.right > 20 && sides.left == 0, "\(sides)")
        let latin = try PrintedFile(PrintDocument(title: "x", body: [.text("Welcome to the tour")]))
        let others = try await Self.inkOfSides(latin)
        #expect(others.left > 20 && others.right == 0, "\(others)")
    }

    /// Dark pixels in the two halves of a page, without the title, the rule and the foot.
    private static func inkOfSides(_ file: PrintedFile) async throws -> (left: Int, right: Int) {
        let picture = try await file.picture()
        let rows = picture[(picture.count / 9)..<(picture.count * 8 / 9)]
        let halves = rows.map { row in
            (row.prefix(row.count / 2).count { $0 < 160 }, row.suffix(row.count / 2).count { $0 < 160 })
        }
        return (halves.reduce(0) { $0 + $1.0 }, halves.reduce(0) { $0 + $1.1 })
    }

    @Test func japaneseIsBrokenIntoLinesWithoutSpaces() async throws {
        let text = "京都の朝は早いです。八時に清水寺の前で会いましょう。雨が降ったら、傘を持ってきてください。その後、祇園まで歩いて、抹茶を飲みます。"
        let file = try PrintedFile(PrintDocument(title: "日本語", body: [.text(text)], language: "ja"))
        let lines = try await file.lines()
        #expect(lines.count == 4, "title, two lines, page: \(lines)")
        #expect(lines[0] == "日本語" && PrintedFile.letters(in: lines.dropFirst().dropLast().joined()) == text)
        #expect(try await file.information()["Title"] == "日本語")
    }

    @Test func everyPageSaysWhichItIs() async throws {
        let body = (1...150).map {
            PrintDocument.Block.text("Paragraf \($0): " + String(repeating: "kısa söz ", count: 12))
        }
        let file = try PrintedFile(PrintDocument(title: "Uzun", body: body))
        let count = try await file.pageCount()
        #expect((5...12).contains(count))
        for page in 1...count {
            let lines = try await file.lines(page: page)
            #expect(PrintedFile.letters(in: lines.last ?? "") == "\(page)/\(count)", "\(page)")
            // Nothing runs over the foot or the edge: the outer centimetre of the paper is white.
            let picture = try await file.picture(page: page)
            let edges =
                picture.prefix(14).flatMap(\.self) + picture.suffix(14).flatMap(\.self)
                + picture.flatMap { $0.prefix(14) + $0.suffix(14) }
            #expect(edges.allSatisfy { $0 > 250 }, "\(page)")
        }
        let whole = try await file.letters()
        for number in 1...150 { #expect(whole.contains("Paragraf\(number):kısa"), "\(number)") }
    }

    @Test func stopsAreNumbered() async throws {
        let stops = (1...12).map { number in
            PrintDocument.Block.entry(number: number, title: "Durak \(number)", lines: ["08:30", "Not \(number)"])
        }
        let file = try PrintedFile(PrintDocument(title: "Gezi", body: [.heading("Duraklar")] + stops))
        let letters = try await file.letters()
        for number in 1...12 { #expect(letters.contains("Durak\(number)08:30Not\(number)"), "\(number)") }
        let lines = try await file.lines().map { PrintedFile.letters(in: $0) }
        #expect(lines.contains("Duraklar") && lines.contains { $0.hasPrefix("12.") })
    }

    @Test func numberOfAnArabicStopStandsOnTheRight() async throws {
        let file = try PrintedFile(
            PrintDocument(title: "x", body: [.entry(number: 7, title: "السوق", lines: ["كبير"])]))
        let sides = try await Self.inkOfSides(file)
        #expect(sides.right > 10 && sides.left == 0, "\(sides)")
        #expect(try await file.letters().contains("7."))
    }

    @Test func linksOpenAndNothingElseDoes() async throws {
        let text = """
            Bak: https://example.org/tur/göreme?gün=1. (http://example.org/a_(b)) <https://example.org/c> \
            "HTTPS://EXAMPLE.ORG/d"
            geo:38.6431,34.8289;u=35, geo:-33.8,151.2! geo:x javascript:alert(1) file:///etc/passwd xhttps://no.example
            mailto:a@example.org http:// https:// 地図はhttps://example.jp/e（日本語）です。 https://example.org/o'f\\g
            """
        let file = try PrintedFile(PrintDocument(title: "https://example.org/title", body: [.text(text)]))
        let wanted = [
            "https://example.org/title", "https://example.org/tur/g%C3%B6reme?g%C3%BCn=1",
            "http://example.org/a_(b)", "https://example.org/c", "HTTPS://EXAMPLE.ORG/d", "geo:38.6431,34.8289;u=35",
            "geo:-33.8,151.2", "https://example.jp/e", "https://example.org/o%27f",
        ]
        let links = try await file.links()
        #expect(Set(links).symmetricDifference(wanted).sorted() == [])
    }

    @Test func linkLiesOverItsTextOnEachLine() async throws {
        let long = "https://example.org/" + String(repeating: "very/long/", count: 12) + "end"
        let file = try PrintedFile(PrintDocument(title: "x", body: [.text("See https://example.org/x"), .text(long)]))
        #expect(try await file.links() == ["https://example.org/x", long, long], "two lines, two places")
        let markup = try await file.markup()
        #expect(markup.contains(#"<a href="https://example.org/x">https://example.org/x</a>"#), "\(markup)")
        #expect(markup.contains(#"<a href="\#(long)">very/long/"#) || markup.contains("long/end</a>"), "\(markup)")
    }

    @Test func markupIsText() async throws {
        let text = #"<b>kalın</b> <script>alert("x")</script> &amp; &#65; %s \u0041 <span color='red'>"#
        let file = try PrintedFile(PrintDocument(title: "<i>t</i>", body: [.text(text), .heading("<u>h</u>")]))
        let letters = try await file.letters()
        #expect(letters.contains(PrintedFile.letters(in: text)), "\(letters)")
        #expect(letters.hasPrefix("<i>t</i>") && letters.contains("<u>h</u>"))
        #expect(try await file.information()["Title"] == "<i>t</i>")
    }

    /// A paragraph that is set in pieces looks like one that is not.
    @Test func longParagraphHasNoSeams() async throws {
        let words = (1...1_500).map { "söz\($0)" }
        let file = try PrintedFile(PrintDocument(title: "x", body: [.text(words.joined(separator: " "))]))
        let count = try await file.pageCount()
        var lines = [String]()
        for page in 1...count {
            lines += try await file.lines(page: page).dropFirst(page == 1 ? 1 : 0).dropLast()
        }
        #expect(lines.flatMap { $0.split(separator: " ") }.map { String($0) } == words)
        for line in lines.dropLast() { #expect(line.count > 70, "\(line)") }
    }
}
