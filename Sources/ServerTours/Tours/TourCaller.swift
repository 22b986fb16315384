import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel

/// A caller in its role as a member of one tour: by a member's token, or by an account that is tied to a member. Only
/// `Call.caller` makes one.
struct TourCaller: Sendable {
    let tour: StoredTour
    let member: Member
    let known: KnownGroup

    fileprivate init(tour: StoredTour, member: Member, known: KnownGroup) {
        self.tour = tour
        self.member = member
        self.known = known
    }
}

extension Call {
    /// The caller as a member of a tour.
    /// - Parameter id: the tour's id as the path or the body has it.
    /// - Throws: `notFound`; `forbidden`; `unauthenticated` for a token whose member has left or was removed.
    func caller(in id: String, _ rosters: TourRosters) async throws(Failure) -> TourCaller {
        guard let tourID = TourID(hex: id) else { throw Failure(.notFound) }
        let (member, account) = (member, account)
        let caller = try await rosters.read(tourID, isShort: true) { sql, tour, known throws(Failure) in
            if let member {
                guard member.tour == tourID else { throw Failure(.forbidden) }
                guard let found = known.group.roster.members[member.member], found.isActive else {
                    throw Failure(.unauthenticated)
                }
                return TourCaller(tour: tour, member: found, known: known)
            }
            guard let account, let id = try SeatRows(sql: sql).member(of: account.account, in: tour),
                let found = known.group.roster.members[id], found.isActive
            else { throw Failure(.forbidden) }
            return TourCaller(tour: tour, member: found, known: known)
        }
        // Answered like an unknown id: nobody learns which tours the server has.
        guard let caller else { throw Failure(.notFound) }
        return caller
    }
}

/// The members that accounts are tied to, inside one transaction. It owns the rows of `seats`.
package struct SeatRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The member of the tour that an account is tied to.
    package func member(of account: Account, in tour: StoredTour) throws(Failure) -> MemberID? {
        let row = try sql.row(
            "SELECT member FROM seats WHERE tour = $1 AND account = $2", [.integer(tour.number), .integer(account.id)])
        return try row?.identifier(0)
    }

    /// Ties an account to a member, unless it is tied to an active one of a higher rank: a second device that joined
    /// as a plain member takes nothing away.
    /// - Returns: whether it is tied to this member.
    @discardableResult
    func bind(
        _ member: Member, to account: AuthenticatedAccount, in tour: StoredTour, _ roster: Roster
    ) throws(Failure) -> Bool {
        try InvitationRows(sql: sql).endAll(of: account.account, to: tour)
        try TourKeeping(sql: sql).note(member, of: account.id, in: tour, roster)
        let held = try self.member(of: account.account, in: tour)
        guard member.mayReplace(held, in: roster) else { return false }
        try sql.run(
            """
            INSERT INTO seats (tour, account, member) VALUES ($1, $2, $3)
            ON CONFLICT (tour, account) DO UPDATE SET member = excluded.member
            """, [.integer(tour.number), .integer(account.id), .bytes(member.id.bytes)])
        return true
    }

    /// Ends every tie of an account that is being deleted.
    func forget(_ account: Account) throws(Failure) {
        try sql.run("DELETE FROM seats WHERE account = $1", [.integer(account.id)])
    }
}
