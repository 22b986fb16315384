import TourWeb
import TourWords

/// What an answer says of a message that was just written.
struct SendingWords {
    /// As commands take it.
    let id: String
    let status: Phrase

    /// - Parameter answer: `Sent` of the local API, or one with its members.
    init(_ answer: JSON) {
        id = String(answer.shown("id").prefix(8))
        status = StatusWords.message(answer.shown("status"))
    }

    /// The answer to what was sent: `c1d37291 pending`, and where if that has to be said.
    func line(in tour: String?) -> Phrase {
        tour.map { Phrase("\(id) \(status) in \($0)") } ?? Phrase("\(id) \(status)")
    }

    /// The answer about a meeting point.
    var told: Phrase { Phrase("Told all (\(id), \(status)).") }
}
