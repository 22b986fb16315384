import TourModel

/// A fault with words for a person, which say what to do next.
package protocol SpokenFault: Fault {
    var phrase: Phrase { get }
}

extension SpokenFault {
    package var english: String { phrase.english }
}
