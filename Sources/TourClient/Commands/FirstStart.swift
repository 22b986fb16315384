import ArgumentParser
import TourAPI
import TourJSON
import TourPresentation
import TourWords

/// The questions to somebody who is in no tour yet: the name, how to begin, and how the others come.
enum FirstStart {
    /// - Returns: whether the user is in a tour now.
    /// - Throws: `no-tour` where nobody can be asked.
    static func begin(_ client: LocalClient, _ output: Output) async throws -> Bool {
        guard Confirmation.canBeAsked(json: output.json) else { throw CommandFailure.noTourYet }
        if let name = try await NameQuestion.answer(option: "--name", client, output) {
            _ = try await client.setName(name)
        }
        try output.text(
            .empty, Phrase("You are in no tour yet. How do you begin?"),
            Phrase("  1  Join a tour near you, by asking its guide"),
            Phrase("  2  Join with a code, a link, or eight digits that are read out"),
            Phrase("  3  Create a tour"))
        switch try NumberQuestion.answer(Phrase("Your choice:"), upTo: 3) {
        case 1: return try await ask(digits: nil, client, output)
        case 2: return try await joinByCode(client, output)
        default: return try await create(client, output)
        }
    }

    private static func ask(digits: String?, _ client: LocalClient, _ output: Output) async throws -> Bool {
        let name = try await client.status().name
        let asking = JoinByAsking(
            digits: digits, label: [], consent: try Consent.parse([]), timeoutSeconds: JoinByAsking.timeoutStandard)
        return try await asking.join(as: name, client, output) != nil
    }

    private static func joinByCode(_ client: LocalClient, _ output: Output) async throws -> Bool {
        let typed = try answer(Phrase("Code, link or digits:"))
        if let digits = TypedDigits.read([typed]) { return try await ask(digits: digits, client, output) }
        try await JoinCommand.join(code: typed, name: nil, timeoutSeconds: nil, client, output)
        return true
    }

    private static func create(_ client: LocalClient, _ output: Output) async throws -> Bool {
        var name = try answer(Phrase("Name of the tour:"))
        while true {
            do {
                try NameRule.check(name)
                break
            } catch {
                try output.line("  \(error)")
                name = try answer(Phrase("Name of the tour:"))
            }
        }
        let wanted: JSON = ["name": .text(name), "history": "full"]
        let tour: CreatedTour = try await client.ask(.POST, LocalPath.make(["tours"]), wanted)
        let asking: AskingView? = try? await client.ask(.GET, LocalPath.make(["tours", tour.tourID, "asking"]))
        try output.text(
            .empty, Phrase("Created \(output.foreign(tour.name, .bold)). The others come like this:"),
            Phrase("  Near you they run 'tour-chat' and ask; the chat shows who asks, and how to let in."))
        if let label = asking?.label {
            try output.text(Phrase("  They find the tour as “\(output.foreign(label, .bold))”."))
        }
        try output.text(
            Phrase("  'tour-chat tour read-out' makes eight digits to read out, 'tour-chat tour invite' a QR code."),
            Phrase("  The code is \(tour.joinCode)"))
        _ = try answer(Phrase("Enter opens the chat."))
        return true
    }

    /// - Throws: `interrupted` at the end of the input.
    private static func answer(_ question: Phrase) throws -> String {
        try StandardStream.output.write("\(question.text) ".utf8)
        guard let line = readLine() else { throw CommandFailure.interrupted }
        return line
    }
}

extension CommandFailure {
    /// The node's own words.
    fileprivate static let noTourYet = CommandFailure(
        code: "no-tour", message: Phrase("There is no tour yet."), advice: .enterTour)
}
