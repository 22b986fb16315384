import TourJSON
import TourWeb
import TourWords

/// The words about a message that was just written.
struct SendingWords {
    /// The id, as commands take it.
    let id: String
    let status: Phrase

    /// - Parameter answer: `Sent` of the local API, or one with its fields.
    init(_ answer: JSON) {
        id = String(answer.shown("id").prefix(8))
        status = StatusWords.message(answer.shown("status"))
    }

    /// The answer to a message: `c1d37291 pending`, with the tour if that must be mentioned.
    func line(in tour: String?) -> Phrase {
        tour.map { Phrase("\(id) \(status) in \($0)") } ?? Phrase("\(id) \(status)")
    }

    /// The answer about a meeting point.
    var told: Phrase { Phrase("Told all (\(id), \(status)).") }
}
