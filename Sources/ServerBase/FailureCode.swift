import HTTPTypes

/// The stable codes of the contract. A code keeps its status and meaning for ever, since clients decide by it.
/// Contract: `Protocol/Schema/openapi.yaml`.
package enum FailureCode: String, CaseIterable, Sendable {
    /// The server cannot follow the HTTP request: its query, a header or the path.
    case badRequest = "bad-request"
    case badJSON = "bad-json"
    case unauthenticated
    case badCredentials = "bad-credentials"
    case badCode = "bad-code"
    /// A refresh token that is unknown, used up, expired or revoked.
    case badRefreshToken = "bad-refresh-token"
    /// The password or code was right, and the account wants its second factor too.
    case secondFactorNeeded = "second-factor-needed"
    /// A second factor that is wrong, or was used before.
    case badSecondFactor = "bad-second-factor"
    case forbidden
    /// The operator has disabled the account: no token of it is good, and it cannot log in.
    case accountDisabled = "account-disabled"
    /// The operator has banned the client's address or network, the contact, or the account.
    case banned
    /// The operator lets nobody make an account.
    case registrationClosed = "registration-closed"
    /// The operator lets only those make an account who bring a code of theirs: it is missing, wrong, used or over.
    case invitationNeeded = "invitation-needed"
    /// The operator lets no guests in.
    case guestsOff = "guests-off"
    /// The account has the role, which the operator allows only with a second factor.
    case secondFactorRequired = "second-factor-required"
    case notFound = "not-found"
    /// No guide has registered the tour on this server.
    case unknownGroup = "unknown-group"
    case unknownMember = "unknown-member"
    /// The member left or was removed, or its log forks.
    case removed
    /// A member's proof fails: its nonce, its signature or its host is wrong.
    case badProof = "bad-proof"
    /// The account lacks the role.
    case notAGuide = "not-a-guide"
    /// The member does not lead the tour.
    case notAllowed = "not-allowed"
    case badGenesis = "bad-genesis"
    /// The tour has no archive, or the archive is not an active member.
    case noArchive = "no-archive"
    case hasArchive = "has-archive"
    case methodNotAllowed = "method-not-allowed"
    case timeout
    case emailTaken = "email-taken"
    case phoneTaken = "phone-taken"
    /// The account has a second factor already.
    case secondFactorOn = "second-factor-on"
    /// The organisation would have no admin.
    case lastAdmin = "last-admin"
    /// The tour is another organisation's.
    case alreadyShared = "already-shared"
    case alreadyInItinerary = "already-in-collection"
    /// A new order names other stops than the itinerary holds.
    case stopsDiffer = "samples-differ"
    /// Another request with the same Idempotency-Key is still running.
    case inProgress = "in-progress"
    /// An earlier request with this Idempotency-Key was carried out; its answer was too large to keep.
    case alreadyDone = "already-done"
    case tooLarge = "too-large"
    /// A piece of a blob does not begin where the last one ended.
    case wrongOffset = "wrong-offset"
    /// All bytes of a blob arrived, and their hash is not its name.
    case wrongHash = "wrong-hash"
    case rangeNotSatisfiable = "range-not-satisfiable"
    /// The tour's or the account's room on this server is used up.
    case quota
    case addressTooLong = "address-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case invalidField = "invalid-field"
    /// Another request was sent with this Idempotency-Key before.
    case keyReused = "idempotency-key-reused"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal"
    case smsFailed = "sms-failed"
    case mailFailed = "mail-failed"
    /// Nobody has proven the account's only name, its e-mail address.
    case emailNotProven = "email-not-proven"
    case unavailable
    /// Never sent: this one and `alreadyServed` end the start.
    case newerDatabase = "newer-database"
    case alreadyServed = "already-served"
    /// Never sent: another request changed the tour's roster meanwhile, and this one starts over
    /// (`TourRosters.settle`).
    case rosterMoved = "roster-moved"

    /// Codes that are never sent to a client.
    package static let internals: Set<FailureCode> = [.newerDatabase, .alreadyServed, .rosterMoved]

    /// The HTTP status of the code.
    package var status: HTTPResponse.Status {
        switch self {
        case .badRequest, .badJSON: .badRequest
        case .unauthenticated, .badCredentials, .badCode, .badRefreshToken, .badProof: .unauthorized
        case .secondFactorNeeded, .badSecondFactor: .unauthorized
        case .secondFactorRequired, .accountDisabled, .banned: .forbidden
        case .registrationClosed, .invitationNeeded, .guestsOff: .forbidden
        case .forbidden, .unknownMember, .removed, .notAGuide, .notAllowed: .forbidden
        case .notFound, .unknownGroup, .noArchive: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .timeout: .requestTimeout
        case .emailTaken, .phoneTaken, .inProgress, .hasArchive, .wrongOffset: .conflict
        case .alreadyInItinerary, .stopsDiffer, .alreadyDone, .emailNotProven, .secondFactorOn: .conflict
        case .lastAdmin, .alreadyShared: .conflict
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
