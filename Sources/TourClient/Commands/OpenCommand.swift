import ArgumentParser
import Glibc
import TourAPI
import TourDesktop
import TourJSON
import TourPresentation
import TourWords

/// `open`
struct OpenCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: Phrase("Look at a picture, a PDF or a text, or play a recording."),
        discussion: Phrase(
            """
            Fetches it if it is not here, as 'save' does, and hands a copy that nobody can change to the desktop's \
            program for it. The copy is in the data directory until the node starts again. Only pictures, sound, \
            films, plain texts and PDF are opened, where name and media type agree: everything else can do more than \
            be looked at, and is for 'save'. Without a desktop it prints where the copy is.

            EXAMPLES
              tour-chat open 3fa2c1
              tour-chat open 3fa2c1 --timeout 5m
            """))

    @OptionGroup var choice: TourChoice
    @Argument(
        help: ArgumentHelp(Phrase("Six or more digits of the file's id ('tour-chat files').")),
        transform: IDArgument.parse)
    var id: IDArgument
    @OptionGroup var wait: FileWaitOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let fetch = FileFetch(tour: chosenTour ?? "-", id: id.text)
        let file = try await fetch.standing(client)
        // Checked first, so that no file is fetched for nothing.
        guard let kind = OpenableFile(name: file.name, media: file.media ?? "") else {
            throw CommandFailure.notOpened(file)
        }
        let copies = try OpenedCopies(of: file, dataDirectory: client.dataDirectory)
        let earlier = copies.earlier
        let path = if let earlier { earlier } else { try await made(copies, as: kind, by: fetch, client, output) }
        let isShown = Desktop.isThere ? try await Desktop.show(path) : false
        if output.json {
            return try output.object([
                "id": .text(file.id), "path": .text(path), "size": .number(String(file.size)), "opened": .flag(isShown),
            ])
        }
        try output.text(
            isShown
                ? Phrase("Opened \(output.foreign(file.name, .bold)).") : Phrase(verbatim: output.foreign(path)))
        if !isShown, Desktop.isThere { try StandardStream.error.line(Phrase("No program here shows it (xdg-open).")) }
    }

    private func made(
        _ copies: OpenedCopies, as kind: OpenableFile, by fetch: FileFetch, _ client: LocalClient, _ output: Output
    ) async throws -> String {
        let file = try await wait.bring(fetch, client, output, again: UserAction.openFile)
        let path = try SavedFile(answer: try await fetch.save(client, in: copies.directory)).path
        guard kind.agrees(with: try OpenedCopies.seal(path, startBytes: OpenableFile.startBytes)) else {
            unlink(path)
            throw CommandFailure.notOpened(file)
        }
        return path
    }
}

extension CommandFailure {
    fileprivate static func notOpened(_ file: FileSummary) -> CommandFailure {
        CommandFailure(
            code: "not-opened", message: Phrase("“\(file.name)” is not opened by itself: save it"),
            advice: .saveFile(id: file.shortID))
    }
}
