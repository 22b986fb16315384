import TourModel

// From which addresses an account was used: what strangers try elsewhere shuts nobody out there. Only keyed hashes of
// them are kept. Source: `Protocol/10-server.md`, "Who is counted".
extension SQL {
    /// Somebody has shown from there to be the account's owner.
    func know(_ address: String, of account: Int64, _ secret: ServerSecret, now: Int64) throws(Failure) {
        try run(
            """
            INSERT INTO known_addresses (account, digest, used) VALUES ($1, $2, $3)
            ON CONFLICT (account, digest) DO UPDATE SET used = excluded.used
            """,
            [
                .integer(account), .bytes(secret.digest(ofAddress: address, account: account).bytes),
                .integer(now / 1_000_000),
            ])
        try run(
            """
            DELETE FROM known_addresses WHERE account = $1 AND digest NOT IN (
                SELECT digest FROM known_addresses WHERE account = $2
                ORDER BY used DESC, digest LIMIT \(ServerLimits.knownAddressesMax))
            """, [.integer(account), .integer(account)])
    }

    func isKnown(_ address: String, of account: Int64, _ secret: ServerSecret) throws(Failure) -> Bool {
        try row(
            "SELECT 1 FROM known_addresses WHERE account = $1 AND digest = $2",
            [.integer(account), .bytes(secret.digest(ofAddress: address, account: account).bytes)]) != nil
    }

    func forgetAddresses(of account: Int64) throws(Failure) {
        try run("DELETE FROM known_addresses WHERE account = $1", [.integer(account)])
    }
}
