import TourPresentation
import TourWords

/// Names actions by their cases, in brackets.
struct NamedSurface: Surface {
    func name(of action: UserAction) -> Phrase { Phrase(verbatim: "[\(action)]") }
}
