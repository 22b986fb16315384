import Foundation
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// The notebook of an account, its profile id and its files.
package struct NotebookHolding: AccountHolding {
    /// See `AccountHolding.name`.
    package let name = "notebook"

    package init() {}

    /// Describes a file; clients fetch its bytes at `url`.
    private struct File: Encodable, Sendable {
        let url: String
        let name: String
        let media: String
        let bytes: Int64
    }

    /// Writes the items by kind, in several reads: an item that changes meanwhile is exported in the state of its read.
    package func export(of account: Account, from source: ExportSource, to out: inout PieceWriter) async throws {
        let (profile, files) = try await source.read { sql throws(Failure) in
            (try ProfileRows(sql: sql).knownID(of: account.id), try Self.files(of: account, in: sql))
        }
        try await out.write(#"{"files":"#)
        try await out.write(files)
        if let profile {
            try await out.write(#","profile_id":"#)
            try await out.write(profile)
        }
        for kind in NotebookKind.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
            try await out.write(",\"\(kind.rawValue)\":[")
            var request: PageRequest? = PageRequest(limit: ServerLimits.itemsReadAtOnce - 1, cursor: [])
            var isFirst = true
            while let asked = request {
                let page = try await source.read { sql throws(Failure) -> Page<NotebookItem> in
                    let found = try NotebookRows(sql: sql, of: account).page(kind, asked)
                    return Page(
                        rows: try found.rows.map { row throws(Failure) in try row.item() }, next: found.next)
                }
                try await out.write(list: page.rows, isFirst: &isFirst)
                request = page.next.map { PageRequest(limit: asked.limit, cursor: $0) }
            }
            try await out.write("]")
        }
        try await out.write("}")
    }

    private static func files(of account: Account, in sql: any SQL) throws(Failure) -> [File] {
        var files = [File]()
        let statement =
            "SELECT id, name, media, bytes FROM notebook_files WHERE account = $1 AND state = $2 ORDER BY id"
        let whole = NotebookFile.State.whole.rawValue
        for row in try sql.rows(statement, [.integer(account.id), .integer(whole)]) {
            guard let id = NotebookID(try row.bytes(0)) else { continue }
            files.append(
                File(
                    url: FileAddress(id).path, name: try row.text(1), media: try row.text(2), bytes: try row.integer(3))
            )
        }
        return files
    }

    /// Deletes the notebook. The bytes of its files go with the next sweep.
    package func delete(of account: Account, in sql: any SQL) throws(Failure) {
        let notebook = NotebookRows(sql: sql, of: account)
        try notebook.deleteAll()
        try FileUseRows(notebook: notebook).deleteAll()
        try StopUseRows(notebook: notebook).deleteAll()
        try ProfileRows(sql: sql).delete(of: account)
        try NotebookFileRows(sql: sql).dropAll(of: account)
    }
}
