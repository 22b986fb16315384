import TourModel
import TourNotebook

/// What the storage knows of a file of a notebook; its bytes are in a file of the same name.
struct NotebookFile: Sendable {
    enum State: Int64, Sendable {
        /// Not all of it is here, or nobody has named it yet.
        case coming = 0
        case whole = 1
        /// Nobody's: its bytes are about to go.
        case dropped = 2
    }

    let id: NotebookID
    let account: Int64
    /// As it was sent.
    let name: String
    let media: String
    let bytes: Int64

    /// What browsers may show beside a page: pictures, which run nothing.
    var isPicture: Bool { PictureKind(media: media) != nil }
}

extension SQL {
    /// Whether the account has this file, whole or as the one that is being sent with this request.
    func hasFile(_ id: NotebookID, of account: Int64) throws(Failure) -> Bool {
        try row(
            "SELECT 1 FROM notebook_files WHERE id = $1 AND account = $2 AND state = $3",
            [.bytes(id.bytes), .integer(account), .integer(NotebookFile.State.whole.rawValue)]) != nil
    }

    /// - Returns: nil while it is not whole, and when it is about to go.
    func notebookFile(_ id: NotebookID) throws(Failure) -> NotebookFile? {
        let row = try row(
            "SELECT account, name, media, bytes FROM notebook_files WHERE id = $1 AND state = $2",
            [.bytes(id.bytes), .integer(NotebookFile.State.whole.rawValue)])
        return try row.map { row throws(Failure) in
            NotebookFile(
                id: id, account: try row.integer(0), name: try row.text(1), media: try row.text(2),
                bytes: try row.count(3))
        }
    }

    /// Those of these files that hold the same bytes as one that came just now.
    func files(_ ids: Set<NotebookID>, with hash: Bytes32) throws(Failure) -> NotebookID? {
        for id in ids.sorted() {
            let row = try row(
                "SELECT 1 FROM notebook_files WHERE id = $1 AND hash = $2 AND state = $3",
                [.bytes(id.bytes), .bytes(hash.bytes), .integer(NotebookFile.State.whole.rawValue)])
            if row != nil { return id }
        }
        return nil
    }

    /// Keeps a place for a file that begins to come.
    /// - Parameter now: whole seconds since 1970.
    func beginFile(_ id: NotebookID, of account: Int64, now: Int64) throws(Failure) {
        try run(
            """
            INSERT INTO notebook_files (id, account, name, media, bytes, state, unused)
            VALUES ($1, $2, '', '', 0, $3, $4)
            """,
            [
                .bytes(id.bytes), .integer(account), .integer(NotebookFile.State.coming.rawValue), .integer(now),
            ])
    }

    /// All bytes are on the disk.
    /// - Throws: `quota`; `unauthenticated` when the account was deleted meanwhile.
    func finishFile(_ file: NotebookFile, hash: Bytes32) throws(Failure) {
        let sum = try row(
            "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM notebook_files WHERE account = $1",
            [.integer(file.account)])?.count(0)
        guard (sum ?? 0) + file.bytes <= ServerLimits.accountFileBytesMax else { throw Failure(.quota) }
        let count = try run(
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

    /// From now on it is nobody's.
    func dropFile(_ id: NotebookID) throws(Failure) {
        try run(
            "UPDATE notebook_files SET account = 0, name = '', media = '', state = $1, unused = 0 WHERE id = $2",
            [.integer(NotebookFile.State.dropped.rawValue), .bytes(id.bytes)])
    }

    /// The account is deleted: its files are nobody's.
    func dropFiles(of account: Int64) throws(Failure) {
        try run(
            "UPDATE notebook_files SET account = 0, name = '', media = '', state = $1, unused = 0 WHERE account = $2",
            [.integer(NotebookFile.State.dropped.rawValue), .integer(account)])
    }

    /// Drops those that nothing has named since then.
    /// - Parameter horizon: whole seconds since 1970.
    /// - Returns: those whose bytes go now, also of earlier times.
    func dropUnusedFiles(before horizon: Int64) throws(Failure) -> [NotebookID] {
        var ids = [NotebookID]()
        for row in try rows("SELECT id FROM notebook_files WHERE unused < $1", [.integer(horizon)]) {
            guard let id = NotebookID(try row.bytes(0)) else { continue }
            try dropFile(id)
            ids.append(id)
        }
        return ids
    }

    /// Its bytes are gone.
    func forgetFile(_ id: NotebookID) throws(Failure) {
        try run(
            "DELETE FROM notebook_files WHERE id = $1 AND state = $2",
            [.bytes(id.bytes), .integer(NotebookFile.State.dropped.rawValue)])
    }
}
