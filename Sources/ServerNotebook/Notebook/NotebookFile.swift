import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// A notebook's file as the database describes it; a file of the same name holds the bytes.
package struct NotebookFile: Sendable {
    /// How far a file is.
    package enum State: Int64, Sendable {
        /// Its bytes are still arriving.
        case coming = 0
        /// All of its bytes are on the disk.
        case whole = 1
        /// It belongs to no account, and its bytes are about to be removed.
        case dropped = 2
    }

    let id: NotebookID
    let account: Int64
    /// The name that the client sent, made harmless; see `FileName`.
    let name: String
    let media: String
    let bytes: Int64

    /// Whether browsers may show the file beside a page: pictures run no code.
    var isPicture: Bool { PictureKind(media: media) != nil }
}

/// The files of notebooks inside one transaction. It owns the rows of `notebook_files`.
package struct NotebookFileRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// Whether the account has this file and all of its bytes are here, as with files of the current request.
    func has(_ id: NotebookID, of account: Int64) throws(Failure) -> Bool {
        try sql.row(
            "SELECT 1 FROM notebook_files WHERE id = $1 AND account = $2 AND state = $3",
            [.bytes(id.bytes), .integer(account), .integer(NotebookFile.State.whole.rawValue)]) != nil
    }

    /// - Returns: nil while the file is not whole, and once it is dropped.
    package func file(_ id: NotebookID) throws(Failure) -> NotebookFile? {
        let row = try sql.row(
            "SELECT account, name, media, bytes FROM notebook_files WHERE id = $1 AND state = $2",
            [.bytes(id.bytes), .integer(NotebookFile.State.whole.rawValue)])
        return try row.map { row throws(Failure) in
            NotebookFile(
                id: id, account: try row.integer(0), name: try row.text(1), media: try row.text(2),
                bytes: try row.count(3))
        }
    }

    /// The caller's file of this id.
    /// - Throws: `notFound`; `forbidden` for another account's.
    func file(_ id: NotebookID, of caller: AuthenticatedAccount) throws(Failure) -> NotebookFile {
        guard let file = try file(id) else { throw Failure(.notFound) }
        guard file.account == caller.id else { throw Failure(.forbidden) }
        return file
    }

    /// The first of these files that has this hash; nil when none has.
    func first(of ids: Set<NotebookID>, with hash: Bytes32) throws(Failure) -> NotebookID? {
        for id in ids.sorted() {
            let row = try sql.row(
                "SELECT 1 FROM notebook_files WHERE id = $1 AND hash = $2 AND state = $3",
                [.bytes(id.bytes), .bytes(hash.bytes), .integer(NotebookFile.State.whole.rawValue)])
            if row != nil { return id }
        }
        return nil
    }

    /// Records a file that begins to arrive.
    /// - Parameter now: whole seconds since 1970.
    func begin(_ id: NotebookID, of account: AuthenticatedAccount, now: Int64) throws(Failure) {
        try sql.run(
            """
            INSERT INTO notebook_files (id, account, name, media, bytes, state, unused)
            VALUES ($1, $2, '', '', 0, $3, $4)
            """,
            [
                .bytes(id.bytes), .integer(account.id), .integer(NotebookFile.State.coming.rawValue), .integer(now),
            ])
    }

    /// Records that all bytes are on the disk.
    /// - Parameter room: of all files of the account, in bytes.
    /// - Throws: `quota`; `unauthenticated` when the account was deleted meanwhile.
    func finish(_ file: NotebookFile, hash: Bytes32, within room: Int64) throws(Failure) {
        let sum = try sql.row(
            "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM notebook_files WHERE account = $1",
            [.integer(file.account)])?.count(0)
        guard (sum ?? 0) + file.bytes <= room else { throw Failure(.quota) }
        let count = try sql.run(
            """
            UPDATE notebook_files SET name = $1, media = $2, bytes = $3, hash = $4, state = $5
            WHERE id = $6 AND account = $7
            """,
            [
                .text(file.name), .text(file.media), .integer(file.bytes), .bytes(hash.bytes),
                .integer(NotebookFile.State.whole.rawValue), .bytes(file.id.bytes), .integer(file.account),
            ])
        guard count == 1 else { throw Failure(.unauthenticated) }
    }

    /// Takes the file from its account.
    func drop(_ id: NotebookID) throws(Failure) {
        try sql.run(
            "UPDATE notebook_files SET account = 0, name = '', media = '', state = $1, unused = 0 WHERE id = $2",
            [.integer(NotebookFile.State.dropped.rawValue), .bytes(id.bytes)])
    }

    /// Takes all files from an account that is being deleted.
    func dropAll(of account: Account) throws(Failure) {
        try sql.run(
            "UPDATE notebook_files SET account = 0, name = '', media = '', state = $1, unused = 0 WHERE account = $2",
            [.integer(NotebookFile.State.dropped.rawValue), .integer(account.id)])
    }

    /// Drops the files that no item has referred to since `horizon`.
    /// - Parameter horizon: whole seconds since 1970.
    /// - Returns: the files whose bytes are to be removed, including those that were dropped earlier.
    func dropUnused(before horizon: Int64) throws(Failure) -> [NotebookID] {
        var ids = [NotebookID]()
        for row in try sql.rows("SELECT id FROM notebook_files WHERE unused < $1", [.integer(horizon)]) {
            guard let id = NotebookID(try row.bytes(0)) else { continue }
            try drop(id)
            ids.append(id)
        }
        return ids
    }

    /// Deletes the row of a dropped file whose bytes are removed.
    func forget(_ id: NotebookID) throws(Failure) {
        try sql.run(
            "DELETE FROM notebook_files WHERE id = $1 AND state = $2",
            [.bytes(id.bytes), .integer(NotebookFile.State.dropped.rawValue)])
    }
}
