import TourNotebook

extension Storage {
    /// The account as clients of seed 000 name it: `user_` and the digits of the UUID that its profile shows.
    /// - Throws: `unauthenticated` when there is no such account any more.
    func userName(of account: Int64) async throws(Failure) -> String {
        let known = try await read { sql throws(Failure) in try sql.knownProfileID(of: account) }
        if let known { return ResourceName.user(known) }
        return ResourceName.user(try await write { sql throws(Failure) in try sql.profileID(of: account) })
    }
}
