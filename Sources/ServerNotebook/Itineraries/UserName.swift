import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

extension Storage {
    /// The account's name in the form of seed 000: `user_` and the digits of the UUID in its profile.
    /// - Throws: `unauthenticated` when the account no longer exists.
    func userName(of account: Int64) async throws(Failure) -> String {
        let known = try await read { sql throws(Failure) in try ProfileRows(sql: sql).knownID(of: account) }
        if let known { return ResourceName.user(known) }
        return ResourceName.user(try await newProfileID(of: account))
    }

    /// The id of the account's profile, which is made where there is none; a reader asks for the known one first, which
    /// a full disk still gives.
    /// - Throws: `unauthenticated` when the account no longer exists; `unavailable`.
    func newProfileID(of account: Int64) async throws(Failure) -> NotebookID {
        try await write { sql throws(Failure) in try ProfileRows(sql: sql).id(of: account) }
    }
}
