import TourModel
import TourWords

/// A fault with words for the user, which say what to do next in the terms of the surface where they appear.
package protocol SpokenFault: Fault {
    /// The words on this surface.
    func phrase(on surface: any Surface) -> Phrase
    /// What to do, where the words do not say it.
    var advice: Advice? { get }
}

extension SpokenFault {
    package var advice: Advice? { nil }
}

extension Fault {
    /// The words for the user, of which a fault without its own has the description alone.
    package func words(on surface: any Surface) -> Phrase {
        (self as? any SpokenFault)?.phrase(on: surface) ?? Phrase(verbatim: description)
    }

    /// What to do, on this surface, where the words do not say it.
    package func advice(on surface: any Surface) -> Phrase? {
        (self as? any SpokenFault)?.advice?.phrase(on: surface)
    }
}
