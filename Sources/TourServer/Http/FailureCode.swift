import HTTPTypes

/// The stable codes of the contract. A code has one status and one meaning for ever; clients decide by it.
/// Contract: `Protocol/Schema/openapi.yaml`.
package enum FailureCode: String, CaseIterable, Sendable {
    /// What was sent is no HTTP request that can be followed: a query, a header or a path.
    case badRequest = "bad-request"
    case badJSON = "bad-json"
    case unauthenticated
    case badCredentials = "bad-credentials"
    case badCode = "bad-code"
    /// A refresh token that is unknown, used up, expired or revoked.
    case badRefreshToken = "bad-refresh-token"
    case forbidden
    case notFound = "not-found"
    /// The tour was not made known here.
    case unknownGroup = "unknown-group"
    case unknownMember = "unknown-member"
    /// The member was removed, left, or its log forks.
    case removed
    /// A member's proof: its nonce, its signature or its host.
    case badProof = "bad-proof"
    /// An account without the role.
    case notAGuide = "not-a-guide"
    /// A member who does not lead the tour.
    case notAllowed = "not-allowed"
    case badGenesis = "bad-genesis"
    /// The tour has no archive, or it does not read there yet.
    case noArchive = "no-archive"
    case hasArchive = "has-archive"
    case methodNotAllowed = "method-not-allowed"
    case timeout
    case emailTaken = "email-taken"
    case phoneTaken = "phone-taken"
    case alreadyInCollection = "already-in-collection"
    /// A new order names other samples than the collection has.
    case samplesDiffer = "samples-differ"
    /// The same Idempotency-Key is at work in another request.
    case inProgress = "in-progress"
    /// The same Idempotency-Key came before: it was done, and its answer was too large to be kept.
    case alreadyDone = "already-done"
    case tooLarge = "too-large"
    /// A piece of a blob that does not begin where the last one ended.
    case wrongOffset = "wrong-offset"
    /// A blob that is whole, and is another one than its name says.
    case wrongHash = "wrong-hash"
    case rangeNotSatisfiable = "range-not-satisfiable"
    /// The room of the tour, or of the account, here is used up.
    case quota
    case addressTooLong = "address-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case invalidField = "invalid-field"
    /// The same Idempotency-Key came with another request.
    case keyReused = "idempotency-key-reused"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal"
    case smsFailed = "sms-failed"
    case mailFailed = "mail-failed"
    /// Nobody has shown that the account's only name, its e-mail address, is its owner's.
    case emailNotProven = "email-not-proven"
    case unavailable
    /// Never sent: they end the start.
    case newerDatabase = "newer-database"
    case alreadyServed = "already-served"
    /// Never sent: others added to the tour's roster meanwhile, and the request begins anew (`TourRosters.settle`).
    case rosterMoved = "roster-moved"

    /// Codes of which no client hears.
    package static let internals: Set<FailureCode> = [.newerDatabase, .alreadyServed, .rosterMoved]

    package var status: HTTPResponse.Status {
        switch self {
        case .badRequest, .badJSON: .badRequest
        case .unauthenticated, .badCredentials, .badCode, .badRefreshToken, .badProof: .unauthorized
        case .forbidden, .unknownMember, .removed, .notAGuide, .notAllowed: .forbidden
        case .notFound, .unknownGroup, .noArchive: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .timeout: .requestTimeout
        case .emailTaken, .phoneTaken, .inProgress, .hasArchive, .wrongOffset: .conflict
        case .alreadyInCollection, .samplesDiffer, .alreadyDone, .emailNotProven: .conflict
        case .tooLarge: .contentTooLarge
        case .addressTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .invalidField, .keyReused, .badGenesis, .wrongHash: .unprocessableContent
        case .tooManyRequests: .tooManyRequests
        case .internalError: .internalServerError
        case .smsFailed, .mailFailed: .badGateway
        case .unavailable, .newerDatabase, .alreadyServed, .rosterMoved: .serviceUnavailable
        case .quota: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }
}
