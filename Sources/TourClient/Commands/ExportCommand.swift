import ArgumentParser
import Glibc
import TourAPI
import TourJSON
import TourWords

/// The format of an export.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case jsonl, csv, html

    func writer(title: String) -> any ExportWriter {
        switch self {
        case .jsonl: JSONLinesWriter()
        case .csv: CSVWriter()
        case .html: HTMLWriter(title: title)
        }
    }
}

/// `export`
struct ExportCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: Phrase("Write the tour's log to a file or to standard output."),
        discussion: Phrase(
            """
            jsonl: the lines of 'messages --json'; csv: for spreadsheets; html: one page to read and print, with the \
            pictures that are on this device inside. With each roll call stands who was there. Exports are not sealed: \
            everybody who gets the file can read it. A file that is there already is replaced with --force only.

            EXAMPLES
              tour-chat export --format html --out trip.html
              tour-chat export --format csv > trip.csv
            """))

    @OptionGroup var choice: TourChoice
    @Option(help: ArgumentHelp(Phrase("jsonl, csv or html.")))
    var format: ExportFormat
    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(Phrase("The file to write (default: standard output)."), valueName: "f"), completion: .file()
    )
    var file: String?
    @OptionGroup var replacing: Replacing

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let file { try NewFile.check(file, mayReplace: replacing.force) }
        let tour: TourDetails = try await client.ask(.GET, tourPath())
        try await ExportTarget.fill(file) { try await write(client, title: tour.name, to: $0) }
        guard let file else { return }
        try output.done(
            ["path": .text(file), "tourID": .text(tour.tourID), "tourName": .text(tour.name)],
            ExportWords.written(output.foreign(tour.name, .bold), to: file))
    }

    private func write(_ client: LocalClient, title: String, to target: ExportTarget) async throws {
        let rolls = RollRecords(try await client.call(.GET, tourPath("rolls")).elements)
        var writer = format.writer(title: title)
        var lines = WholeLines()
        try target.write(writer.start())
        try await client.stream(tourPath("messages")) { chunk in
            var text = [UInt8]()
            for line in lines.add(chunk).split(separator: 0x0A) where ExportedLines.has(line) {
                let line = rolls.added(to: line)
                var picture: [UInt8]?
                if let id = writer.picture(in: line) { picture = await content(of: id, client) }
                text += try writer.add(line, picture: picture)
            }
            try target.write(text)
        }
        guard lines.isComplete else { throw CommandFailure.nodeGone }
        try target.write(writer.end())
    }

    /// A picture; nil where it went from this device meanwhile: the export has its preview then.
    private func content(of id: String, _ client: LocalClient) async -> [UInt8]? {
        var bytes = [UInt8]()
        do {
            try await client.stream(tourPath("files", id, "content")) { bytes += $0 }
        } catch { return nil }
        return bytes
    }
}

/// Standard output, or a file that gets its name only when it is complete.
struct ExportTarget: Sendable {
    private let descriptor: Int32
    private let file: String?

    init(file: String?) throws(CommandFailure) {
        self.file = file
        guard let file else {
            descriptor = 1
            return
        }
        descriptor = open(file + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(Phrase("cannot write \(file)"), errno: errno) }
    }

    /// Writes a file, which is there as a whole or not at all.
    /// - Parameter file: nil: standard output.
    static func fill(_ file: String?, by write: (ExportTarget) async throws -> Void) async throws {
        let target = try ExportTarget(file: file)
        do {
            try await write(target)
            try target.finish()
        } catch {
            target.abandon()
            throw error
        }
    }

    func write(_ bytes: [UInt8]) throws { try FileOutput.write(bytes, to: descriptor) }

    private func finish() throws(CommandFailure) {
        guard let file else { return }
        guard fsync(descriptor) == 0, close(descriptor) == 0, rename(file + ".part", file) == 0 else {
            throw .system(Phrase("cannot write \(file)"), errno: errno)
        }
    }

    private func abandon() {
        guard let file else { return }
        close(descriptor)
        unlink(file + ".part")
    }
}
