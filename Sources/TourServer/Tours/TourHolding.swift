import TourModel

/// The ties of an account to tours: those that it registered, has a seat in or is invited to. The tours stay: they
/// belong to their members.
struct TourHolding: SmallHolding {
    let name = "groups"

    private struct Tie: Encodable, Sendable {
        let id: String
        let memberId: String?
    }

    func export(of account: Account, in sql: any SQL) throws(Failure) -> any Encodable & Sendable {
        var ties = [Tie]()
        for tour in try sql.tours(of: account) {
            ties.append(Tie(id: tour.id.hex, memberId: try sql.seat(of: account.id, in: tour)?.hex))
        }
        return ties
    }

    func delete(of account: Account, in sql: any SQL) throws(Failure) {
        try sql.run("DELETE FROM seats WHERE account = $1", [.integer(account.id)])
        try sql.run("UPDATE tours SET account = NULL WHERE account = $1", [.integer(account.id)])
    }
}
