import TourCrypto
import TourImage
import TourMailbox
import TourNode
import TourPosition
import TourWords

// Faults whose modules still hold the words themselves.
extension PictureError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase { phrase }
}

extension APIError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase { phrase }
}

extension NotebookRunError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase { phrase }
}

extension PositionFault: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase { phrase }
}

extension InviteCodeError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase { phrase }
}

extension NodeError: SpokenFault {
    /// The words of the fault of another module that caused it; else its own.
    package func phrase(on surface: any Surface) -> Phrase {
        (cause as? any SpokenFault)?.phrase(on: surface) ?? phrase
    }
}
