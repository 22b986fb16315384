import ServerBase

/// What keeps the server from PostgreSQL before the first statement, with what the operator can do.
enum PostgresTrouble {
    /// As PostgreSQL writes the version 14: pipelines, and what the statements need, are in it.
    static let versionMin = 140_000

    static func version(_ number: Int) -> Failure {
        Failure(.unavailable, cause: "this PostgreSQL is of version \(number / 10_000): 14 or newer is needed")
    }

    static let encoding = Failure(
        .unavailable,
        cause: "the database does not store UTF-8: make another one (createdb --encoding UTF8 --template template0)")

    static let schema = Failure(
        .unavailable,
        cause: "no schema of the search_path is in the database: make it (CREATE SCHEMA), or name another")

    /// - Parameter said: what libpq says, in the language of the database.
    static func connecting(_ said: String) -> Failure {
        let line = PostgresAddress.line(said)
        let advice = advice.first { line.contains($0.said) }?.advice ?? "start it, or correct --database"
        return Failure(.unavailable, retryAfter: 1, cause: "PostgreSQL cannot be used (\(line)): \(advice)")
    }

    private static let advice = [
        (said: "no password supplied", advice: "name a file with it by --database-password-file"),
        (said: "password authentication failed", advice: "correct the user or the password"),
        (said: "Peer authentication failed", advice: "name the database user that this system user may be"),
        (said: "pg_hba.conf", advice: "let this machine and user in by a line of pg_hba.conf"),
        (said: "too many clients", advice: "raise its max_connections, or run fewer processes"),
        (said: "remaining connection slots", advice: "raise its max_connections, or run fewer processes"),
        (said: "session is read-only", advice: "start the primary, or promote this standby"),
        (said: "starting up", advice: "wait until it has started"),
        (said: "role \"", advice: "make the user (createuser), or correct --database"),
        (said: "database \"", advice: "make the database (createdb), or correct --database"),
        (said: "translate host name", advice: "correct the host in --database"),
        (said: "certificate", advice: "correct its certificate, or sslrootcert and sslmode in --database"),
    ]
}
