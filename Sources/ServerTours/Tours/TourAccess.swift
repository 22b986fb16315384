import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel

/// A tour that the caller may see, and by what right: only what looks the right up makes one.
struct TourAccess: Sendable {
    enum Right: Sendable {
        /// The account registered the tour here.
        case keeper
        case member(Member)
        /// The tour is an organisation's, and the account is in it: it reads what the keeper may.
        case colleague
        /// A member that leads the tour invited the account, which is no member yet; the invitation's number.
        case invited(Int64)
    }

    let tour: StoredTour
    /// nil for a planned tour, which nobody has founded.
    let known: KnownGroup?
    let right: Right

    fileprivate init(tour: StoredTour, known: KnownGroup?, right: Right) {
        self.tour = tour
        self.known = known
        self.right = right
    }

    /// Whether the caller may change what the server shows of the tour, and to whom.
    var leads: Bool {
        switch right {
        case .keeper: true
        case .member(let member): member.rank.leads
        case .colleague, .invited: false
        }
    }

    /// Whether the caller may see what who leads may see.
    var readsAll: Bool {
        if case .colleague = right { return true }
        return leads
    }

    /// The same right to the tour in its state after a change.
    func with(_ tour: StoredTour) -> TourAccess { TourAccess(tour: tour, known: known, right: right) }

    /// The account's right as it is in the transaction of a change: the tour may have been handed to another owner
    /// meanwhile. Ranks are those that were read before.
    /// - Parameter tour: as it is in that transaction.
    /// - Parameter account: nil for a caller by a member's token.
    /// - Returns: nil when no right is left.
    func again(_ tour: StoredTour, for account: AuthenticatedAccount?, in sql: any SQL) throws(Failure) -> TourAccess? {
        guard let account else { return with(tour) }
        return try TourAccess.of(account, to: tour, known, in: sql)
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
                return (plan, plan.isPlanned ? try TourAccess.of(account, to: plan, nil, in: sql) : nil)
            }
            if let (plan, access) = planned {
                guard !plan.isPlanned else {
                    guard let access else { throw Failure(.notFound) }
                    return access
                }
                tourID = plan.id
            }
            let found = try await rosters.read(tourID) { sql, tour, known throws(Failure) in
                try TourAccess.of(account, to: tour, known, in: sql)
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
    static func of(
        _ account: AuthenticatedAccount, to tour: StoredTour, _ known: KnownGroup?, in sql: any SQL
    ) throws(Failure) -> TourAccess? {
        if tour.account == account.id { return TourAccess(tour: tour, known: known, right: .keeper) }
        let member = try known.flatMap { known throws(Failure) in
            try SeatRows(sql: sql).member(of: account.account, in: tour).flatMap { known.group.roster.members[$0] }
        }
        if let member, member.isActive, member.rank.leads {
            return TourAccess(tour: tour, known: known, right: .member(member))
        }
        if try OrganisationRows(sql: sql).isColleague(account.id, in: tour) {
            return TourAccess(tour: tour, known: known, right: .colleague)
        }
        if let member, member.isActive { return TourAccess(tour: tour, known: known, right: .member(member)) }
        guard let number = try InvitationRows(sql: sql).number(of: account.account, to: tour) else { return nil }
        return TourAccess(tour: tour, known: known, right: .invited(number))
    }
}
