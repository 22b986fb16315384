import ServerStorage

extension AuditLog {
    /// The audit log names accounts by their number and tours by their id alone, so that a deleted account leaves
    /// nothing that leads to a person. An older version that runs on the same database writes no entries.
    package static let migrations = [
        Migration(
            name: "audit-1",
            statements: [
                """
                CREATE TABLE audit (
                    number BIGINT PRIMARY KEY, at BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
                    account BIGINT, tour BYTEA, detail TEXT)
                """,
                "CREATE INDEX audit_by_age ON audit (at)",
            ]),
        Migration(name: "audit-2", statements: ["CREATE INDEX audit_by_account ON audit (account, number)"]),
    ]
}
