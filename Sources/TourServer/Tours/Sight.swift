import TourGroup
import TourModel

/// A tour as somebody may look at it, and by what right.
struct Sight: Sendable {
    enum Right: Sendable {
        /// The account made the tour known here.
        case keeper
        case member(Member)
        /// Somebody who leads it invited the account, which is no member yet.
        case invited(Int64)
    }

    let tour: StoredTour
    let known: KnownGroup
    let right: Right

    /// Whether the caller may say what the server shows of the tour, and whom it is shown to.
    var leads: Bool {
        switch right {
        case .keeper: true
        case .member(let member): member.rank.leads
        case .invited: false
        }
    }

    /// The same tour as it is after a change.
    func with(_ tour: StoredTour) -> Sight { Sight(tour: tour, known: known, right: right) }
}

extension Call {
    /// The tour, for its members, the account that made it known and those who are invited.
    /// - Throws: as `seat`.
    func sight(of id: String, _ rosters: TourRosters) async throws(Failure) -> Sight {
        guard let tourID = TourID(hex: id) else { throw Failure(.notFound) }
        if let account {
            let found = try await rosters.read(tourID) { sql, tour, known throws(Failure) in
                try sql.sight(of: tour, known, account)
            }
            if case .some(.some(let sight)) = found { return sight }
        }
        let seat = try await seat(in: id, rosters)
        return Sight(tour: seat.tour, known: seat.known, right: .member(seat.member))
    }
}

extension SQL {
    /// - Returns: nil when the tour is nothing to the account.
    func sight(of tour: StoredTour, _ known: KnownGroup, _ account: Account) throws(Failure) -> Sight? {
        if tour.account == account.id { return Sight(tour: tour, known: known, right: .keeper) }
        if let id = try seat(of: account.id, in: tour), let member = known.group.roster.members[id], member.isActive {
            return Sight(tour: tour, known: known, right: .member(member))
        }
        guard let number = try invitation(of: account, to: tour) else { return nil }
        return Sight(tour: tour, known: known, right: .invited(number))
    }
}
