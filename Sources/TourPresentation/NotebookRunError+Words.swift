import TourMailbox
import TourWords

extension NotebookRunError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .api(let error): error.phrase(on: surface)
        case .otherAccount:
            Phrase(
                """
                This notebook belongs to another account: log in with that one, or let this one have all of it by \
                \(surface.name(of: .unlinkNotebook)).
                """)
        case .store: Phrase("The notebook could not be read or written: \(surface.name(of: .doctor)) says more.")
        }
    }

    package var advice: Advice? {
        switch self {
        case .api(let error): error.advice
        case .otherAccount: .freeNotebook
        case .store: nil
        }
    }
}
