import Foundation
import GRDB

/// A column with values sealed under the storage key. A new sealed column must be listed here: otherwise a new key
/// would not open it. Source: `Protocol/01-identity.md`, "A new key".
struct SealedColumn: Sendable {
    let table: String
    let column: String
    /// The column that identifies a row of the table.
    let key: String
    /// The row's bytes as passed to `TourStore.seal`, in parts; empty: the bytes of the integer in `key`.
    let row: [String]
    /// The column name as passed to `TourStore.seal`.
    let place: String

    private init(_ table: String, _ column: String, key: String = "key", row: [String], place: String? = nil) {
        self.table = table
        self.column = column
        self.key = key
        self.row = row
        self.place = place ?? "'\(column)'"
    }

    private static let tour = "(SELECT id FROM tour WHERE tour.key = t.tour)"

    static let all = [
        SealedColumn("setting", "value", key: "name", row: ["CAST(name AS BLOB)"]),
        SealedColumn("record", "secrets", key: "tour", row: [tour]),
        SealedColumn("record", "name", key: "tour", row: [tour]),
        SealedColumn("archive", "content", key: "row", row: []),
        SealedColumn("blob", "details", row: [tour, "id"]),
        SealedColumn("notebook", "content", row: ["id"]),
        SealedColumn("notebook", "problem", row: ["id"]),
        SealedColumn("notebook_file", "details", row: ["id"]),
        SealedColumn("notebook_part", "data", key: "rowid", row: ["file"], place: "CAST(number AS TEXT)"),
    ]

    /// The rows with a value.
    func keys(_ db: Database) throws -> [DatabaseValue] {
        try DatabaseValue.fetchAll(db, sql: "SELECT \(key) FROM \(table) WHERE \(column) IS NOT NULL")
    }

    /// Replaces each value; `other` also gets its row's bytes and column name.
    /// - Parameter done: called after each value.
    func replace(
        _ keys: [DatabaseValue], _ db: Database, with other: (Data, _ row: [UInt8], _ column: String) throws -> Data,
        done: () -> Void
    ) throws {
        let selection = try db.makeStatement(
            sql: "SELECT \(([column, place] + row).joined(separator: ", ")) FROM \(table) AS t WHERE \(key) = ?")
        let change = try db.makeStatement(sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?")
        for name in keys {
            guard let found = try Row.fetchOne(selection, arguments: [name]) else { continue }
            let value = try other(found.data(0), bytes(of: name, found), found.text(1))
            try change.execute(arguments: [value, name])
            done()
        }
    }

    private func bytes(of key: DatabaseValue, _ found: Row) throws -> [UInt8] {
        guard !row.isEmpty else {
            guard let number = Int64.fromDatabaseValue(key) else { throw StoreError.damaged(.database) }
            return TourStore.place(of: number)
        }
        return try row.indices.flatMap { try found.bytes($0 + 2) }
    }
}
