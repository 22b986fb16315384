import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel

/// A tour that the caller may see, and by what right: only what looks the right up makes one.
package struct TourAccess: Sendable {
    /// The caller's standing by the roster as it is now. An account that was removed has none, whatever it was.
    /// Source: `Protocol/10-server.md`, "What a membership opens".
    package enum Right: Sendable {
        /// The account owns the tour here, and the member that it stands on leads the tour: see `TourKeeping`.
        case keeper
        case member(Member)
        /// The tour is an organisation's, whose owner is a keeper, and the account is in it.
        case colleague
        /// A member that leads the tour invited the account, which is no member yet; the invitation's number.
        case invited(Int64)

        /// The rights that each standing opens, beside the tour's name and dates. Events, messages and files are for
        /// members.
        fileprivate var opens: Opened {
            switch self {
            case .keeper: [.members, .invitations, .changes]
            case .member(let member): member.rank.leads ? [.members, .invitations, .changes] : [.members]
            case .colleague: [.members, .invitations]
            case .invited: []
            }
        }
    }

    /// Parts of what the server shows of a tour.
    fileprivate struct Opened: OptionSet {
        let rawValue: Int
        /// The members, with their names where the tour has an archive.
        static let members = Opened(rawValue: 1)
        /// The list of those who are invited.
        static let invitations = Opened(rawValue: 2)
        /// Name and dates, invitations and their end, links that go out, replacing a plan.
        static let changes = Opened(rawValue: 4)
    }

    let tour: StoredTour
    /// nil for a planned tour, which nobody has founded.
    let known: KnownGroup?
    package let right: Right

    fileprivate init(tour: StoredTour, known: KnownGroup?, right: Right) {
        self.tour = tour
        self.known = known
        self.right = right
    }

    /// Whether the caller may change what the server shows of the tour, and to whom.
    var leads: Bool { right.opens.contains(.changes) }

    /// Whether the caller may see who is invited.
    var readsInvitations: Bool { right.opens.contains(.invitations) }

    /// Whether the caller may see who is in the tour.
    var readsMembers: Bool { right.opens.contains(.members) }

    /// The same right to the tour in its state after a change.
    func with(_ tour: StoredTour) -> TourAccess { TourAccess(tour: tour, known: known, right: right) }

    /// The account's right as it is in the transaction of a change: the tour may have been handed to another owner
    /// meanwhile. Ranks are those that were read before.
    /// - Parameter tour: as it is in that transaction.
    /// - Parameter account: nil for a caller by a member's token.
    /// - Returns: nil when no right is left.
    func again(_ tour: StoredTour, for account: AuthenticatedAccount?, in sql: any SQL) throws(Failure) -> TourAccess? {
        guard let account else { return with(tour) }
        return try TourAccess.of(account.account, to: tour, known, in: sql)
    }
}

extension Call {
    /// The tour, for its members, the account that registered it and invited accounts. The id of a plan leads to the
    /// tour that has replaced it.
    /// - Throws: the errors of `caller`.
    func access(
        of id: String, _ storage: any Storage, _ rosters: TourRosters
    ) async throws(Failure) -> TourAccess {
        guard var tourID = TourID(hex: id) else { throw Failure(.notFound) }
        if let account {
            let asked = tourID
            let planned = try await storage.read {
                sql throws(Failure) -> (plan: StoredTour, access: TourAccess?)? in
                guard let plan = try PlannedTours(sql: sql).tour(asked) else { return nil }
                return (plan, plan.isPlanned ? try TourAccess.of(account.account, to: plan, nil, in: sql) : nil)
            }
            if let (plan, access) = planned {
                guard !plan.isPlanned else {
                    guard let access else { throw Failure(.notFound) }
                    return access
                }
                tourID = plan.id
            }
            let found = try await rosters.read(tourID) { sql, tour, known throws(Failure) in
                try TourAccess.of(account.account, to: tour, known, in: sql)
            }
            if case .some(.some(let access)) = found { return access }
        }
        let caller = try await caller(in: tourID.hex, rosters)
        return TourAccess(tour: caller.tour, known: caller.known, right: .member(caller.member))
    }
}

extension TourAccess {
    /// - Parameter known: nil for a planned tour.
    /// - Returns: nil when the account has no right to see the tour.
    package static func of(
        _ account: Account, to tour: StoredTour, _ known: KnownGroup?, in sql: any SQL
    ) throws(Failure) -> TourAccess? {
        try right(of: account, to: tour, known, in: sql).map { TourAccess(tour: tour, known: known, right: $0) }
    }

    /// Whether an account may share the tour, and hand it on: its keeper, or where it has none, a member that leads it.
    /// - Parameter known: nil for a planned tour.
    static func owns(
        _ account: Account, _ tour: StoredTour, _ known: KnownGroup?, in sql: any SQL
    ) throws(Failure) -> Bool {
        switch try right(of: account, to: tour, known, in: sql) {
        case .keeper: true
        case .member(let member) where member.rank.leads: try !TourKeeping(sql: sql).isKept(tour, known)
        case .member, .colleague, .invited, nil: false
        }
    }

    private static func right(
        of account: Account, to tour: StoredTour, _ known: KnownGroup?, in sql: any SQL
    ) throws(Failure) -> Right? {
        let member = try known.flatMap { known throws(Failure) in
            try SeatRows(sql: sql).member(of: account, in: tour).flatMap { known.group.roster.members[$0] }
        }
        // Neither what the account owned nor an invitation of before leads back: a new member that it is tied to does.
        if let member, member.isPutOut { return nil }
        let isKept = try TourKeeping(sql: sql).isKept(tour, known)
        if tour.account == account.id, isKept { return .keeper }
        if let member, member.isActive, member.rank.leads { return .member(member) }
        if isKept, try OrganisationRows(sql: sql).isColleague(account.id, in: tour) { return .colleague }
        if let member, member.isActive { return .member(member) }
        return try InvitationRows(sql: sql).number(of: account, to: tour).map { .invited($0) }
    }
}
