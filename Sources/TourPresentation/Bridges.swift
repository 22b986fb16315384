import TourImage
import TourMailbox
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
