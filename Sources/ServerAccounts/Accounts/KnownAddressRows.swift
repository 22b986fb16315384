import ServerBase
import ServerStorage
import TourModel

/// The addresses from which accounts were used, inside one transaction: failed tries of strangers elsewhere never lock
/// those addresses out. It owns the rows of `known_addresses`, which have only keyed hashes of addresses.
package struct KnownAddressRows {
    let sql: any SQL
    let secret: ServerSecret

    package init(sql: any SQL, secret: ServerSecret) {
        self.sql = sql
        self.secret = secret
    }

    /// Records that the account's owner logged in from this address.
    func add(_ address: String, of account: Int64, now: Int64) throws(Failure) {
        try sql.run(
            """
            INSERT INTO known_addresses (account, digest, used) VALUES ($1, $2, $3)
            ON CONFLICT (account, digest) DO UPDATE SET used = excluded.used
            """,
            [
                .integer(account), .bytes(secret.digest(ofAddress: address, account: account).bytes),
                .integer(now / 1_000_000),
            ])
        try sql.run(
            """
            DELETE FROM known_addresses WHERE account = $1 AND digest NOT IN (
                SELECT digest FROM known_addresses WHERE account = $2
                ORDER BY used DESC, digest LIMIT \(ServerLimits.knownAddressesMax))
            """, [.integer(account), .integer(account)])
    }

    func isKnown(_ address: String, of account: Int64) throws(Failure) -> Bool {
        try sql.row(
            "SELECT 1 FROM known_addresses WHERE account = $1 AND digest = $2",
            [.integer(account), .bytes(secret.digest(ofAddress: address, account: account).bytes)]) != nil
    }

    /// Whether an account with a rank, which only the operator gives, was used from this address within a day.
    func isOfGuides(_ address: String, now: Int64) throws(Failure) -> Bool {
        let rows = try sql.rows(
            """
            SELECT known_addresses.account, known_addresses.digest FROM known_addresses
            JOIN accounts ON accounts.id = known_addresses.account
            WHERE known_addresses.used > $1 AND accounts.role <> 'user' AND accounts.disabled IS NULL
            ORDER BY known_addresses.used DESC LIMIT \(ServerLimits.guideAddressesMax)
            """, [.integer(now / 1_000_000 - ServerLimits.guideAddressLifetime)])
        for row in rows where try row.bytes(1) == secret.digest(ofAddress: address, account: try row.integer(0)).bytes {
            return true
        }
        return false
    }

    /// Removes all addresses of an account.
    package func forget(of account: Int64) throws(Failure) {
        try sql.run("DELETE FROM known_addresses WHERE account = $1", [.integer(account)])
    }
}
