import Testing
import TourPresentation
import TourWords

@Suite struct SurfaceTests {
    @Test func everyActionHasAName() {
        struct Plain: Surface {
            func name(of action: UserAction) -> Phrase { Phrase(verbatim: "\(action)") }
        }
        for action in UserAction.allCases { #expect(!Plain().name(of: action).isEmpty) }
    }
}
