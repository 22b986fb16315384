import Foundation
import TourPrint

/// A printed document as other programs see it: poppler's, which share no code with what printed it.
final class PrintedFile: Sendable {
    private let path: String

    struct Failed: Error {
        var program: String
        var status: Int32
    }

    init(_ document: PrintDocument) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("print-\(UUID().uuidString).pdf").path
        try Data(try PDFPrinter.pdf(document)).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What it says of itself: `Title`, `Pages`, `Page size`.
    func information() async throws -> [String: String] {
        let lines = try await text(of: "pdfinfo", ["-enc", "UTF-8", path]).split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    func pageCount() async throws -> Int { Int(try await information()["Pages"] ?? "") ?? 0 }

    /// The lines of a page, or of all, as they are read, each without the marks of direction that poppler adds.
    func lines(page: Int? = nil) async throws -> [String] {
        let pages = page.map { ["-f", "\($0)", "-l", "\($0)"] } ?? []
        let text = try await text(of: "pdftotext", ["-enc", "UTF-8", "-nopgbrk"] + pages + [path, "-"])
        let marks = ["\u{202A}", "\u{202B}", "\u{202C}", "\u{200E}", "\u{200F}"].joined()
        return text.split(separator: "\n").map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { !marks.unicodeScalars.contains($0) }))
        }
    }

    /// All letters without any space: where they stand on the paper decides which spaces a reader sees.
    func letters(page: Int? = nil) async throws -> String {
        Self.letters(in: try await lines(page: page).joined())
    }

    static func letters(in text: String) -> String { text.filter { !$0.isWhitespace } }

    /// Where its links lead, one for each place that can be clicked.
    func links() async throws -> [String] {
        try await text(of: "pdfinfo", ["-url", path]).split(separator: "\n").dropFirst().compactMap { line in
            line.split(separator: " ").last.map { String($0) }
        }
    }

    /// HTML in which the text under a link stands inside it.
    func markup() async throws -> String { try await text(of: "pdftohtml", ["-q", "-i", "-xml", "-stdout", path]) }

    /// A page as it looks, at 36 points to the inch and so half a point a pixel: 0 black to 255 white, line by line.
    func picture(page: Int = 1) async throws -> [[UInt8]] {
        let arguments = ["-gray", "-r", "36", "-f", "\(page)", "-l", "\(page)", path]
        let bytes = Array(try await output(of: "pdftoppm", arguments))
        // `P5`, width, height and the highest value, each followed by one space. Source: netpbm, pgm.
        let head = bytes.prefix(32).split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x20 }
        guard head.count == 5, let width = Int(String(decoding: head[1], as: UTF8.self)), width > 0 else {
            throw Failed(program: "pdftoppm", status: 0)
        }
        let pixels = bytes[head[4].startIndex...]
        return stride(from: pixels.startIndex, to: pixels.endIndex, by: width).map { start in
            Array(pixels[start..<min(start + width, pixels.endIndex)])
        }
    }

    private func text(of program: String, _ arguments: [String]) async throws -> String {
        String(decoding: try await output(of: program, arguments), as: UTF8.self)
    }

    /// What waits for the program waits on a thread of its own.
    private func output(of program: String, _ arguments: [String]) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Self.run(program, arguments) }) }.start()
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments
        process.standardOutput = output
        // It complains of fonts that it would like to have.
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(program: program, status: process.terminationStatus)
        }
        return data
    }
}
