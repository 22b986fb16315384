import ServerBase
import ServerNotebook
import ServerStorage
import TourCrypto
import TourModel
import TourNotebook

/// What the database of a backup says: its schema, its size, and which files it names.
struct BackupContent {
    /// A file of which the database says that all of its bytes are on the disk.
    struct NamedFile {
        let place: String
        /// BLAKE2b-256 of its content, or for a blob the id by which its members name it.
        let hash: Bytes32
        let isBlob: Bool
        /// Its size.
        let bytes: Int64

        /// Whether a file of this content is the one that is named.
        func fits(_ names: BlobNames) -> Bool {
            names.content == hash || isBlob && names.sealed?.blob.raw == hash
        }
    }

    let steps: [String]
    let rows: [String: Int64]
    let files: [NamedFile]

    /// - Parameter path: the SQLite file of a snapshot, which stays as it is.
    /// - Throws: `unavailable` for a file that is no such database.
    init(of path: String) throws(Failure) {
        let file = try SQLiteFile(reading: path)
        let tables = try file.tables().map(\.table)
        (steps, rows, files) = try file.read { sql throws(Failure) in
            var rows = [String: Int64]()
            for table in tables {
                rows[table] = try sql.row("SELECT COUNT(*) FROM \(table)", [])?.count(0) ?? 0
            }
            var files = [NamedFile]()
            if tables.contains("blobs") { files += try Self.blobs(sql) }
            if tables.contains("notebook_files") { files += try Self.notebookFiles(sql) }
            return (try Migration.taken(in: sql, of: Migration.all).sorted(), rows, files)
        }
        try file.close()
    }

    private static func blobs(_ sql: any SQL) throws(Failure) -> [NamedFile] {
        let found = try sql.rows(
            """
            SELECT tours.id, blobs.hash, blobs.bytes FROM blobs JOIN tours ON tours.number = blobs.tour
            WHERE blobs.is_whole = 1
            """, [])
        return try found.map { row throws(Failure) in
            let tour: TourID = try row.identifier(0)
            let hash = try Self.hash(of: row)
            return NamedFile(
                place: BlobStore.place(of: hash, in: tour), hash: hash, isBlob: true, bytes: try row.count(2))
        }
    }

    private static func notebookFiles(_ sql: any SQL) throws(Failure) -> [NamedFile] {
        let found = try sql.rows(
            "SELECT id, hash, bytes FROM notebook_files WHERE state = $1",
            [.integer(NotebookFile.State.whole.rawValue)])
        return try found.map { row throws(Failure) in
            guard let id = NotebookID(try row.bytes(0)) else {
                throw Failure(.internalError, cause: "a file of a notebook has a name that nobody gives")
            }
            return NamedFile(
                place: NotebookFiles.place(of: id), hash: try Self.hash(of: row), isBlob: false, bytes: try row.count(2)
            )
        }
    }

    private static func hash(of row: SQLRow) throws(Failure) -> Bytes32 {
        guard let hash = Bytes32(try row.bytes(1)) else {
            throw Failure(.internalError, cause: "a file has a hash that nobody computes")
        }
        return hash
    }
}
