import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `join`
struct JoinCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: Phrase("Join a tour with its code, or by asking a guide near you."),
        discussion: Phrase(
            """
            Takes the code (case, dashes and spaces do not matter) or the tour-chat:// link. Waits until a member of \
            the tour is in reach; any member will do. Without a running node one runs until you have joined.

            --nearby asks a guide near you, with no code: both screens show four words, and where they are the same \
            the guide lets you in and you say yes. Eight digits that a guide reads out need no words. Where several \
            tours are near, name yours by the two words on the guide's screen. --yes joins without the question: for \
            who has compared the words otherwise.

            EXAMPLES
              tour-chat join --nearby --name Ben
              tour-chat join --nearby marble canoe
              tour-chat join 1234-5678
              tour-chat join --digits 12345678 marble canoe
              tour-chat join ABCD-EFGH-… --name Ben
              tour-chat join 'tour-chat://join/ABCDEFGH…?a=192.168.1.20:4711'
              tour-chat join ABCD-EFGH-… --timeout 60
            """))

    @OptionGroup var global: GlobalOptions
    @Argument(
        help: ArgumentHelp(
            Phrase("The code, the link, or eight digits; with --nearby and --digits the two words of the tour.")))
    var code: [String] = []
    @Flag(help: ArgumentHelp(Phrase("Ask a guide near you, and compare four words.")))
    var nearby = false
    @Option(help: ArgumentHelp(Phrase("The eight digits that a guide reads out.")))
    var digits: String?
    @OptionGroup var consent: Consent
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
        if let digits, TypedDigits.read([digits]) == nil || nearby {
            throw ValidationError(
                nearby ? Phrase("--nearby and --digits exclude each other.") : Phrase("--digits wants eight digits."))
        }
        if nearby { try consent.require(json: global.json, because: Phrase("Two people must compare the words")) }
        if code.isEmpty, asking == nil {
            throw ValidationError(Phrase("Say the code, or --nearby to ask a guide near you."))
        }
    }

    /// nil: by a code or a link.
    private var asking: JoinByAsking? {
        let typed = digits.map { [$0] } ?? (nearby ? nil : code)
        let spoken = typed.flatMap { TypedDigits.read($0) }
        guard nearby || spoken != nil else { return nil }
        return JoinByAsking(
            digits: spoken, label: nearby || digits != nil ? code : [], consent: consent,
            timeoutSeconds: timeout ?? JoinByAsking.timeoutStandard)
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var known = name
        if known == nil { known = try await NameQuestion.answer(option: "--name", client, output) }
        if let asking {
            var own = known
            if own == nil { own = try await client.status().name }
            guard let answer = try await asking.join(as: own ?? "", client, output) else { return }
            return try Self.report(answer, client, output)
        }
        // A code typed in groups arrives as several words.
        try await Self.join(
            code: code.joined(separator: " "), name: known, timeoutSeconds: timeout, client, output)
    }

    /// Joins by a code or a link, and reports it.
    static func join(
        code: String, name: String?, timeoutSeconds: Int?, _ client: LocalClient, _ output: Output
    ) async throws {
        var body = [JSONMember(name: "code", value: .text(code))]
        if let name { body.append(JSONMember(name: "name", value: .text(name))) }
        if let timeoutSeconds {
            body.append(JSONMember(name: "timeoutSeconds", value: .number(String(timeoutSeconds))))
        }
        if !output.json && StandardStream.error.isTerminal {
            try StandardStream.error.line(Phrase("Looking for a member of the tour … (Ctrl-C gives up)"))
        }
        try report(await ask(client, .object(body), isQuiet: output.json), client, output)
    }

    private static func report(_ answer: JSON, _ client: LocalClient, _ output: Output) throws {
        guard let tour: JoinedTour = try output.forPeople(answer) else { return }
        try output.text(Phrase("You have joined \(output.foreign(tour.name, .bold))."), next(client))
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
