/// Notes and itineraries at the server. Contract: `Protocol/Schema/openapi.yaml`.
extension ServerLimits {
    /// One of them in JSON, in bytes: the longest note with every character escaped.
    package static let itemBodyMax = 2 * 1024 * 1024
    /// Rows of a list of them in one answer, which is also what is given where the client wishes for no fewer: clients
    /// that know of no pages see all that a person writes.
    package static let itemRowsMax = 10_000
    /// Their contents in one answer, in bytes: what is behind comes with the next page.
    package static let itemAnswerBytes = 16 * 1024 * 1024
    /// Rows read at a time for it: the longest notes fit together.
    static let itemsReadAtOnce = 64
    /// Itineraries that one request puts a stop into, each of which is written anew.
    package static let collectionIDsMax = 100

    /// Documents that wait to be printed, and when to ask again where there are more, in seconds.
    static let printsWaitingMax = 16
    static let printsPerCallerMax = 4
    static let printsRetry = 5
}
