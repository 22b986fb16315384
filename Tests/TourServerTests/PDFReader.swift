import Foundation

/// Reads a PDF back with poppler.
enum PDFReader {
    /// The lines of its text, without the marks of direction that poppler adds.
    static func lines(of pdf: Data) async throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pdf").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try pdf.write(to: URL(fileURLWithPath: path))
        let reader = try ChildProcess("/usr/bin/pdftotext", ["-enc", "UTF-8", "-nopgbrk", path, "-"])
        let marks: Set<Unicode.Scalar> = ["\u{202A}", "\u{202B}", "\u{202C}", "\u{200E}", "\u{200F}"]
        var lines = [String]()
        do {
            while true {
                let line = try await reader.line { _ in true }
                lines.append(String(String.UnicodeScalarView(line.unicodeScalars.filter { !marks.contains($0) })))
            }
        } catch is ChildProcess.Ended {
            _ = try await reader.wait()
        }
        return lines.filter { !$0.isEmpty }
    }
}
