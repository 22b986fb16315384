import TourPresentation
import TourWords

/// The rule for new passphrases.
package enum PassphraseRule {
    /// The shortest passphrase that is accepted without question.
    package static let charactersMin = 8

    /// - Throws: for a passphrase that is too short, unless its user insists.
    package static func check(_ passphrase: [UInt8], allowsWeak: Bool) throws(CommandFailure) {
        guard !allowsWeak, String(decoding: passphrase, as: UTF8.self).count < charactersMin else { return }
        throw CommandFailure(
            code: "passphrase-short", message: Phrase("a new passphrase has at least \(charactersMin) characters"),
            advice: .lengthenPassphrase
        )
    }
}
