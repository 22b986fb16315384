import ServerAccounts
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServerTours

extension Migration {
    /// Every step of the database's schema, in the order of execution: each table's is beside the type that owns its
    /// rows.
    package static let all: [Migration] =
        storage + AccountRows.migrations + Rates.migrations + TourRows.migrations + InvitationRows.migrations
        + ArchiveRows.migrations + BlobStore.migrations + NotebookRows.migrations + AuditLog.migrations
        + EndingTours.migrations + SMSSpending.migrations + OrganisationRows.migrations + BanRows.migrations
        + PageKeys.migrations + MailRows.migrations + AccountInvitationRows.migrations
}

extension Storage {
    /// Executes the steps of this version that this database lacks; all or none.
    /// - Returns: the names of the steps that this call executed.
    /// - Throws: `newerDatabase` when a later version of this program has written the database.
    package func migrate() async throws(Failure) -> [String] { try await migrate(Migration.all) }
}
