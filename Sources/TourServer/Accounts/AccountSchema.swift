extension Migration {
    static let accounts = [
        Migration(
            name: "accounts-1",
            statements: [
                """
                CREATE TABLE accounts (
                    id BIGINT PRIMARY KEY, email TEXT UNIQUE, phone TEXT UNIQUE, password TEXT, role TEXT NOT NULL,
                    created_at BIGINT NOT NULL)
                """,
                """
                CREATE TABLE sessions (
                    id TEXT PRIMARY KEY, account BIGINT NOT NULL, created_at BIGINT NOT NULL, expires BIGINT NOT NULL)
                """,
                "CREATE INDEX sessions_by_account ON sessions (account)",
                "CREATE INDEX sessions_by_expiry ON sessions (expires)",
                // A used token stays as long as its session: that it comes again tells that it was stolen.
                "CREATE TABLE refresh_tokens (digest BYTEA PRIMARY KEY, session TEXT NOT NULL, used BIGINT NOT NULL)",
                "CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session)",
                """
                CREATE TABLE sms_codes (
                    phone TEXT PRIMARY KEY, digest BYTEA NOT NULL, expires BIGINT NOT NULL, tries BIGINT NOT NULL)
                """,
                "CREATE INDEX sms_codes_by_expiry ON sms_codes (expires)",
                """
                CREATE TABLE outside_names (
                    issuer TEXT NOT NULL, subject TEXT NOT NULL, account BIGINT NOT NULL, PRIMARY KEY (issuer, subject))
                """,
                "CREATE INDEX outside_names_by_account ON outside_names (account)",
            ])
    ]
}
