import ServerBase
import ServerRequests
import ServerStorage

extension AccountRows {
    /// The steps of all tables of accounts, of logins and of second factors.
    package static let migrations = [
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
                // A used token stays for a while: if it is presented again, somebody stole it.
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
            ]),
        // A code belongs to the address that requested it, so that nobody elsewhere replaces it or uses up its tries.
        // Users with an outstanding code request a new one: codes live five minutes.
        Migration(
            name: "accounts-2",
            statements: [
                "DROP TABLE sms_codes",
                """
                CREATE TABLE sms_codes (
                    phone TEXT NOT NULL, requester TEXT NOT NULL, digest BYTEA NOT NULL, expires BIGINT NOT NULL,
                    tries BIGINT NOT NULL, tries_elsewhere BIGINT NOT NULL, PRIMARY KEY (phone, requester))
                """,
                "CREATE INDEX sms_codes_by_expiry ON sms_codes (expires)",
                """
                CREATE TABLE known_addresses (
                    account BIGINT NOT NULL, digest BYTEA NOT NULL, used BIGINT NOT NULL, PRIMARY KEY (account, digest))
                """,
                "CREATE INDEX known_addresses_by_age ON known_addresses (used)",
            ]),
        // Before addresses could be proven, the operator gave roles by address: those accounts count as proven.
        Migration(
            name: "accounts-3",
            statements: [
                "ALTER TABLE accounts ADD COLUMN email_proven BIGINT NOT NULL DEFAULT 0",
                "UPDATE accounts SET email_proven = 1 WHERE email IS NOT NULL AND role <> 'user'",
                """
                CREATE TABLE email_codes (
                    account BIGINT PRIMARY KEY, digest BYTEA NOT NULL, expires BIGINT NOT NULL, tries BIGINT NOT NULL)
                """,
                "CREATE INDEX email_codes_by_expiry ON email_codes (expires)",
            ]),
        // Until now `used` was 1; from here on it is a time, in seconds since 1970. Each session knows its last use.
        Migration(
            name: "accounts-4",
            statements: [
                """
                UPDATE refresh_tokens SET used = (
                    SELECT expires FROM sessions WHERE sessions.id = refresh_tokens.session
                ) - \(ServerLimits.sessionLifetime) WHERE used = 1
                """
            ]),
        // Codes live minutes: users with an outstanding one request a new one. Passwords become PHC strings.
        Migration(
            name: "accounts-5",
            statements: [
                "DROP TABLE sms_codes",
                """
                CREATE TABLE sent_codes (
                    contact TEXT NOT NULL, requester TEXT NOT NULL, digest BYTEA NOT NULL, expires BIGINT NOT NULL,
                    tries BIGINT NOT NULL, tries_elsewhere BIGINT NOT NULL, PRIMARY KEY (contact, requester))
                """,
                "CREATE INDEX sent_codes_by_expiry ON sent_codes (expires)",
                "ALTER TABLE sessions ADD COLUMN device TEXT",
                "ALTER TABLE sessions ADD COLUMN network TEXT",
                """
                CREATE TABLE second_factors (
                    account BIGINT PRIMARY KEY, secret BYTEA NOT NULL, confirmed BIGINT, last_step BIGINT NOT NULL)
                """,
                """
                CREATE TABLE recovery_codes (
                    account BIGINT NOT NULL, digest BYTEA NOT NULL, PRIMARY KEY (account, digest))
                """,
            ], fill: { sql throws(Failure) in try OlderPassword.rewriteAll(in: sql) }),
        // When the operator disabled the account, in microseconds since 1970. An older version that runs on the same
        // database lets such an account log in; this one refuses the token.
        Migration(name: "accounts-6", statements: ["ALTER TABLE accounts ADD COLUMN disabled BIGINT"]),
        // Addresses get one form. Where two accounts would have it, the proven one does, or the older one. But an
        // account that has it already keeps it, unless it is unproven and has another name, and the other is proven.
        Migration(
            name: "accounts-7", statements: [],
            fill: { sql throws(Failure) in
                try freeAddressesOfProvenAccounts(in: sql)
                try EmailAddress.rewrite(of: "accounts", key: "id", order: "email_proven DESC, id", in: sql)
            }),
    ]

    /// Takes today's form of each proven address that is stored in an older one from an account that never proved it
    /// and has another name, as `AccountContacts.setEmail` does.
    private static func freeAddressesOfProvenAccounts(in sql: any SQL) throws(Failure) {
        for row in try sql.rows("SELECT email FROM accounts WHERE email LIKE '%@%' AND email_proven = 1", []) {
            let stored = try row.text(0)
            guard let address = EmailAddress(stored), !address.text.utf8.elementsEqual(stored.utf8) else { continue }
            try sql.run(
                """
                UPDATE accounts SET email = NULL WHERE email = $1 AND email_proven = 0 AND (
                    phone IS NOT NULL OR EXISTS (SELECT 1 FROM outside_names AS o WHERE o.account = accounts.id))
                """, [.text(address.text)])
        }
    }
}
