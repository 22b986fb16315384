import TourCrypto
import TourWords

extension InviteCodeError: SpokenFault {
    /// Worded to follow a colon.
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .notBase32: Phrase("the code has a character that no join code has")
        case .wrongLength:
            Phrase("a join code has \(InviteCode.letters) letters: some are missing, or there are too many")
        case .wrongVersion: Phrase("this code was made by another version of tour-chat")
        case .mistyped: Phrase("some letter of the code is mistyped")
        }
    }

    package var advice: Advice? {
        switch self {
        case .notBase32, .wrongLength, .mistyped: .compareCode
        case .wrongVersion: .updateProgram
        }
    }
}
