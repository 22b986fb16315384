import ArgumentParser
import TourAPI
import TourWords

/// `messages`
struct MessagesCommand: TaskCommand, ChoosesTour {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: Phrase("Show what was written, and follow what comes."),
        discussion: Phrase(
            """
            In the tour's order, the same on all devices. With --follow first what is stored, then each message as \
            it comes, and again when its state changes: … with you only, ✓ on another device, ✓✓ with everybody, \
            ✓✓ read when everybody has read it, ✗ where others do not take it. ★ stands behind the names of those who \
            lead the tour, and digits of the id behind names that read like another's. Between the messages, for \
            people only, who came and went, and what became of your own part in the tour.

            EXAMPLES
              tour-chat messages --limit 20
              tour-chat messages --search "bus gate"
              tour-chat messages --follow --json
            """))

    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Stay and show what comes. Needs a running node.")))
    var follow = false
    @Option(
        help: ArgumentHelp(Phrase("Only what comes after this message."), valueName: "id"), transform: IDArgument.parse)
    var since: IDArgument?
    @Option(help: ArgumentHelp(Phrase("Only the last so many."), valueName: "n"))
    var limit: Int?
    @Option(help: ArgumentHelp(Phrase("Only those with all of these words."), valueName: "words"))
    var search: String?
    @Flag(help: ArgumentHelp(Phrase("Mark what is shown as read.")))
    var markRead = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError(Phrase("--limit wants a number from 1.")) }
    }

    var task: any NodeTask {
        MessagesTask(
            chosenTour: choice.tour, follow: follow, since: since, limit: limit, search: search, markRead: markRead)
    }
}

/// Shows stored messages, and new ones as they arrive.
struct MessagesTask: NodeTask, AboutTour {
    let chosenTour: String?
    let follow: Bool
    let since: IDArgument?
    let limit: Int?
    let search: String?
    let markRead: Bool

    var absence: NodeAccess.Absence { follow ? .refuse : .offline }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let path = tourPath(
            "messages",
            query: [
                ("since", since?.text), ("limit", limit.map { String($0) }), ("search", search),
                ("follow", follow ? "true" : nil), ("markRead", markRead ? "true" : nil),
                ("notes", follow && !output.json ? "true" : nil),
            ])
        var lines = WholeLines()
        var list = MessageList(isColored: output.isColored)
        do {
            try await client.stream(path) { chunk in
                let whole = lines.add(chunk)
                guard !whole.isEmpty else { return }
                if output.json { return try StandardStream.output.write(whole) }
                var shown = [String]()
                for line in whole.split(separator: 0x0A) {
                    switch try StreamLine(answer: line) {
                    case .message(let message): shown += list.add(message)
                    case .note(let note): shown.append(output.styled("-- \(note.shown)", .dim))
                    }
                }
                if !shown.isEmpty { try output.line(shown.joined(separator: "\n")) }
            }
        } catch let failure as CommandFailure where follow && failure == .nodeGone {
            throw CommandFailure.nodeEnded
        }
        // A followed stream has no end of its own.
        if follow { throw CommandFailure.nodeEnded }
        if !lines.isComplete { throw CommandFailure.nodeGone }
        if !output.json && list.isEmpty {
            try output.aside(search == nil ? Phrase("No messages.") : Phrase("Nothing found."))
        }
    }
}
