import Foundation
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServerTours

extension ServerOperator {
    /// Writes everything that the server stores of an account and can read into a tar archive, as its owner would get
    /// it. The export is recorded before its first byte is written.
    /// - Parameter path: a file that does not exist.
    /// - Returns: the account, and the names of files that the server has lost.
    /// - Throws: `notFound`; `unavailable`, also where there is a file of this name; `newerDatabase`.
    package func exportAccount(
        _ name: String, to path: String
    ) async throws -> (account: AccountSummary, missing: [String]) {
        let secret = try ServerSecret(directory: door.directory)
        let (now, actor) = (now(), actor)
        let file = try ExportFile(path: path)
        do {
            let (account, summary) = try await write { sql throws(Failure) in
                let account = try Self.account(name, in: sql)
                try AuditLog(sql: sql).add(.accountExported, by: actor, account: account.id, now: now)
                return (account, try Self.summary(of: account, now: now, in: sql))
            }
            let missing = try await AccountArchive(
                account: account, exportedAt: Date(microseconds: now), holdings: ServerParts.holdings(secret: secret),
                source: ExportSource(account: account.id, storage: storage, heavy: HeavyRequests()),
                rosters: TourRosters(storage: storage, metrics: ServerMetrics()),
                files: NotebookFiles(storage: storage, directory: door.directory, bytes: door.blobs), secret: secret
            ).write(to: file)
            try file.finish()
            return (summary, missing)
        } catch {
            file.abandon()
            throw error
        }
    }
}
