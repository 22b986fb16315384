/// Notes and itineraries at the server. Contract: `Protocol/Schema/openapi.yaml`.
extension ServerLimits {
    /// The JSON of one note or itinerary, in bytes: the longest note with every character escaped.
    package static let itemBodyMax = 2 * 1024 * 1024
    /// Rows of a list in one answer, by default and at most: clients that know no pages see everything that a person
    /// writes.
    package static let itemRowsMax = 10_000
    /// The contents in one answer, in bytes; the rest comes with the next page.
    package static let itemAnswerBytes = 16 * 1024 * 1024
    /// Rows read at a time for an answer: even the longest notes fit together.
    package static let itemsReadAtOnce = 64
    /// Itineraries into which one request puts a stop: each is written again.
    package static let itineraryIDsMax = 100

    /// Documents that wait to be printed, of all callers and of one, and when a refused caller may ask again, in
    /// seconds.
    package static let printsWaitingMax = 16
    package static let printsPerCallerMax = 4
    package static let printsRetry = 5
}
