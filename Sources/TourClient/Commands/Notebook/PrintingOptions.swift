import ArgumentParser
import TourJSON
import TourPresentation
import TourPrint
import TourWords

/// For commands that print.
struct PrintingOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(Phrase("The file to write (default: standard output)."), valueName: "f"), completion: .file()
    )
    var file: String?
    @OptionGroup var replacing: Replacing

    /// - Throws: `ValidationError` where the file would be written to a terminal.
    func check() throws {
        guard file != nil || !StandardStream.output.isTerminal else {
            throw ValidationError(Phrase("A PDF file is nothing for a terminal: name a file with --out."))
        }
    }

    /// Checked first, so that nothing is printed for nothing.
    func checkFile() throws(CommandFailure) {
        guard PDFPrinter.isAvailable else { throw CommandFailure.cannotPrint }
        if let file { try NewFile.check(file, mayReplace: replacing.force) }
    }

    func print(_ document: PrintDocument, _ output: Output) async throws {
        let bytes: [UInt8]
        do throws(PrintError) { bytes = try PDFPrinter.pdf(document) } catch {
            switch error {
            case .unavailable: throw CommandFailure.cannotPrint
            case .tooLong:
                throw CommandFailure(code: "print-too-long", message: Phrase("that is too long to be printed"))
            case .failed(let reason):
                throw CommandFailure(code: "print-failed", message: Phrase("it could not be printed: \(reason)"))
            }
        }
        let missing = PDFPrinter.lettersWithoutFont(in: document, max: Self.lettersMax).map { String($0) }
        if !missing.isEmpty, file == nil || !output.json {
            let letters = TerminalText.safe(missing.joined(separator: " "))
            try StandardStream.error.line(
                Phrase("No font here has these letters, and boxes stand for them: \(letters). fonts-noto has most."))
        }
        try await ExportTarget.fill(file) { try $0.write(bytes) }
        guard let file else { return }
        try output.done(
            [
                "path": .text(file), "bytes": .number(String(bytes.count)),
                "lettersWithoutFont": .list(missing.map { .text($0) }),
            ], Phrase("Written to \(file)."))
    }

    /// The most letters that are named.
    private static let lettersMax = 32
}

extension CommandFailure {
    fileprivate static let cannotPrint = CommandFailure(
        code: "no-printer",
        message: Phrase("PDF files are made with Pango and Cairo, which are not installed, or no font is"),
        advice: .installPrinter)
}
