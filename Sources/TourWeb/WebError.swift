import TourModel
import TourPresentation
import TourWords

/// Why a request does not reach the node, or its answer does not leave it.
package struct WebError: SpokenFault {
    /// A stable name, as answers spell it.
    package let code: String
    /// `record`: only the request fails; `node`: this machine is in trouble.
    package let scope: FaultScope
    /// What to do, where the words do not say it.
    package let advice: Advice?
    private let phrase: Phrase

    /// - Parameter phrase: names actions in the terms of the surface that `Reader.current` has.
    init(_ code: String, _ phrase: Phrase, advice: Advice? = nil, scope: FaultScope = .record) {
        self.code = code
        self.phrase = phrase
        self.advice = advice
        self.scope = scope
    }

    package func phrase(on surface: any Surface) -> Phrase { phrase }
}
