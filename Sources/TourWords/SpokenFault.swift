import TourModel

/// A fault with words for the user, which say what to do next.
package protocol SpokenFault: Fault {
    var phrase: Phrase { get }
}

extension SpokenFault {
    /// The words in English, for logs.
    package var english: String { phrase.english }
}
