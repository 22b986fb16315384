import Foundation
import GRDB
import TourModel
import TourNotebook

// Pictures and files of saved places. Source: `Protocol/12-notebook.md`, "Files".
extension TourStore {
    /// The bytes of one part of a file, sealed and read at once.
    package static let notebookPartBytes = 256 * 1_024

    /// The sealed description of a file, besides its bytes.
    private struct FileDetails: Codable {
        var role: NotebookAttachment.Role
        var name: String
        var media: String
        var bytes: Int
        var url: String?
        var problem: String?
    }

    struct FileRow {
        var key: Int64
        var item: NotebookID
        var attachment: NotebookAttachment
        var isSent: Bool
        /// Why the server rejects it.
        var problem: String?
    }

    private static let fileColumns = "key, id, item, details, sent"

    private func fileRow(_ row: Row) throws -> FileRow {
        let id = try NotebookID(column: row.data(1))
        let bytes = try open(row.data(3), table: "notebook_file", row: id.bytes, column: "details")
        guard let details = try? JSONDecoder().decode(FileDetails.self, from: Data(bytes)),
            (0...Limits.notebookFileBytesMax).contains(details.bytes)
        else {
            throw StoreError.damaged(.database)
        }
        let attachment = NotebookAttachment(
            id: id, role: details.role, name: details.name, media: details.media, bytes: details.bytes,
            url: details.url)
        return FileRow(
            key: try row.integer(0), item: try NotebookID(column: row.data(2)), attachment: attachment,
            isSent: try row.integer(4) != 0, problem: details.problem)
    }

    func notebookFiles(of item: NotebookID, _ db: Database) throws -> [FileRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.fileColumns) FROM notebook_file WHERE item = ? ORDER BY key")
        return try Row.fetchAll(statement, arguments: [item.column]).map { try fileRow($0) }
    }

    func notebookFileRow(_ id: NotebookID, _ db: Database) throws -> FileRow? {
        let statement = try db.cachedStatement(sql: "SELECT \(Self.fileColumns) FROM notebook_file WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id.column]).map { try fileRow($0) }
    }

    /// The next file behind this key that the server lacks and may accept.
    func nextUnsentFile(after key: Int64, withRefused: Bool, _ db: Database) throws -> FileRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.fileColumns) FROM notebook_file WHERE sent = 0 AND key > ? ORDER BY key")
        let rows = try Row.fetchCursor(statement, arguments: [key])
        while let row = try rows.next() {
            let file = try fileRow(row)
            if withRefused || file.problem == nil { return file }
        }
        return nil
    }

    func save(_ file: FileRow, _ db: Database) throws {
        let attachment = file.attachment
        let details = FileDetails(
            role: attachment.role, name: attachment.name, media: attachment.media, bytes: attachment.bytes,
            url: attachment.url, problem: file.problem)
        let sealed = seal(
            try JSONEncoder().encode(details), table: "notebook_file", row: attachment.id.bytes, column: "details")
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO notebook_file (id, item, details, sent) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET details = excluded.details, sent = excluded.sent
                """)
        try statement.execute(arguments: [attachment.id.column, file.item.column, sealed, file.isSent])
    }

    func saveParts(of id: NotebookID, _ bytes: [UInt8], _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO notebook_part (file, number, data) VALUES (?, ?, ?)")
        for (number, start) in stride(from: 0, to: bytes.count, by: Self.notebookPartBytes).enumerated() {
            let part = bytes[start..<min(start + Self.notebookPartBytes, bytes.count)]
            let sealed = seal(part, table: "notebook_part", row: id.bytes, column: "\(number)")
            try statement.execute(arguments: [id.column, number, sealed])
        }
    }

    func removeFile(_ id: NotebookID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM notebook_file WHERE id = ?").execute(arguments: [id.column])
        try db.cachedStatement(sql: "DELETE FROM notebook_part WHERE file = ?").execute(arguments: [id.column])
    }

    /// Removes files that the server has and the place no longer lists; for a deleted place all files.
    func sweepFiles(of local: LocalItem, _ db: Database) throws {
        var named: Set<PlaceFile> = []
        if case .place(let place) = local.content { named = Set(place.files.map(\.file)) }
        for file in try notebookFiles(of: local.id, db) where file.isSent || local.isDeleted {
            let address = file.attachment.url.flatMap { PlaceFile(address: $0) }
            if local.isDeleted || address.map({ !named.contains($0) }) ?? true {
                try removeFile(file.attachment.id, db)
            }
        }
    }

    /// Moves the files that no server has.
    func moveFiles(of item: NotebookID, to other: NotebookID, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE notebook_file SET item = ? WHERE item = ? AND sent = 0")
            .execute(arguments: [other.column, item.column])
    }

    /// The attachments that the place lists, in its order, wherever their bytes are; then those that no server has.
    func attachments(of local: LocalItem, _ rows: [FileRow]) -> [NotebookAttachment] {
        let unsent = rows.filter { !$0.isSent }.map(\.attachment)
        guard case .place(let place) = local.content else { return unsent }
        let here = Dictionary(
            rows.compactMap { row in
                row.attachment.url.flatMap { PlaceFile(address: $0) }.map { ($0, row.attachment) }
            }, uniquingKeysWith: { first, _ in first })
        let named = place.files.map { file, address, isPicture in
            here[file]
                ?? NotebookAttachment(
                    id: file.id, role: isPicture ? .picture : .file, name: "", media: "", bytes: 0, url: address)
        }
        return named + unsent
    }
}

// The bytes of files.
extension TourStore {
    static func notebookParts(of length: Int) -> Int { (length + notebookPartBytes - 1) / notebookPartBytes }

    /// - Returns: nil while the bytes are not on this device.
    package func notebookFileBytes(_ attachment: NotebookID) throws(StoreError) -> [UInt8]? {
        guard let length = try read({ db in try notebookFileRow(attachment, db)?.attachment.bytes }) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        for number in 0..<Self.notebookParts(of: length) {
            guard let part = try notebookFilePart(attachment, number) else { return nil }
            bytes += part
        }
        guard bytes.count == length else { throw .damaged(.database) }
        return bytes
    }

    /// - Parameter number: from 0; all parts but the last have `notebookPartBytes`.
    /// - Returns: nil behind the last one.
    package func notebookFilePart(_ attachment: NotebookID, _ number: Int) throws(StoreError) -> [UInt8]? {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT data FROM notebook_part WHERE file = ? AND number = ?")
            guard let sealed = try Data.fetchOne(statement, arguments: [attachment.column, number]) else { return nil }
            return try open(sealed, table: "notebook_part", row: attachment.bytes, column: "\(number)")
        }
    }

    /// Stores a file fetched from the server. Does nothing when the place no longer lists it.
    /// - Parameter attachment: one of its entry's files, with what is known of it now.
    package func keepNotebookFile(
        of item: NotebookID, _ attachment: NotebookAttachment, _ bytes: [UInt8]
    ) throws(StoreError) {
        try write(durable: false) { db in
            guard case .place(let place)? = try notebookRow(item, db)?.local.content,
                let file = attachment.url.flatMap({ PlaceFile(address: $0) }),
                place.files.contains(where: { $0.file == file }), try notebookFileRow(attachment.id, db) == nil
            else { return }
            var kept = attachment
            kept.bytes = bytes.count
            try save(FileRow(key: 0, item: item, attachment: kept, isSent: true, problem: nil), db)
            try saveParts(of: kept.id, bytes, db)
        }
    }
}
