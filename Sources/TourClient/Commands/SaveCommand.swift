import ArgumentParser
import TourAPI
import TourPresentation
import TourWords

/// `save`
struct SaveCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: Phrase("Save a file or a picture, fetched from whoever has it."),
        discussion: Phrase(
            """
            Into the directory, under its name or with a number behind that: nothing is ever replaced. What is not \
            here yet is fetched first, whatever 'run --files' says, and this waits for it; with Ctrl-C, and when the \
            time of --timeout is over, the node goes on fetching. Prints where it is. Without a running node only what \
            is here already is saved.

            EXAMPLES
              tour-chat save 3fa2c1 ~/Pictures
              tour-chat save 3fa2c1
              tour-chat save 3fa2c1 . --timeout 10m --json
            """))

    @OptionGroup var choice: TourChoice
    @Argument(
        help: ArgumentHelp(Phrase("Six or more digits of the file's id ('tour-chat files').")),
        transform: IDArgument.parse)
    var id: IDArgument
    @Argument(
        help: ArgumentHelp(Phrase("The directory."), valueName: "dir"), completion: .directory)
    var directory = "."
    @OptionGroup var wait: FileWaitOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        // Checked first, not after an hour's wait.
        let directory = try AbsolutePath.ofDirectory(directory)
        let fetch = FileFetch(tour: chosenTour ?? "-", id: id.text)
        _ = try await wait.bring(fetch, client, output, again: UserAction.fetchFile)
        guard let saved: SavedFile = try await output.forPeople(fetch.save(client, in: directory)) else { return }
        try output.text(Phrase(verbatim: output.foreign(saved.path)))
    }
}

/// How long a command waits for a file.
struct FileWaitOptions: ParsableArguments {
    @Option(help: ArgumentHelp(Phrase("Wait no longer than this for it: 90s, 15m, 2h, 1d."), valueName: "dur"))
    var timeout: DurationArgument?

    /// Waits until a file is here, with a line that shows the progress, until Ctrl-C.
    /// - Parameter action: what fetches the file with an id later.
    func bring(
        _ fetch: FileFetch, _ client: LocalClient, _ output: Output, again action: (String) -> UserAction
    ) async throws -> FileSummary {
        let file = try await fetch.standing(client)
        if file.complete { return file }
        let patience = timeout.map { Duration.seconds($0.seconds) }
        let result = try await Interruption.mayEnd {
            let meter = TransferMeter(output: output, title: file.name)
            defer { meter.end() }
            var silence = FileWait()
            return try await fetch.wait(client, patience: patience) { file, elapsed in
                if let note = silence.nextPhrase(for: file, at: elapsed), !output.json {
                    meter.end()
                    try? StandardStream.error.line(note)
                }
                meter.show(done: file.have, total: file.size, peers: file.peers)
            }
        }
        guard let result else { throw CommandFailure.stoppedWaiting(for: file, again: action(file.shortID)) }
        return result
    }
}

extension CommandFailure {
    fileprivate static func stoppedWaiting(for file: FileSummary, again action: UserAction) -> CommandFailure {
        CommandFailure(
            code: interrupted.code, message: Phrase("you stopped waiting for “\(file.name)”"),
            advice: .fetchLater(by: action))
    }
}
