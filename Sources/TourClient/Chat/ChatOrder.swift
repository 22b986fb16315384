import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// A line of the chat that runs like a command of the program; the output appears among the messages.
struct ChatOrder: Sendable {
    enum Errand: Sendable {
        case members
        case search(String)
        /// The words of `tour-chat meet`.
        case meet([String])
        /// Sends this device's position.
        case here(PlaceArgument)
        /// The actions of `tour-chat roll`.
        case present, callRoll(String), endRoll
        /// Confirms all urgent announcements.
        case understood
        /// Lets in who asks to join, or not; by the words, as typed.
        case decide([String], isAdmission: Bool)
    }

    let errand: Errand
    /// As typed.
    let line: String
    /// The width of the output.
    let columns: Int

    /// A search shows this many matches, the last ones.
    private static let foundMax = 30

    /// Sends nothing, so that a refusal leaves no line to send again.
    var isQuestion: Bool {
        switch errand {
        case .members, .search: true
        case .meet, .here, .present, .callRoll, .endRoll, .understood, .decide: false
        }
    }

    func perform(_ client: LocalClient, tour: String, _ output: Output) async throws {
        switch errand {
        case .members: try await MembersTask(chosenTour: tour, here: nil).perform(client, output)
        case .search(let words):
            try output.text(Phrase("Found for “\(TerminalText.safe(words))” (the last \(Self.foundMax) at most):"))
            let search = MessagesTask(
                chosenTour: tour, follow: false, since: nil, limit: Self.foundMax, search: words, markRead: false)
            try await search.perform(client, output)
        case .meet(let words): try await Self.meeting(words, tour: tour).perform(client, output)
        case .here(let place):
            let draft = Draft(text: place.label, location: try await Self.fix(place, client))
            _ = try await client.send(draft, LocalPath.make(["tours", tour, "messages"]))
        case .present:
            try await RollAnswerTask(chosenTour: tour, isHere: true, members: []).perform(client, output)
        case .callRoll(let text):
            _ = try await client.call(.POST, LocalPath.make(["tours", tour, "roll"]), ["text": .text(text)])
        case .endRoll:
            let roll: RollView = try await client.ask(.POST, LocalPath.make(["tours", tour, "roll", "end"]))
            try output.text(RollWords(roll).outcome)
        case .understood: try await UnderstoodTask(chosenTour: tour, id: nil).perform(client, output)
        case .decide(let typed, let isAdmission):
            try await AskDecisionTask(chosenTour: tour, typed: typed, isAdmission: isAdmission)
                .perform(client, output)
        }
    }

    /// The place that was given, or the receiver's.
    private static func fix(_ place: PlaceArgument, _ client: LocalClient) async throws -> Fix {
        do {
            return try await place.fix(client, GpsdOption.parse([]))
        } catch let failure as CommandFailure where failure.code.hasPrefix("gps") {
            throw CommandFailure(
                code: failure.code, message: Phrase("\(failure.message) Without a receiver: /here LAT,LON TEXT"))
        }
    }

    /// - Throws: the parser's refusal of such words, or its help.
    private static func meeting(_ words: [String], tour: String) throws -> MeetCommand {
        var parsed = try ChatParser.parseAsRoot(GlobalArguments.normalized(["meet"] + words))
        guard var command = parsed as? MeetCommand else {
            // Help that was asked for is a command too.
            try parsed.run()
            throw CommandFailure.badAnswer
        }
        guard command.choice.tour == nil else {
            throw ValidationError(Phrase("The chat is about this tour alone: leave --tour out."))
        }
        command.choice.tour = tour
        if let photo = command.photo { command.photo = try AbsolutePath.ofTyped(photo) }
        return command
    }
}

extension ChatSession {
    /// Performs orders one after the other, as they were typed.
    func perform(_ orders: AsyncStream<ChatOrder>, into source: AsyncStream<Event>.Continuation) async {
        for await order in orders {
            let (lines, page) = AsyncStream.makeStream(of: String.self)
            let output = Output(columns: order.columns) { page.yield($0) }
            var failure: CommandFailure?
            do {
                try await order.perform(client, tour: tourID, output)
            } catch is CancellationError {
                return
            } catch let refusal as CommandFailure {
                failure = refusal
            } catch  where ChatParser.exitCode(for: error).isSuccess {
                page.yield(UsageWords.text(for: error, of: ChatParser.self, columns: order.columns))
            } catch {
                failure = Self.refusal(by: error)
            }
            page.finish()
            let answer = await lines.reduce(into: []) { $0.append($1) }.joined(separator: "\n")
            if !answer.isEmpty { source.yield(.notice(Phrase(verbatim: answer))) }
            guard let failure else { continue }
            source.yield(
                order.isQuestion
                    ? .notice(Phrase(verbatim: TerminalText.safe(failure.message.text)))
                    : .refused(line: order.line, failure))
        }
    }

    /// The parser's refusal as a failure.
    private static func refusal(by error: any Error) -> CommandFailure {
        CommandFailure(code: "usage", message: UsageComplaint.translated(ChatParser.message(for: error)))
    }
}

/// The program as it parses what a chat has of its commands, with the same help and refusals.
private struct ChatParser: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour-chat", version: "tour-chat \(ProgramVersion.text)", subcommands: [MeetCommand.self],
        helpNames: GlobalArguments.helpNames)
}
