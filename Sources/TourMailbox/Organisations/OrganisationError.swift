import TourModel

/// Why a request about an organisation got nowhere.
/// Source: `Protocol/10-server.md`, "Organisations".
package enum OrganisationError: Fault, Hashable {
    /// The account is in no such organisation, or that has no such member, invitation or tour: the server does not tell
    /// which.
    case unknown
    /// No open invitation there names the account.
    case notInvited
    /// The code lets nobody in: it is wrong, used or over.
    case wrongCode
    /// The account made no such tour known, and planned none.
    case unknownTour
    /// Only the server's operator makes organisations for accounts of this role.
    case operatorAlone
    /// Only admins of the organisation may do that.
    case adminsAlone
    /// The organisation would have no admin.
    case lastAdmin
    /// The tour is another organisation's.
    case sharedElsewhere
    /// The account has no name to log in with that is proven.
    case notProven
    /// The server's bound of members, organisations, invitations, tours or plans is reached.
    case full
    /// Anything else, which has nothing to do with organisations.
    case server(APIError)

    /// What was tried, where the same refusal has several reasons.
    enum Act {
        case create, join, share, other
    }

    init(_ error: APIError, at act: Act) {
        guard case .http(_, let refusal, nil) = error else {
            self = .server(error)
            return
        }
        self =
            switch (refusal.code, act) {
            case ("not-found", .join): .notInvited
            case ("not-found", .share): .unknownTour
            case ("not-found", _): .unknown
            case ("bad-code", .join): .wrongCode
            case ("forbidden", .create): .operatorAlone
            case ("forbidden", _): .adminsAlone
            case ("last-admin", _): .lastAdmin
            case ("already-shared", _): .sharedElsewhere
            case ("email-not-proven", _): .notProven
            case ("quota", _): .full
            default: .server(error)
            }
    }

    package var code: String { told.code }
    package var english: String { told.english }

    private var told: (code: String, english: String) {
        switch self {
        case .unknown:
            (
                "organisation-unknown",
                "the server knows no such organisation of the account, or nothing of that kind in it"
            )
        case .notInvited: ("organisation-not-invited", "no invitation there names the account")
        case .wrongCode: ("organisation-code", "the code of an invitation is wrong, used or over")
        case .unknownTour: ("organisation-tour", "the account made no such tour known")
        case .operatorAlone: ("organisation-operator", "only the server's operator makes organisations")
        case .adminsAlone: ("organisation-admins", "only admins of the organisation may do that")
        case .lastAdmin: ("organisation-last-admin", "the organisation would have no admin")
        case .sharedElsewhere: ("organisation-shared", "the tour is another organisation's")
        case .notProven: ("organisation-not-proven", "the account has no name that is proven")
        case .full: ("organisation-full", "the server has no room for more")
        case .server(let error): (error.code, error.english)
        }
    }

    package var scope: FaultScope { .record }
}
