import TourGroup
import TourModel

/// A tour that the caller may see, and by what right.
struct Sight: Sendable {
    enum Right: Sendable {
        /// The account registered the tour here.
        case keeper
        case member(Member)
        /// A member that leads the tour invited the account, which is no member yet; the invitation's number.
        case invited(Int64)
    }

    let tour: StoredTour
    /// nil for a planned tour, which nobody has founded.
    let known: KnownGroup?
    let right: Right

    /// Whether the caller may change what the server shows of the tour, and to whom.
    var leads: Bool {
        switch right {
        case .keeper: true
        case .member(let member): member.rank.leads
        case .invited: false
        }
    }

    /// The same right to the tour in its state after a change.
    func with(_ tour: StoredTour) -> Sight { Sight(tour: tour, known: known, right: right) }
}

extension Call {
    /// The tour, for its members, the account that registered it and invited accounts. The id of a plan leads to the
    /// tour that was founded from it.
    /// - Throws: the errors of `seat`.
    func sight(of id: String, _ parts: ServerParts) async throws(Failure) -> Sight {
        guard var tourID = TourID(hex: id) else { throw Failure(.notFound) }
        if let account {
            let asked = tourID
            let plan = try await parts.storage.read { sql throws(Failure) in try sql.plannedTour(asked) }
            if let plan {
                if plan.isPlanned {
                    let sight = try await parts.storage.read { sql throws(Failure) in
                        try sql.sight(of: plan, nil, account)
                    }
                    guard let sight else { throw Failure(.notFound) }
                    return sight
                }
                tourID = plan.id
            }
            let found = try await parts.rosters.read(tourID) { sql, tour, known throws(Failure) in
                try sql.sight(of: tour, known, account)
            }
            if case .some(.some(let sight)) = found { return sight }
        }
        let seat = try await seat(in: tourID.hex, parts.rosters)
        return Sight(tour: seat.tour, known: seat.known, right: .member(seat.member))
    }
}

extension SQL {
    /// - Parameter known: nil for a planned tour.
    /// - Returns: nil when the account has no right to see the tour.
    func sight(of tour: StoredTour, _ known: KnownGroup?, _ account: Account) throws(Failure) -> Sight? {
        if tour.account == account.id { return Sight(tour: tour, known: known, right: .keeper) }
        if let known, let id = try seat(of: account.id, in: tour), let member = known.group.roster.members[id],
            member.isActive
        {
            return Sight(tour: tour, known: known, right: .member(member))
        }
        guard let number = try invitation(of: account, to: tour) else { return nil }
        return Sight(tour: tour, known: known, right: .invited(number))
    }
}
