import Foundation
import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import ServerTours
import TourModel

/// Everything that the server stores of an account and can read, with the account's pictures and files, as a tar
/// archive that is made while it is written.
/// Source: `Protocol/10-server.md`, "Export".
struct AccountArchive: Sendable {
    let account: Account
    let exportedAt: Date
    let holdings: [any AccountHolding]
    let source: ExportSource
    let rosters: TourRosters
    let files: NotebookFiles
    let secret: ServerSecret

    /// - Returns: the names of files that the server has lost, which the manifest has too.
    /// - Throws: `unauthenticated` where the account is gone or its session has ended meanwhile, `unavailable`;
    ///   whatever the sink throws. The archive then ends in the middle, and has no manifest.
    @discardableResult
    func write(to sink: any ByteSink) async throws -> [String] {
        var out = ExportWriter(sink, manifest: ExportManifest(account: account.id, exportedAt: exportedAt))
        try await out.add("README.txt", bytes: Array(Self.introduction.utf8))
        try await out.add("account.json", json: AccountBody(account))
        for case let holding as any SmallHolding in holdings.sorted(by: { $0.name < $1.name }) {
            let (account, holding) = (account, holding)
            let value = try await source.read { sql throws(Failure) in try holding.export(of: account, in: sql) }
            try await out.add(holding.name + ".json", json: value)
        }
        try await writeAudit(to: &out)
        try await ToursSection(
            account: account, source: source, rosters: rosters, secret: secret
        ).write(to: &out)
        try await NotebookSection(account: account, source: source, files: files).write(to: &out)
        return try await out.finish()
    }

    /// An entry of the audit log as the account's owner sees it: who of the operator's people it was stays with the
    /// operator.
    private struct Entry: Encodable, Sendable {
        let at: Date
        let by: String
        let action: String
        let detail: String?

        init(_ entry: AuditEntry) {
            at = Date(microseconds: entry.at)
            by = entry.actor.hasPrefix("operator:") ? "operator" : entry.actor
            action = entry.action
            detail = entry.detail
        }
    }

    private func writeAudit(to out: inout ExportWriter) async throws {
        let (id, source) = (account.id, source)
        var last: Int64? = 0
        try await out.add(list: "audit") { () async throws -> [Entry]? in
            guard let behind = last else { return nil }
            let found = try await source.read { sql throws(Failure) in
                try AuditLog(sql: sql).entries(of: id, behind: behind, limit: ServerLimits.exportRowsAtOnce)
            }
            last = found.count == ServerLimits.exportRowsAtOnce ? found.last?.number : nil
            return behind > 0 && found.isEmpty ? nil : found.map(Entry.init)
        }
    }

    private static let introduction = """
        Everything that a tour-server stores of one account and can read.

        account.json         the account: e-mail address, phone, role, second factor
        sessions.json        where it is logged in, or was until the session expired
        second_factor.json   since when a login takes a code of an app
        outside_names.json   names that other services know the account by
        groups.json          the tours that it made known, planned, is a member of or is invited to
        invitations.json     invitations to it
        organisations.json   the organisations that it is in or invited to, and its tours there
        audit-*.json         changes of the account that the server recorded, for 400 days
        tours/ID/tour.json   one of these tours: by what right the account has it, and its role there
        tours/ID/uploads-*.json   sealed files that its device sent, which the server cannot open
        tours/ID/messages-*.json  messages that its device wrote, where a guide lets the server read along
        notebook/*.json      notes, bookmarks, categories, collections, samples, and edits that lost a conflict
        files-*.json         the pictures and files of bookmarks, with their places here
        files/ID/NAME        these pictures and files
        manifest.json        the last file: all documents, with BLAKE2b-256 hashes; without it the archive is cut off

        All documents are JSON in UTF-8; times are RFC 3339. A long list is cut into numbered parts.
        Sealed messages and files of tours are not here, since the server cannot read them. Of passwords, codes, tokens
        and addresses of past logins it keeps digests alone.

        """
}
