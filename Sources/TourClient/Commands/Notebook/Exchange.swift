import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// The format of an exported notebook, or of its places.
enum ExchangeFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case json, csv, gpx
}

extension ImportFormat: ExpressibleByArgument {}

/// For commands that import.
struct ImportOptions: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The file, or - for standard input.")), completion: .file())
    var file: String
    @Option(help: ArgumentHelp(Phrase("The format (default: what the file's name ends with).")))
    var format: ImportFormat?
    @Flag(
        help: ArgumentHelp(
            Phrase("Where something is here already and says something else, take the file's.")))
    var replace = false
    @Flag(help: ArgumentHelp(Phrase("Say of each entry of the file what became of it.")))
    var rows = false

    var known: ImportFormat? { format ?? ImportFormat(file: file) }

    func validate() throws {
        guard known != nil else {
            throw ValidationError(
                Phrase(
                    """
                    The file's name does not end with its format: say it with --format (json, csv, gpx, kml, kmz or \
                    html), or export the list as one of these.
                    """))
        }
    }

    /// - Parameter places: whether to import places only.
    func run(places: Bool, _ client: LocalClient, _ output: Output) async throws {
        let bytes = try await WholeInput.read(path: file, bytesMax: NotebookImport.fileBytesMax)
        let path = LocalPath.make(
            ["notebook", "import"],
            query: [
                ("format", known?.rawValue), ("only", places ? "places" : nil), ("replace", replace ? "true" : nil),
                ("rows", rows ? "true" : nil),
            ])
        var answer: [UInt8] = []
        try await client.converse(path) { write in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Self.pieceBytes)
                rest = rest.dropFirst(piece.count)
                try await write(Array(piece))
            }
        } receive: {
            answer += $0
        }
        guard let report = try? JSON(parsing: answer) else { throw CommandFailure.badAnswer }
        try output.done(report, ImportWords(report).lines)
    }

    private static let pieceBytes = 64 * 1_024
}

/// The result of an import, for people.
package struct ImportWords: Hashable, Sendable {
    /// Safe for a terminal.
    package let lines: [Phrase]

    /// - Parameter report: `NotebookImport` of the local API.
    package init(_ report: JSON) {
        func count(_ name: String) -> Int { report[name]?.integer ?? 0 }
        var parts = [Phrase("\(count("added")) added")]
        if count("changed") > 0 { parts.append(Phrase("\(count("changed")) changed")) }
        if count("unchanged") > 0 { parts.append(Phrase("\(count("unchanged")) here already")) }
        if count("different") > 0 {
            parts.append(Phrase("\(count("different")) left as here (--replace takes the file's)"))
        }
        var lines = [Phrase("\(Phrase(list: parts)).")]
        lines += Self.remarks(report, count)
        if let rows = report["rows"]?.list, !rows.isEmpty {
            lines += rows.map { Self.line($0, result: Self.result($0.shown("result"))) }
        } else {
            let (skipped, partial) = (count("skippedCount"), count("partialCount"))
            if skipped > 0 {
                lines.append(
                    Phrase(skipped, one: "\(skipped) entry not taken:", other: "\(skipped) entries not taken:"))
                lines += Self.list(report["skipped"]?.list ?? [], of: skipped)
            }
            if partial > 0 {
                lines.append(Phrase("Taken in part: \(partial)."))
                lines += Self.list(report["partial"]?.list ?? [], of: partial)
            }
        }
        self.lines = lines
    }

    private static func remarks(_ report: JSON, _ count: (String) -> Int) -> [Phrase] {
        var lines: [Phrase] = []
        let (points, others) = (count("unnamedPoints"), count("otherKinds"))
        if points > 0 {
            lines.append(Phrase("Points of routes and tracks without a name, which are no places: \(points)."))
        }
        if others > 0 {
            lines.append(Phrase("No places, so left to 'tour-chat notebook import': \(others)."))
        }
        if report["isEncodingGuessed"]?.flag == true {
            lines.append(
                Phrase("The text is not in UTF-8 and was read as Windows-1252: if letters are wrong, save it as UTF-8.")
            )
        }
        let columns = (report["unreadColumns"]?.list ?? []).compactMap(\.text).map { TerminalText.safe($0) }
        if !columns.isEmpty { lines.append(Phrase("Columns that were not read: \(Phrase(list: columns)).")) }
        return lines
    }

    private static func list(_ entries: [JSON], of total: Int) -> [Phrase] {
        let more = total > entries.count ? [Phrase("and \(total - entries.count) more").indented] : []
        return entries.map { line($0) } + more
    }

    private static func line(_ entry: JSON, result: Phrase? = nil) -> Phrase {
        let (title, reason) = (TerminalText.safe(entry.shown("title")), TerminalText.safe(entry.shown("reason")))
        let number = TerminalText.safe(entry.shown("number"))
        let said = [result, reason.isEmpty ? nil : Phrase(verbatim: reason)].compactMap(\.self)
        let words = Phrase(list: said)
        return
            (title.isEmpty
            ? Phrase("number \(number): \(words)") : Phrase("number \(number) “\(title)”: \(words)")).indented
    }

    private static func result(_ name: String) -> Phrase? {
        switch name {
        case "added": Phrase("added")
        case "changed": Phrase("changed")
        case "unchanged": Phrase("here already")
        case "different": Phrase("left as here")
        case "skipped": Phrase("not taken")
        default: nil
        }
    }
}

/// For commands that export.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(Phrase("The file to write (default: standard output)."), valueName: "f"), completion: .file()
    )
    var file: String?
    @OptionGroup var replacing: Replacing

    func run(_ format: ExchangeFormat, places: Bool, _ client: LocalClient, _ output: Output) async throws {
        if let file { try NewFile.check(file, mayReplace: replacing.force) }
        let path = LocalPath.make(
            ["notebook", "export"], query: [("format", format.rawValue), ("only", places ? "places" : nil)])
        try await ExportTarget.fill(file) { target in try await client.stream(path) { try target.write($0) } }
        guard let file else { return }
        try output.done(["path": .text(file)], Phrase("Written to \(file)."))
    }
}

/// `places import`
struct PlacesImport: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: Phrase("Take in places from a file."),
        discussion: Phrase(
            """
            gpx: waypoints, and the named points of routes and tracks; kml and kmz: the points of a map; html: the \
            bookmarks of a browser; csv: a table whose first line names its columns (title, latitude, longitude or \
            WKT, url, category, tags, note, …); json: what 'export' writes. What is here already, by its id or by \
            title and address, does not come twice; where it says something else, it stays, unless --replace is said. \
            The import names what it leaves out.

            EXAMPLES
              tour-chat places import summer.gpx
              tour-chat places import places.csv --json
              curl -s https://museum.example/rooms.gpx | tour-chat places import - --format gpx
            """))

    @OptionGroup var global: GlobalOptions
    @OptionGroup var source: ImportOptions

    var absence: NodeAccess.Absence { .begin }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await source.run(places: true, client, output)
    }
}

/// `places export`
struct PlacesExport: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: Phrase("Write your places to a file or to standard output."),
        discussion: Phrase(
            """
            gpx: those with coordinates, for maps and navigation devices, without tags and marks; csv: for \
            spreadsheets; json: everything but pictures and files. Exports are not sealed. A file that is there \
            already is replaced with --force only.

            EXAMPLES
              tour-chat places export --format gpx --out places.gpx
              tour-chat places export --format csv > places.csv
            """))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("json, csv or gpx.")))
    var format: ExchangeFormat
    @OptionGroup var target: ExportOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try await target.run(format, places: true, client, output)
    }
}
