import TourModel
import TourPresentation
import TourWords

/// Asks again for a passphrase that was wrong.
package enum PassphraseTries {
    /// How often the user is asked.
    package static let most = 3

    /// Does the work with a passphrase from the user, until it is right or was wrong three times.
    /// - Throws: the errors of asking or of the work; `passphrase-wrong` after the last try.
    package static func run<Result>(
        ask: () throws -> [UInt8], _ work: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        for _ in 1..<most {
            do {
                return try await work(try ask())
            } catch let error where isWrong(error) {
                try? StandardStream.error.line(Phrase("That is not it."))
            }
        }
        do {
            return try await work(try ask())
        } catch let error where isWrong(error) {
            throw exhausted
        }
    }

    private static let wrong = "passphrase-wrong"
    private static let exhausted = CommandFailure(
        code: wrong, message: Phrase("the passphrase was wrong \(most) times: nothing was opened"),
        advice: .retypePassphrase)

    private static func isWrong(_ error: any Error) -> Bool {
        // A user who was asked three times inside the work is not asked again outside.
        if let failure = error as? CommandFailure { return failure.code == wrong && failure != exhausted }
        return (error as? any Fault)?.code == wrong
    }
}
