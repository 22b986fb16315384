import Foundation
import GRDB
import TourModel
import TourNotebook

extension NotebookID {
    /// The sixteen bytes: blobs sort as the ids do.
    var column: Data { Data(bytes) }

    /// - Throws: `damaged` unless the column has sixteen bytes.
    init(column: Data) throws(StoreError) {
        guard let id = NotebookID(column) else { throw .damaged(.database) }
        self = id
    }
}

/// An item's content, sealed under the storage key, is JSON, as on the wire.
private struct KindedContent: Decodable {
    static let kind = CodingUserInfoKey(rawValue: "kind")
    let content: NotebookContent

    init(from decoder: any Decoder) throws {
        guard let key = Self.kind, let kind = decoder.userInfo[key] as? NotebookKind else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "of no kind"))
        }
        content = try NotebookContent(from: decoder, kind: kind)
    }
}

// Rows of the notebook; for use inside a read or write.
extension TourStore {
    /// A row with its key.
    struct NotebookRow {
        var key: Int64
        var local: LocalItem
    }

    static let notebookColumns =
        "key, id, kind, content, version, base, sent, pending, created, updated, problem"

    func notebookRow(_ id: NotebookID, _ db: Database) throws -> NotebookRow? {
        let statement = try db.cachedStatement(sql: "SELECT \(Self.notebookColumns) FROM notebook WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id.column]).map { try notebookRow($0) }
    }

    func notebookRow(_ row: Row) throws(StoreError) -> NotebookRow {
        let id = try NotebookID(column: row.data(1))
        guard let kind = NotebookKind(rawValue: try row.text(2)) else { throw .damaged(.database) }
        let content = try row.dataIfAny(3)
        let problem = try row.dataIfAny(10)
        let local = try LocalItem(
            id: id, kind: kind,
            content: content.map { sealed throws(StoreError) in try open(content: sealed, of: id, kind) },
            version: version(row, 4), base: version(row, 5), sent: version(row, 6), isPending: row.integer(7) != 0,
            createdAt: row.integer(8), updatedAt: row.integer(9),
            problem: problem.map { sealed throws(StoreError) in
                String(
                    decoding: try open(sealed, table: "notebook", row: id.bytes, column: "problem"), as: UTF8.self)
            })
        return NotebookRow(key: try row.integer(0), local: local)
    }

    /// Reads a version. Versions are incremented, so values that counting cannot reach are damage.
    private func version(_ row: Row, _ index: Int) throws(StoreError) -> Int64 {
        let version = try row.integer(index)
        guard (0...2 * LocalItem.versionMax).contains(version) else { throw .damaged(.database) }
        return version
    }

    private func open(content sealed: Data, of id: NotebookID, _ kind: NotebookKind) throws(StoreError)
        -> NotebookContent
    {
        let bytes = try open(sealed, table: "notebook", row: id.bytes, column: "content")
        let decoder = JSONDecoder()
        if let key = KindedContent.kind { decoder.userInfo[key] = kind }
        do { return try decoder.decode(KindedContent.self, from: Data(bytes)).content } catch {
            throw .damaged(.database)
        }
    }

    /// Inserts or replaces a row.
    func save(_ local: LocalItem, _ db: Database) throws {
        let content = try local.content.map { content in
            seal(try JSONEncoder().encode(content), table: "notebook", row: local.id.bytes, column: "content")
        }
        let problem = local.problem.map {
            seal(Array($0.utf8), table: "notebook", row: local.id.bytes, column: "problem")
        }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO notebook (id, kind, content, version, base, sent, pending, created, updated, problem)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET content = excluded.content, version = excluded.version,
                    base = excluded.base, sent = excluded.sent, pending = excluded.pending,
                    created = excluded.created, updated = excluded.updated, problem = excluded.problem
                """)
        try statement.execute(arguments: [
            local.id.column, local.kind.rawValue, content, local.version, local.base, local.sent, local.isPending,
            local.createdAt, local.updatedAt, problem,
        ])
        if local.kind == .place { try sweepFiles(of: local, db) }
    }

    /// Deletes a row and its files, without a record of the deletion.
    func removeNotebookRow(_ id: NotebookID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM notebook WHERE id = ?").execute(arguments: [id.column])
        for file in try notebookFiles(of: id, db) { try removeFile(file.attachment.id, db) }
    }
}
