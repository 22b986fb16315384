extension Migration {
    /// Whom the server shows a tour to though it is no member. One of the two names is there; none is an account's
    /// number, since who is invited may have no account yet.
    static let invitations = [
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
            ])
    ]
}
