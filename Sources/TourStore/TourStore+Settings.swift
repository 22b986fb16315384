import Foundation
import GRDB
import TourModel

extension TourStore {
    /// - Returns: nil when it was never set.
    package func setting(_ key: String) throws(StoreError) -> [UInt8]? {
        try read { db in try setting(key, db) }
    }

    /// The same inside a read or write.
    func setting(_ key: String, _ db: Database) throws -> [UInt8]? {
        let sealed = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [key])
        guard let sealed else { return nil }
        return try open(sealed, table: "setting", row: Array(key.utf8), column: "value")
    }

    /// Durable. The value is sealed, the key is not.
    ///
    /// - Parameter value: nil removes the setting.
    package func setSetting(_ key: String, value: [UInt8]?) throws(StoreError) {
        try write(durable: true) { db in try setSetting(key, value: value, db) }
    }

    /// The same inside a write.
    func setSetting(_ key: String, value: [UInt8]?, _ db: Database) throws {
        if let value {
            let sealed = seal(value, table: "setting", row: Array(key.utf8), column: "value")
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)")
                .execute(arguments: [key, sealed])
        } else {
            try db.cachedStatement(sql: "DELETE FROM setting WHERE name = ?").execute(arguments: [key])
        }
    }
}
