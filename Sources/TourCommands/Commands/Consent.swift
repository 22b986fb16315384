import ArgumentParser
import TourWords

/// `--yes`: what is done before anybody is asked.
struct Consent: ParsableArguments {
    @Flag(name: .customLong("yes"), help: ArgumentHelp(Phrase("Do not ask.")))
    var isGiven = false

    /// For what does not come back.
    /// - Parameter reason: why `--yes` has to be said where nobody can be asked.
    func require(json: Bool, because reason: Phrase) throws {
        guard isGiven || Confirmation.canBeAsked(json: json) else {
            throw ValidationError(Phrase("\(reason): add --yes where nobody can be asked."))
        }
    }

    /// Asks unless that was said.
    func covers(_ question: Phrase, _ output: Output) throws -> Bool {
        try isGiven || Confirmation.isGiven(question, output)
    }
}
