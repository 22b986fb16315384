import TourModel
import TourWords

/// A fault with words for the user, which say what to do next in the terms of the surface where they appear.
package protocol SpokenFault: Fault {
    /// The words on this surface.
    func phrase(on surface: any Surface) -> Phrase
}

extension Fault {
    /// The words for the user, of which a fault without its own has the description alone.
    package func words(on surface: any Surface) -> Phrase {
        (self as? any SpokenFault)?.phrase(on: surface) ?? Phrase(verbatim: description)
    }
}
