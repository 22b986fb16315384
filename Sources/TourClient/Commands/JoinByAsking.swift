import Glibc
import TourAPI
import TourJSON
import TourPresentation
import TourWords

/// Joins by asking a member near: by words that two people compare, or by digits that one of them reads aloud.
struct JoinByAsking: Sendable {
    /// nil: by words.
    let digits: String?
    /// The tour's two words as typed, or some of them; empty: any tour near.
    let label: [String]
    /// That the words agree was said in advance.
    let consent: Consent
    let timeoutSeconds: Int

    static let timeoutStandard = 60
    private static let path = LocalPath.make(["ask"])

    /// - Parameter name: what the newcomer wants to be called.
    /// - Returns: the node's answer to the join; nil where the words did not agree.
    func join(as name: String, _ client: LocalClient, _ output: Output) async throws -> JSON? {
        let tour = try await NearbyTour.choose(
            label: label, timeoutSeconds: timeoutSeconds, client, output)
        var body = [JSONMember(name: "tag", value: .text(tour.tag)), JSONMember(name: "name", value: .text(name))]
        if let digits { body.append(JSONMember(name: "digits", value: .text(digits))) }
        _ = try await client.call(.PUT, Self.path, .object(body))
        let admitted = try await Interruption.mayEnd { try await wait(client, output) }
        guard let admitted else {
            // The guide must not see somebody who has gone.
            _ = try? await client.call(.DELETE, Self.path)
            throw CommandFailure.interrupted
        }
        // The wait left it ignored, and a question must end by it.
        if !client.isOwn { signal(SIGINT, SIG_DFL) }
        if digits == nil, !output.json {
            try output.text(Phrase("“\(output.foreign(admitted.tour ?? "", .bold))” lets you in."))
        }
        guard try digits != nil || consent.covers(Phrase("Do the words agree?"), output) else {
            _ = try await client.call(.DELETE, Self.path)
            return nil
        }
        return try await client.call(.POST, LocalPath.make(["ask", "join"]))
    }

    /// Shows the words, and waits for the member's person.
    /// - Returns: the ask that was admitted.
    /// - Throws: the refusal, in the node's words.
    private func wait(_ client: LocalClient, _ output: Output) async throws -> Ask {
        let line = StatusLine(output: output)
        defer { line.end() }
        var last: Ask?
        var shown: [String]?
        while true {
            let answer = try await client.call(.GET, Self.path)
            let ask = try Ask(answer: answer)
            var news = ask
            news.secondsLeft = nil
            if news != last {
                line.end()
                // Once, however often the member's answer or the time that is left changes.
                if let ask: Ask = try output.forPeople(answer), ask.state == "waiting", ask.words != shown {
                    try show(ask, output)
                    shown = ask.words
                }
                last = news
            }
            switch ask.state {
            case "admitted": return ask
            case "refused", "none": throw CommandFailure(refusal: ask)
            case "waiting": line.show(Self.progress(ask).text)
            default: line.show(Phrase("Looking for a member of the tour … (Ctrl-C gives up)").text)
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func show(_ ask: Ask, _ output: Output) throws {
        guard let words = ask.words else { return }
        let shown = output.foreign(words.joined(separator: " "), .bold)
        try output.text(
            Phrase("Show these words to the guide, whose screen must show the same:"), .empty,
            Phrase(verbatim: "    \(shown)"), .empty)
    }

    private static func progress(_ ask: Ask) -> Phrase {
        guard let seconds = ask.secondsLeft else {
            return Phrase("Waiting for the guide … (Ctrl-C gives up)")
        }
        return Phrase("Waiting for the guide, \(DurationArgument.shown(seconds: seconds)) more … (Ctrl-C gives up)")
    }
}

extension CommandFailure {
    /// Why an ask ended, in the node's words.
    fileprivate init(refusal ask: Ask) {
        self.init(
            code: ask.refusal ?? "refused",
            message: ask.sentence.map { Phrase(verbatim: $0) } ?? Phrase("the tour did not let you in"),
            advice: .askAgain)
    }
}
