import ArgumentParser
import TourWeb
import TourWords

/// `join`
struct JoinCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: Phrase("Join a tour with its code.").text,
        discussion: Phrase(
            """
            Takes the code (case, dashes and spaces do not matter) or the tour-chat:// link. Waits until a member of \
            the tour is in reach; any member will do. Without a running node one runs until you have joined.

            EXAMPLES
              tour-chat join ABCD-EFGH-… --name Ben
              tour-chat join 'tour-chat://join/ABCDEFGH…?a=192.168.1.20:4711'
              tour-chat join ABCD-EFGH-… --timeout 60
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @Argument(help: ArgumentHelp(Phrase("The code or the link.")))
    var code: [String]
    @Option(help: ArgumentHelp(Phrase("Your name, as the others see it.")))
    var name: String?
    @Option(help: ArgumentHelp(Phrase("Give up after so many seconds."), valueName: "s"))
    var timeout: Int?

    var absence: NodeAccess.Absence { .beginOnline }

    func validate() throws {
        if let name { try NameRule.check(name) }
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError(Phrase("--timeout wants 1 to 86400 seconds."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var known = name
        if known == nil { known = try await NameQuestion.answer(option: "--name", client, output) }
        // A code typed in groups arrives as several words.
        var body = [JSONMember(name: "code", value: .text(code.joined(separator: " ")))]
        if let known { body.append(JSONMember(name: "name", value: .text(known))) }
        if let timeout { body.append(JSONMember(name: "timeoutSeconds", value: .number(String(timeout)))) }
        if !output.json && StandardStream.error.isTerminal {
            try StandardStream.error.line(Phrase("Looking for a member of the tour … (Ctrl-C gives up)"))
        }
        let answer = try await Self.ask(client, .object(body), isQuiet: output.json)
        if output.json { return try output.object(answer) }
        try output.text(Phrase("You have joined \(output.foreign(answer.shown("name"), .bold))."), Self.next(client))
    }

    private static func next(_ client: LocalClient) -> Phrase {
        client.isOwn
            ? Phrase(
                """
                'tour-chat run' starts the node, which must run for messages to move; then 'tour-chat chat' to talk.
                """)
            : Phrase("'tour-chat chat' to talk.")
    }

    /// Asks the node to join, and reports from time to time what it waits for.
    static func ask(_ client: LocalClient, _ body: JSON, isQuiet: Bool) async throws -> JSON {
        try await withThrowingTaskGroup(of: JSON?.self) { tasks in
            tasks.addTask { try await client.call(.POST, LocalPath.make(["join"]), body) }
            if !isQuiet { tasks.addTask { try await remind() } }
            defer { tasks.cancelAll() }
            while let answer = try await tasks.next() {
                if let answer { return answer }
            }
            throw CancellationError()
        }
    }

    /// Ends only with its task.
    private static func remind() async throws -> JSON? {
        var waited = 0
        while true {
            let pause = JoinWait.pause(after: waited)
            try await Task.sleep(for: .seconds(pause))
            waited += pause
            // The join goes on even if nobody reads the report.
            try? StandardStream.error.line(JoinWait.phrase(after: waited))
        }
    }
}
