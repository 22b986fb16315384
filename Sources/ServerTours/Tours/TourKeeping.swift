import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel

/// Whether and how an account owns a tour here, inside one transaction. An owner stands on a member: its own, or where
/// it was given the tour without being in it, that of the owner before. So nobody keeps by an account, or passes on
/// within an organisation, what a removal took from the member.
/// Source: `Protocol/10-server.md`, "What a membership opens".
struct TourKeeping {
    let sql: any SQL

    /// The step of `tours.stands_on`.
    static let migration = Migration(
        name: "tours-4",
        statements: [
            "ALTER TABLE tours ADD COLUMN stands_on BYTEA",
            """
            UPDATE tours SET stands_on = (
                SELECT member FROM seats WHERE seats.tour = tours.number AND seats.account = tours.account)
            """,
        ])

    /// Whether the tour's owner may still do what an owner may.
    /// - Parameter known: nil for a planned tour, which has no members.
    func isKept(_ tour: StoredTour, _ known: KnownGroup?) throws(Failure) -> Bool {
        guard tour.account != nil else { return false }
        guard let roster = known?.group.roster else { return true }
        if let member = tour.standsOn.flatMap({ roster.members[$0] }) {
            if member.isActive { return member.rank.leads }
            if member.isPutOut { return false }
        }
        // The member has left: the tour would be without anybody who answers for it here.
        return try !hasLeader(tour, roster)
    }

    /// Whether another account than the owner's is tied to a member that leads the tour.
    private func hasLeader(_ tour: StoredTour, _ roster: Roster) throws(Failure) -> Bool {
        let found = try sql.rows(
            "SELECT member FROM seats WHERE tour = $1 AND account <> $2",
            [.integer(tour.number), SQLValue(tour.account)])
        for row in found {
            let id: MemberID = try row.identifier(0)
            if let member = roster.members[id], member.isActive, member.rank.leads { return true }
        }
        return false
    }

    /// Notes the member of an account that is tied to another one, where it owns the tour and stands on no active
    /// member of a higher rank.
    func note(_ member: Member, of account: Int64, in tour: StoredTour, _ roster: Roster) throws(Failure) {
        guard member.mayReplace(tour.standsOn, in: roster) else { return }
        try sql.run(
            "UPDATE tours SET stands_on = $1 WHERE number = $2 AND account = $3",
            [.bytes(member.id.bytes), .integer(tour.number), .integer(account)])
    }

    /// Gives the tour to an account, which stands on its own member or, without one, on that of the owner before.
    func give(_ tour: StoredTour, to account: Int64) throws(Failure) {
        try sql.run(
            """
            UPDATE tours SET account = $1, stands_on = COALESCE(
                (SELECT member FROM seats WHERE tour = $2 AND account = $3), stands_on) WHERE number = $4
            """, [.integer(account), .integer(tour.number), .integer(account), .integer(tour.number)])
    }
}

extension Member {
    /// Whether others ended its membership, or its key is used up: leaving is its own wish.
    var isPutOut: Bool { isRemoved || isForked }

    /// Whether an account may be tied to it instead of to another member, or of none: it opens no less.
    func mayReplace(_ held: MemberID?, in roster: Roster) -> Bool {
        guard let held = held.flatMap({ roster.members[$0] }), held.isActive else { return true }
        return rank >= held.rank
    }
}
