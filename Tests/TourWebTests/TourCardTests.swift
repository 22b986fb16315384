import Foundation
import Testing
import TourCode
import TourHotspot
import TourModel
import TourPresentation
import TourPrint
import TourWeb
import TourWords

/// Goal: the page for newcomers fits its paper in every language, and cameras read its codes. Method: it is printed,
/// drawn by poppler, and the drawing is searched for codes.
@Suite struct TourCardTests {
    private static let joinCode = "AH3Z-ZHNL-JN4N-2GGC-4QEO-WTPI-2R7M-FKIW-XSFJ-OQPP-T6FH-2GIL-VQWR-4WVL"
    private static let surface = PageSurface(elsewhere: PlainSurface())

    private static func card(_ tour: String, hotspot: Hotspot?) -> TourCard {
        TourCard(tour: tour, joinCode: joinCode, hotspot: hotspot)
    }

    /// What poppler says of a page.
    private struct Drawn {
        /// In points.
        var size: [Double]
        var pageCount: Int
        var texts: Set<String>
        /// Whether ink comes nearer to an edge than two points.
        var touchesEdge: Bool
    }

    private static func drawn(_ page: PrintCard) async throws -> Drawn {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("card-\(UUID().uuidString).pdf").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(try PDFPrinter.pdf(page)).write(to: URL(fileURLWithPath: path))
        let about = String(decoding: try await output(of: "pdfinfo", [path]), as: UTF8.self).split(separator: "\n")
        func value(_ key: String) -> [Substring] {
            about.first { $0.hasPrefix(key + ":") }?.split(separator: " ").dropFirst().map { $0 } ?? []
        }
        let dots = page.size == .a4 ? 110 : 300
        let bytes = Array(try await output(of: "pdftoppm", ["-gray", "-r", "\(dots)", path]))
        // `P5`, width, height and the highest value, each followed by one space. Source: netpbm, pgm.
        let head = bytes.prefix(32).split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x20 }
        let numbers = head.dropFirst().prefix(2).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        try #require(head.count == 5 && numbers.count == 2)
        let (width, height) = (numbers[0], numbers[1])
        let pixels = Array(bytes[head[4].startIndex...].prefix(width * height))
        let edge = 2 * dots / 72
        let touches = pixels.indices.contains { index in
            let (x, y) = (index % width, index / width)
            return pixels[index] < 200 && (min(x, width - 1 - x) < edge || min(y, height - 1 - y) < edge)
        }
        return Drawn(
            size: value("Page size").compactMap { Double($0) },
            pageCount: value("Pages").first.flatMap { Int($0) } ?? 0,
            texts: Set(try QRScanner.texts(in: pixels, width: width, height: height)), touchesEdge: touches)
    }

    /// Waits on a thread of its own.
    private static func output(of program: String, _ arguments: [String]) async throws -> Data {
        try await withCheckedThrowingContinuation { finished in
            DispatchQueue.global().async {
                finished.resume(
                    with: Result {
                        let process = Process(), pipe = Pipe()
                        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                        process.arguments = [program] + arguments
                        process.standardOutput = pipe
                        try process.run()
                        let data = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return data
                    })
            }
        }
    }

    private static func isPaper(_ size: [Double], _ paper: PrintCard.Size) -> Bool {
        let wanted = paper == .a4 ? [210, 297] : [85.6, 54]
        return size.count == 2 && zip(size, wanted).allSatisfy { abs($0 / 72 * 25.4 - $1) < 0.1 }
    }

    @Test(.enabled(if: PDFPrinter.isAvailable), arguments: Language.allCases, PrintCard.Size.allCases)
    func itFitsItsPaperInEveryLanguage(language: Language, size: PrintCard.Size) async throws {
        let hotspot = try Hotspot(name: "Tour Otter Maple", password: "abcd-efgh-jkmn")
        for network in [hotspot, nil] {
            let card = Self.card("Rome 2026", hotspot: network)
            let page = try card.printed(size, in: language, on: Self.surface)
            #expect(page.words.map(\.steps.count) == [3] && page.codes.count == (network == nil ? 1 : 2))
            let drawn = try await Self.drawn(page)
            #expect(drawn.pageCount == 1 && Self.isPaper(drawn.size, size) && !drawn.touchesEdge, "\(drawn)")
            #expect(drawn.texts == Set([card.link] + (network.map { [$0.codeText] } ?? [])))
        }
    }

    @Test(.enabled(if: PDFPrinter.isAvailable), arguments: Language.allCases, PrintCard.Size.allCases)
    func theSignForGuestsFitsItsPaperInEveryLanguage(language: Language, size: PrintCard.Size) async throws {
        let hotspot = try Hotspot(name: "Tour Otter Maple", password: "abcd-efgh-jkmn")
        let link = "http://192.168.100.100:8480/#" + String(repeating: "Ab_-", count: 16) + "AA"
        for network in [hotspot, nil] {
            let sign = Self.sign(link, hotspot: network)
            #expect(sign.address == "http://192.168.100.100:8480/")
            let drawn = try await Self.drawn(try sign.printed(size, in: [language]))
            #expect(drawn.pageCount == 1 && Self.isPaper(drawn.size, size) && !drawn.touchesEdge, "\(drawn)")
            #expect(drawn.texts == Set([link] + (network.map { [$0.codeText] } ?? [])))
        }
    }

    private static func sign(_ link: String, digits: String? = "20261129", hotspot: Hotspot?) -> GuestSign {
        GuestSign(
            tour: "Rome 2026", link: link, digits: digits, end: LocalMoment(Timestamp(seconds: 1_800_000_000)),
            hotspot: hotspot)
    }

    @Test(.enabled(if: PDFPrinter.isAvailable)) func aSignHasAllLanguagesOnOneSheet() async throws {
        let hotspot = try Hotspot(name: "Tour Otter Maple", password: "abcd-efgh-jkmn")
        let link = "http://192.168.100.100:8480/#" + String(repeating: "Ab_-", count: 16) + "AA"
        let sign = Self.sign(link, hotspot: hotspot)
        let page = try sign.printed(.a4, in: Language.allCases)
        #expect(page.words.count == Language.allCases.count && Set(page.words).count == page.words.count)
        let drawn = try await Self.drawn(page)
        #expect(drawn.pageCount == 1 && !drawn.touchesEdge && drawn.texts == [hotspot.codeText, link], "\(drawn)")
    }

    @Test func aSignSaysUntilWhenItLetsInAndWhatIsTyped() throws {
        let link = "https://tour.example.org:8443/#AQ"
        var sign = Self.sign(link, hotspot: nil)
        sign.plainLink = "http://10.42.0.1:8480/#AQ"
        let page = try sign.printed(.a4, in: [.english])
        #expect(page.words[0].note?.contains(sign.end.text) == true)
        #expect(page.codes.map(\.lines) == [["http://10.42.0.1:8480/", "2026 1129"]])
        sign.digits = nil
        let spent = try sign.printed(.a4, in: [.english])
        #expect(spent.codes.map(\.lines) == [["http://10.42.0.1:8480/"]])
        #expect(spent.words[0].steps[1] != page.words[0].steps[1])
    }

    @Test(.enabled(if: PDFPrinter.isAvailable), arguments: PrintCard.Size.allCases)
    func longNamesFitAsWell(size: PrintCard.Size) async throws {
        let hotspot = try Hotspot(
            name: String(repeating: "W", count: 32), password: String(repeating: #"\;W"#, count: 21))
        let card = Self.card(String(repeating: "Wanderung ", count: 12), hotspot: hotspot)
        let drawn = try await Self.drawn(try card.printed(size, in: .german, on: Self.surface))
        #expect(drawn.pageCount == 1 && !drawn.touchesEdge)
        #expect(drawn.texts == [card.link, hotspot.codeText])
    }

    @Test(.enabled(if: PDFPrinter.isAvailable)) func whatCannotFitIsRefused() throws {
        var page = try Self.card("Rome", hotspot: nil).printed(.card, in: .english, on: Self.surface)
        page.words[0].steps = [String(repeating: "word ", count: 1_000)]
        #expect(throws: PrintError.tooLong) { try PDFPrinter.pdf(page) }
    }

    @Test func theLinkHasNoAddress() throws {
        let card = Self.card("Rome", hotspot: nil)
        #expect(card.link.hasPrefix("tour-chat://join/AH3ZZHNL") && !card.link.contains("?"))
    }
}
