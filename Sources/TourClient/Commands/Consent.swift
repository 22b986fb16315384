import ArgumentParser
import TourWords

/// `--yes`: consent given in advance.
package struct Consent: ParsableArguments {
    @Flag(name: .customLong("yes"), help: ArgumentHelp(Phrase("Do not ask.")))
    var isGiven = false

    package init() {}

    /// For acts that cannot be undone.
    /// - Parameter reason: why `--yes` is necessary where nobody can be asked.
    package func require(json: Bool, because reason: Phrase) throws {
        guard isGiven || Confirmation.canBeAsked(json: json) else {
            throw ValidationError(Phrase("\(reason): add --yes where nobody can be asked."))
        }
    }

    /// Asks, unless `--yes` was given.
    package func covers(_ question: Phrase, _ output: Output) throws -> Bool {
        try isGiven || Confirmation.isGiven(question, output)
    }
}
