import ServerBase
import ServerStorage
import TourModel
import TourNotebook

/// Which items of a notebook refer to which files, so that a file is deleted once no item refers to it. It owns the
/// notebook's rows of `notebook_uses`.
struct FileUseRows {
    private let notebook: NotebookRows
    private var sql: any SQL { notebook.sql }
    private var account: Int64 { notebook.account }

    init(notebook: NotebookRows) { self.notebook = notebook }

    /// Records exactly the files that the item refers to now.
    /// - Parameter now: whole seconds since 1970.
    /// - Parameter isNew: whether the item was not there, or deleted, before: then it referred to none.
    func set(_ item: NotebookRow, now: Int64, isNew: Bool = false) throws(Failure) {
        let named = try item.isDeleted ? [] : FileAddress.files(in: item)
        let found =
            isNew
            ? []
            : try sql.rows(
                "SELECT file FROM notebook_uses WHERE account = $1 AND item = $2",
                [.integer(account), .bytes(item.id.bytes)])
        var before = Set<NotebookID>()
        for row in found { if let file = NotebookID(try row.bytes(0)) { before.insert(file) } }
        for file in named.subtracting(before).sorted() {
            try sql.run(
                "INSERT INTO notebook_uses (account, item, file) VALUES ($1, $2, $3)",
                [.integer(account), .bytes(item.id.bytes), .bytes(file.bytes)])
            try sql.run(
                "UPDATE notebook_files SET unused = NULL WHERE id = $1 AND state = $2",
                [.bytes(file.bytes), .integer(NotebookFile.State.whole.rawValue)])
        }
        for file in before.subtracting(named).sorted() {
            try sql.run(
                "DELETE FROM notebook_uses WHERE account = $1 AND item = $2 AND file = $3",
                [.integer(account), .bytes(item.id.bytes), .bytes(file.bytes)])
            try sql.run(
                """
                UPDATE notebook_files SET unused = $1
                WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM notebook_uses WHERE file = notebook_files.id)
                """, [.integer(now), .bytes(file.bytes)])
        }
    }

    /// Of an account that is being deleted.
    func deleteAll() throws(Failure) {
        try sql.run("DELETE FROM notebook_uses WHERE account = $1", [.integer(account)])
    }
}
