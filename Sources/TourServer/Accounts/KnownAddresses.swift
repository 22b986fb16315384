import TourModel

// The addresses from which an account was used: failed tries of strangers elsewhere never lock those addresses out. The
// database stores only keyed hashes of them.
extension SQL {
    /// Records that the account's owner logged in from this address.
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
