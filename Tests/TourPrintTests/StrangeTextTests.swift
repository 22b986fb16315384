import Testing
import TourPrint

/// Goal: no text ends the process, takes without bound or spoils the file.
/// Method: texts that are no language, among them random ones; poppler reads every file that comes of them.
struct StrangeTextTests {
    private static func scalars(_ value: UInt32, _ count: Int) -> String {
        String(repeating: Unicode.Scalar(value).map { String($0) } ?? "", count: count)
    }

    private static let strange: [(name: String, text: String)] = [
        ("nothing", ""),
        ("control characters", (1...0x9F).compactMap { Unicode.Scalar(UInt32($0)) }.map { "a\($0)" }.joined()),
        ("a zero byte", "a\u{0}b"),
        ("a lone combining mark", "\u{301}"),
        ("marks without end", "a" + scalars(0x301, 60_000)),
        ("a word without end", scalars(0x78, 250_000)),
        ("no width without end", scalars(0x200B, 40_000)),
        ("joiners", String(repeating: "👩\u{200D}", count: 2_000)),
        ("directions that are never closed", scalars(0x202E, 10_000) + scalars(0x2067, 10_000) + "x"),
        ("no characters", [0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFE, 0x10FFFF].map { scalars($0, 1) }.joined() + "x"),
        ("private ones", "\u{E000}\u{F8FF}\u{F0000}"),
        ("every line's end", "a\r\nb\rc\nd\u{2028}e\u{2029}f\u{85}g\u{B}h\u{C}i"),
        ("links without end", String(repeating: "http://a.b/ ", count: 5_000)),
        ("a link without end", "https://" + scalars(0x61, 100_000)),
        ("quotes in a link", "https://a.b/'\\' uri='x' rect=[0 0 1 1]"),
    ]

    @Test(arguments: strange.indices)
    func everyTextIsPrinted(index: Int) async throws {
        let (name, text) = Self.strange[index]
        let short = String(text.prefix(200))
        let file = try PrintedFile(
            PrintDocument(
                title: short, details: [short],
                body: [.text(text), .heading(short), .entry(number: .max, title: short, lines: [short])]))
        let count = try await file.pageCount()
        #expect((1...400).contains(count), "\(name): \(count)")
        // The last page can be drawn, and has its number at least.
        let picture = try await file.picture(page: count)
        #expect(picture.suffix(picture.count / 10).contains { row in row.contains { $0 < 210 } }, "\(name)")
    }

    @Test func wordWithoutEndIsWhole() async throws {
        let word = String((0..<20_000).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        let file = try PrintedFile(PrintDocument(title: "x", body: [.text(word)]))
        var letters = ""
        for page in 1...(try await file.pageCount()) {
            letters += PrintedFile.letters(in: try await file.lines(page: page).dropLast().joined())
        }
        #expect(letters == "x" + word)
    }

    @Test func endsOfLinesArePlaces() async throws {
        let file = try PrintedFile(PrintDocument(title: "x", body: [.text("a\r\nb\rc\nd\u{2028}e\u{85}f")]))
        #expect(try await file.lines().prefix(7) == ["x", "a", "b", "c", "d", "e", "f"])
    }

    /// Seeded, so that a failure comes again.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func randomTextIsPrinted(seed: UInt64) async throws {
        var state = seed
        func next(_ bound: UInt64) -> UInt32 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32((state >> 33) % bound)
        }
        var scalars = String.UnicodeScalarView()
        for _ in 0..<2_000 {
            // Half of them from the planes where languages are.
            if let scalar = Unicode.Scalar(next(next(2) == 0 ? 0x3000 : 0x110000)) { scalars.append(scalar) }
        }
        let text = String(scalars)
        let file = try PrintedFile(
            PrintDocument(title: String(text.prefix(50)), body: [.text(text), .text(String(text.reversed()))]))
        #expect(try await file.pageCount() > 0)
    }

    @Test func moreThanAnybodyPrintsIsRefused() throws {
        let lines = String(repeating: "\n", count: 250_000)
        #expect(throws: PrintError.tooLong) { try PDFPrinter.pdf(PrintDocument(title: "x", body: [.text(lines)])) }
        let text = String(repeating: "x", count: PrintLimits.textBytesMax)
        #expect(throws: PrintError.tooLong) { try PDFPrinter.pdf(PrintDocument(title: "x", body: [.text(text)])) }
    }

    @Test func twoThousandStopsAreOneFile() async throws {
        let stops = (1...2_000).map { number in
            PrintDocument.Block.entry(number: number, title: "Stop \(number)", lines: ["geo:38.6,34.8", "A note."])
        }
        let file = try PrintedFile(PrintDocument(title: "A year", body: stops))
        let count = try await file.pageCount()
        #expect((100...400).contains(count))
        #expect(try await file.letters(page: count).contains("Stop2000"))
    }

    @Test func manyPrintAtOnce() async throws {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<6 {
                group.addTask {
                    let text = "Metin \(number): مرحبا ve 京都"
                    return try await PrintedFile(PrintDocument(title: "Belge \(number)", body: [.text(text)])).lines()
                }
            }
            var titles = Set<String>()
            for try await lines in group { titles.insert(lines.first ?? "") }
            #expect(titles == Set((0..<6).map { "Belge \($0)" }))
        }
    }
}
