import ArgumentParser
import TourWeb

/// `send`
struct SendCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message.",
        discussion: """
            Answers when the message is stored; without a running node it is sent when one runs. With - each line of \
            standard input is a message, and each gets its line of answer, in order; blank lines are none. A text that \
            starts with a dash goes behind --.

            EXAMPLES
              tour-chat send "We are at the fountain"
              tour-chat send "On my way" --reply 3fa2c1
              tail -f log.txt | tour-chat send -
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(help: "The text, or - for a message a line from standard input.")
    var text: String
    @Option(
        help: ArgumentHelp("The message this answers: six or more digits of its id.", valueName: "id"),
        transform: IDArgument.parse)
    var reply: IDArgument?

    var ready: ReadyTask {
        ReadyTask(setting: global.setting, task: SendTask(chosenTour: choice.tour, text: text, reply: reply))
    }
}

/// Sends a text, or a message a line from standard input.
struct SendTask: NodeTask, AboutTour {
    let chosenTour: String?
    /// `-`: standard input.
    let text: String
    let reply: IDArgument?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if text == "-" {
            let place = try await inTour(client, output)
            try await LineSender(replyTo: reply?.text, place: place).run(client, tourPath("messages"), output)
            return try AbsenceNote.stored.print(client, output)
        }
        try Draft.check(text)
        let answer = try await client.call(
            .POST, tourPath("messages"), Draft(text: text, replyTo: reply?.text).json)
        if output.json { return try output.object(answer) }
        let place = try await inTour(client, output)
        try output.text("\(answer.shown("id").prefix(8)) \(answer.shown("status"))\(place)")
        try AbsenceNote.stored.print(client, output)
    }
}
