import TourAPI
import TourModel
import TourWords

/// The words about a message that was just written.
struct SendingWords {
    /// The id, as commands take it.
    let id: String
    let status: Phrase

    init(_ id: String, _ status: MessageStatus) {
        self.id = String(id.prefix(8))
        self.status = StatusWords.message(status.rawValue)
    }

    init(_ sent: SentMessage) { self.init(sent.id, sent.status) }

    /// The answer to a message: `c1d37291 pending`, with the tour if that must be mentioned.
    func line(in tour: String?) -> Phrase {
        tour.map { Phrase("\(id) \(status) in \($0)") } ?? Phrase("\(id) \(status)")
    }

    /// The answer about a meeting point.
    var told: Phrase { Phrase("Told all (\(id), \(status)).") }
}
