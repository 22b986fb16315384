import TourAPI
import TourPresentation
import TourWords

// A tour near us that answers those who ask to join.
extension NearbyTour {
    /// The two words, safe for the terminal.
    fileprivate var shown: String { TerminalText.safe(label) }

    /// Whether a label, as typed, begins this one's: cases and dashes do not matter.
    package func isMeant(by typed: [String]) -> Bool {
        Asker.words(in: [label]).joined(separator: " ").hasPrefix(Asker.words(in: typed).joined(separator: " "))
    }

    /// Waits until a tour is near that this label means, and asks which one where there are several.
    /// - Parameter label: as typed; empty: any tour.
    static func choose(
        label: [String], timeoutSeconds: Int, _ client: LocalClient, _ output: Output
    ) async throws -> NearbyTour {
        let words = Phrase("Looking for tours near you … (Ctrl-C gives up)")
        let found = try await PatienceLine.around(words, output) {
            try await look(for: label, timeoutSeconds: timeoutSeconds, client)
        }
        guard found.count > 1 else { return found[0] }
        guard Confirmation.canBeAsked(json: output.json) else { throw CommandFailure.severalTours(found) }
        try output.text(Phrase("Several tours are near. The guide's screen shows the two words of yours."))
        for (number, tour) in found.enumerated() { try output.line("  \(number + 1)  \(tour.shown)") }
        return found[try NumberQuestion.answer(Phrase("Which one?"), upTo: found.count) - 1]
    }

    /// - Returns: at least one.
    private static func look(
        for label: [String], timeoutSeconds: Int, _ client: LocalClient
    ) async throws -> [NearbyTour] {
        var meant = [NearbyTour]()
        for _ in 0..<max(timeoutSeconds, 1) {
            let near: NearbyTours = try await client.ask(.GET, LocalPath.make(["nearby"]))
            let hadFound = !meant.isEmpty
            meant = near.tours.filter { $0.isMeant(by: label) }
            // Tours are found one after the other: the first is not always the only one.
            if !meant.isEmpty, hadFound || !label.isEmpty { return meant }
            try await Task.sleep(for: .seconds(1))
        }
        guard !meant.isEmpty else { throw CommandFailure.noTourNear }
        return meant
    }
}

/// A choice among numbered lines.
enum NumberQuestion {
    /// Asks until the answer is one of the numbers from 1.
    /// - Throws: `interrupted` at the end of the input.
    static func answer(_ question: Phrase, upTo last: Int) throws -> Int {
        while true {
            try StandardStream.output.write("\(question.text) [1-\(last)] ".utf8)
            guard let line = readLine() else { throw CommandFailure.interrupted }
            if let number = Int(line), (1...last).contains(number) { return number }
        }
    }
}

extension CommandFailure {
    static let noTourNear = CommandFailure(
        code: "no-tour-near", message: Phrase("no tour near here answers those who ask"),
        advice: .goToGuide)

    static func severalTours(_ tours: [NearbyTour]) -> CommandFailure {
        CommandFailure(
            code: "several-tours",
            message: Phrase("several tours are near: \(tours.map(\.shown).joined(separator: ", "))"),
            advice: .nameLabel)
    }
}
