import ServerBase
import ServerStorage
import TourModel
import TourNotebook

/// The ids of accounts in APIs that identify people by UUIDs, inside one transaction. It owns the rows of `profiles`.
package struct ProfileRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// The account's id in APIs that identify people by UUIDs: created once, and final.
    /// - Throws: `unauthenticated` when the account no longer exists.
    package func id(of account: Int64) throws(Failure) -> NotebookID {
        if let id = try knownID(of: account) { return id }
        guard try sql.row("SELECT 1 FROM accounts WHERE id = $1", [.integer(account)]) != nil else {
            throw Failure(.unauthenticated)
        }
        var rng = SystemRandomNumberGenerator()
        let made = NotebookID.random(using: &rng)
        try sql.run(
            "INSERT INTO profiles (account, id) VALUES ($1, $2) ON CONFLICT (account) DO NOTHING",
            [.integer(account), .bytes(made.bytes)])
        return try knownID(of: account) ?? made
    }

    /// Deletes the id.
    package func delete(of account: Account) throws(Failure) {
        try sql.run("DELETE FROM profiles WHERE account = $1", [.integer(account.id)])
    }

    /// The id; nil before one was created.
    package func knownID(of account: Int64) throws(Failure) -> NotebookID? {
        try sql.row("SELECT id FROM profiles WHERE account = $1", [.integer(account)]).flatMap { row throws(Failure) in
            NotebookID(try row.bytes(0))
        }
    }
}
