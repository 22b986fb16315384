import Foundation
import FuzzSupport
import GRDB

/// A node on a database in which somebody changed cells, or a disk forgot some: it starts and answers, or says why
/// not.
enum StoredDataHarness {
    private static let changesMax = 16
    private static let tables = [
        "event", "batch", "author", "tour", "record", "control", "setting", "frontier", "watermark", "address",
        "archive", "synced", "blob", "blob_page", "sign", "receipt", "notebook", "notebook_file", "notebook_part",
        "meta",
    ]

    /// What a start does not read itself is asked for, and what was read is written on.
    private static let requests = [
        NodeRequest("GET", "/v1/status"), NodeRequest("GET", "/v1/doctor"), NodeRequest("GET", "/v1/tours"),
        NodeRequest("GET", "/v1/tours/-"), NodeRequest("GET", "/v1/tours/-/members"),
        NodeRequest("GET", "/v1/tours/-/invites"), NodeRequest("GET", "/v1/tours/-/messages"),
        NodeRequest("GET", "/v1/tours/-/messages/@/receipts"), NodeRequest("GET", "/v1/tours/-/messages?around=@"),
        NodeRequest("GET", "/v1/tours/-/messages?search=hello&limit=2"), NodeRequest("GET", "/v1/tours/-/meeting"),
        NodeRequest("GET", "/v1/tours/-/alarms"), NodeRequest("GET", "/v1/tours/-/rolls"),
        NodeRequest("GET", "/v1/tours/-/roll"), NodeRequest("GET", "/v1/tours/-/urgent"),
        NodeRequest("GET", "/v1/tours/-/buddies"), NodeRequest("GET", "/v1/tours/-/stragglers"),
        NodeRequest("GET", "/v1/tours/-/files"), NodeRequest("GET", "/v1/tours/-/shared"),
        NodeRequest("GET", "/v1/notebook/export?format=json"), NodeRequest("GET", "/v1/notebook/bookmarks"),
        NodeRequest("GET", "/v1/notebook/collections"),
        NodeRequest("PATCH", "/v1/notebook/collections/@", #"{"title":"Rome"}"#),
        NodeRequest("POST", "/v1/tours/-/messages", #"{"content":"Again"}"#),
        NodeRequest("POST", "/v1/tours/-/messages", #"{"type":"announcement","content":"Again"}"#),
        NodeRequest("POST", "/v1/tours/-/read", #"{"displayed":["@"]}"#), NodeRequest("GET", "/v1/status"),
    ]

    static func run(_ bytes: [UInt8]) {
        let directory = FuzzNode.directory()
        guard let database = try? DatabaseQueue(path: directory + "/tour.sqlite") else {
            return check(false, "a node's database opens")
        }
        forgetRules(of: database)
        var program = ByteProgram(bytes)
        for _ in 0..<changesMax where !program.isAtEnd { change(&program, database) }
        try? database.close()
        FuzzNode.run(on: directory, requests)
    }

    /// A damaged page holds to no rule of its table.
    private static func forgetRules(of database: DatabaseQueue) {
        try? database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';
                    PRAGMA writable_schema = RESET;
                    """)
        }
    }

    private static func change(_ program: inout ByteProgram, _ database: DatabaseQueue) {
        let table = tables[program.number(below: tables.count)]
        let (column, row) = (program.number(below: 16), program.number(below: 32))
        // What SQLite itself refuses is no damage.
        try? database.write { db in
            let columns = try db.columns(in: table).map(\.name)
            let name = columns[column % columns.count]
            let keys = try db.primaryKey(table).columns.joined(separator: ", ")
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            guard count > 0 else { return }
            let place = "FROM \(table) ORDER BY \(keys.isEmpty ? "rowid" : keys) LIMIT 1 OFFSET \(row % count)"
            let old = try DatabaseValue.fetchOne(db, sql: "SELECT \"\(name)\" \(place)") ?? .null
            let key = keys.isEmpty ? "rowid" : keys
            try db.execute(
                sql: "UPDATE \(table) SET \"\(name)\" = ? WHERE (\(key)) = (SELECT \(key) \(place))",
                arguments: [value(&program, in: old)])
        }
    }

    private static let extremes: [Int64] = [.min, .max, -1, 0, 1 << 62, -1 << 62, 1 << 32, 1 << 53]

    private static func value(_ program: inout ByteProgram, in old: DatabaseValue) -> DatabaseValue {
        switch program.number(below: 8) {
        case 0: return .null
        case 1: return Int64(bitPattern: program.sequence()).databaseValue
        case 2: return extremes[program.number(below: extremes.count)].databaseValue
        case 3: return (Double(program.byte()) * 1e300).databaseValue
        case 4: return String(decoding: program.chunk(), as: UTF8.self).databaseValue
        case 5: return Data(program.chunk()).databaseValue
        case 6:
            guard let bytes = Data.fromDatabaseValue(old) else { return .null }
            return Data(bytes.prefix(program.number(below: 256))).databaseValue
        default:
            guard var bytes = Data.fromDatabaseValue(old), !bytes.isEmpty else { return .null }
            let offset = program.number(below: 256) % bytes.count
            let new = program.chunk()
            let start = bytes.startIndex + offset
            for (index, byte) in new.prefix(bytes.count - offset).enumerated() { bytes[start + index] = byte }
            return bytes.databaseValue
        }
    }
}
