import ServerBase
import ServerRequests
import ServerStorage

extension InvitationRows {
    /// Invitations show a tour to people who are no members. Each row has an address or a number, never an account's
    /// id: the invited person may have no account yet.
    package static let migrations = [
        Migration(
            name: "invitations-1",
            statements: [
                """
                CREATE TABLE invitations (
                    number BIGINT PRIMARY KEY, tour BIGINT NOT NULL, email TEXT, phone TEXT,
                    created_at BIGINT NOT NULL, UNIQUE (tour, email), UNIQUE (tour, phone))
                """,
                "CREATE INDEX invitations_by_email ON invitations (email)",
                "CREATE INDEX invitations_by_phone ON invitations (phone)",
            ]),
        // As accounts-7.
        Migration(
            name: "invitations-2", statements: [],
            fill: { sql throws(Failure) in
                try EmailAddress.rewrite(of: "invitations", within: "tour", key: "number", order: "number", in: sql)
            }),
    ]
}
