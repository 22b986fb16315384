import ServerBase
import ServerNotebook
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// The notebook in an export: its items by kind, and its pictures and files.
struct NotebookSection: Sendable {
    let account: Account
    let source: ExportSource
    let files: NotebookFiles

    /// A picture or file, and where it is in the archive.
    private struct File: Encodable, Sendable {
        let id: NotebookID
        /// The address by which items refer to it.
        let url: String
        let name: String
        let media: String
        let bytes: Int64
        /// BLAKE2b-256 of the content.
        let blake2b: String?
        let path: String

        init?(_ row: SQLRow) throws(Failure) {
            guard let id = NotebookID(try row.bytes(0)) else { return nil }
            self.id = id
            url = FileAddress(id).path
            name = try row.text(1)
            media = try row.text(2)
            bytes = try row.count(3)
            blake2b = try row.optionalBytes(4).map { Hex.encode($0) }
            // The name was made harmless when it came, and may be empty.
            path = "files/\(id.text)/\(name.isEmpty ? "file" : name)"
        }
    }

    func write(to out: inout ExportWriter) async throws {
        let (account, source) = (account, source)
        let profile = try await source.read { sql throws(Failure) in try ProfileRows(sql: sql).knownID(of: account.id) }
        try await out.add("notebook/profile.json", json: ["profile_id": profile?.text])
        for kind in NotebookKind.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
            var request: PageRequest? = PageRequest(limit: ServerLimits.itemsReadAtOnce - 1, cursor: [])
            try await out.add(list: "notebook/\(kind.rawValue)") { () async throws -> [NotebookItem]? in
                guard let asked = request else { return nil }
                let page = try await source.read { sql throws(Failure) -> Page<NotebookItem> in
                    let found = try NotebookRows(sql: sql, of: account).page(kind, asked)
                    return Page(
                        rows: try found.rows.map { row throws(Failure) in try row.item() }, next: found.next)
                }
                request = page.next.map { PageRequest(limit: asked.limit, cursor: $0) }
                return page.rows
            }
        }
        try await writeFiles(to: &out)
    }

    private func writeFiles(to out: inout ExportWriter) async throws {
        let (account, limit) = (account.id, ServerLimits.exportRowsAtOnce)
        var (last, part) = ([UInt8](), 0)
        while true {
            let behind = last
            let rows = try await source.read { sql throws(Failure) in
                try sql.rows(
                    """
                    SELECT id, name, media, bytes, hash FROM notebook_files
                    WHERE account = $1 AND state = $2 AND id > $3 ORDER BY id LIMIT \(limit)
                    """,
                    [.integer(account), .integer(NotebookFile.State.whole.rawValue), .bytes(behind)])
            }
            let found = try rows.compactMap { row throws(Failure) in try File(row) }
            part += 1
            try await out.add(list: "files", part: part, found)
            for file in found { try await write(file, to: &out) }
            guard rows.count == limit, let row = rows.last else { return }
            last = try row.bytes(0)
        }
    }

    private func write(_ file: File, to out: inout ExportWriter) async throws {
        // Asked for each file, since a session may end while the ones before are sent.
        let isThere = try await source.read { sql throws(Failure) in try NotebookFileRows(sql: sql).file(file.id) != nil
        }
        // Where it only cannot be opened now the archive ends, and is not whole.
        guard let content = try await files.openIfThere(file.id), try content.size() == file.bytes else {
            // One that was dropped since its row was read is gone, and is not lost.
            if isThere { out.miss(file.path) }
            return
        }
        try await out.add(file.path, file: content, bytes: file.bytes)
    }
}
