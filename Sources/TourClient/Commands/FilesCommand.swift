import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `files`
struct FilesCommand: TaskCommand, ChoosesTour {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: Phrase("The tour's files and pictures, and how far each is here."),
        discussion: Phrase(
            """
            STATE says whether all of it is here, or how it comes; HELD BY which neighbours are known to have it. \
            'run --files' says what is fetched without being asked for. 'save' and 'open' fetch what is not here, and \
            so does --fetch, which does not wait. What --drop frees stays in the tour: it can be fetched again, from \
            the others.

            EXAMPLES
              tour-chat files
              tour-chat files --json
              tour-chat files --fetch 3fa2c1
              tour-chat files --drop 3fa2c1
            """))

    @OptionGroup var choice: TourChoice
    @Option(
        help: ArgumentHelp(Phrase("Fetch this one; answers at once."), valueName: "id"), transform: IDArgument.parse)
    var fetch: IDArgument?
    @Option(help: ArgumentHelp(Phrase("Free what this one takes here."), valueName: "id"), transform: IDArgument.parse)
    var drop: IDArgument?

    func validate() throws {
        guard fetch == nil || drop == nil else { throw ValidationError(Phrase("Either --fetch or --drop.")) }
    }

    var task: any NodeTask {
        if let id = fetch ?? drop {
            FileTask(chosenTour: choice.tour, id: id, isDrop: drop != nil)
        } else {
            FilesTask(chosenTour: choice.tour)
        }
    }
}

/// Shows the files of a tour.
struct FilesTask: NodeTask, AboutTour {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("files"))
        guard let list: FileList = try output.forPeople(eachOf: answer) else { return }
        let files = list.files
        guard !files.isEmpty else { return try StandardStream.error.line(Phrase("No files.")) }
        let head = [
            Phrase("ID"), Phrase("NAME"), Phrase("SIZE"), Phrase("FROM"), Phrase("WHEN"), Phrase("STATE"),
            Phrase("HELD BY"),
        ]
        try output.table(files, head) { file in
            [
                .init(file.shortID, .dim), .init(file.name, .bold), .init(ByteCount.shown(file.size)),
                file.mine ? .init(Phrase("you")) : .init(file.authorName), .moment(file.sentAt),
                .init(file.words(isOnAir: !client.isOffline), file.style),
                .init(client.isOffline ? .empty : file.heldBy),
            ]
        }
        for hint in FileSummary.hints(files) { try output.text(output.styled(hint, .dim)) }
    }
}

/// Requests one file, or frees its space here.
struct FileTask: NodeTask, AboutTour {
    let chosenTour: String?
    let id: IDArgument
    let isDrop: Bool

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let fetch = FileFetch(tour: chosenTour ?? "-", id: id.text)
        let answer = try await isDrop ? client.call(.DELETE, fetch.path) : fetch.ask(client)
        guard let file: FileSummary = try output.forPeople(answer) else { return }
        let name = output.foreign(file.name, .bold)
        if isDrop {
            try output.text(Phrase("\(name) (\(file.shortID)): freed here"))
        } else if file.complete {
            try output.text(Phrase("\(name) (\(file.shortID)): here"))
        } else if client.isOffline {
            try output.text(Phrase("\(name) (\(file.shortID)): asked for; it comes when a node runs"))
        } else {
            try output.text(Phrase("\(name) (\(file.shortID)): asked for"))
        }

    }
}
