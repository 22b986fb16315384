extension Migration {
    /// Every step of the database's schema, in the order of execution: each table's is beside the type that owns its
    /// rows.
    package static let all: [Migration] =
        storage + AccountRows.migrations + Rates.migrations + TourRows.migrations + InvitationRows.migrations
        + ArchiveRows.migrations + BlobStore.migrations + NotebookRows.migrations + AuditLog.migrations
        + EndingTours.migrations + SMSSpending.migrations + OrganisationRows.migrations + BanRows.migrations
        + PageKeys.migrations
}
