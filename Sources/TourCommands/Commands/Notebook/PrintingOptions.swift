import ArgumentParser
import TourModel
import TourNode
import TourNotebook
import TourPrint
import TourWeb

/// For commands that print.
struct PrintingOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp("The file to write (default: standard output).", valueName: "f"), completion: .file())
    var file: String?
    @OptionGroup var replacing: Replacing

    /// - Throws: `ValidationError` where the file would go to a terminal.
    func check() throws {
        guard file != nil || !StandardStream.output.isTerminal else {
            throw ValidationError("A PDF file is nothing for a terminal: name a file with --out.")
        }
    }

    /// Before anything is printed for nothing.
    func checkFile() throws(CommandFailure) {
        guard PDFPrinter.isAvailable else { throw CommandFailure.cannotPrint }
        if let file { try NewFile.check(file, mayReplace: replacing.force) }
    }

    func print(_ document: PrintDocument, _ output: Output) throws {
        let bytes: [UInt8]
        do throws(PrintError) { bytes = try PDFPrinter.pdf(document) } catch {
            switch error {
            case .unavailable: throw CommandFailure.cannotPrint
            case .tooLong: throw CommandFailure(code: "print-too-long", message: "that is too long to be printed")
            case .failed(let reason):
                throw CommandFailure(code: "print-failed", message: "it could not be printed: \(reason)")
            }
        }
        let target = try ExportTarget(file: file)
        do {
            try target.write(bytes)
            try target.finish()
        } catch {
            target.abandon()
            throw error
        }
        guard let file else { return }
        if output.json { return try output.object(["path": .text(file), "bytes": .number(String(bytes.count))]) }
        try output.text("Written to \(file).")
    }
}

extension CommandFailure {
    fileprivate static let cannotPrint = CommandFailure(
        code: "no-printer", message: "PDF files are made with Pango and Cairo, which are not installed, or no font is",
        advice: "Install them: 'apt install libpangocairo-1.0-0 fonts-dejavu-core'; other scripts want fonts-noto.")
}

/// What is printed of the notebook.
package enum NotebookPrint {
    /// - Parameter note: of the local API.
    package static func note(_ note: JSON) -> PrintDocument {
        PrintDocument(title: note.title, details: details(of: note), body: [.text(note.shown("content"))])
    }

    /// - Parameter itinerary: of the local API, with its stops.
    package static func itinerary(_ itinerary: JSON) -> PrintDocument {
        var body: [PrintDocument.Block] = []
        if let description = itinerary["description"]?.text, !description.isBlank { body.append(.text(description)) }
        for (index, stop) in (itinerary["stops"]?.list ?? []).enumerated() {
            var lines: [String] = []
            if let time = Timestamp(stop.shown("at")) { lines.append(time.dateAndTime) }
            if let place = stop["place"]?.text { lines.append(place) }
            lines += stop.shown("note").split(separator: "\n").map { String($0) }
            body.append(.entry(number: index + 1, title: stop.title, lines: lines))
        }
        return PrintDocument(title: itinerary.title, details: details(of: itinerary), body: body)
    }

    private static func details(of item: JSON) -> [String] { item.changedAt.isEmpty ? [] : [item.changedAt] }
}
