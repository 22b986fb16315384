import Foundation
import GRDB
import TourModel

extension TourStore {
    /// - Returns: nil when it was never set.
    package func setting(_ key: String) throws(StoreError) -> [UInt8]? {
        let sealed = try read { db in
            try Data.fetchOne(
                db.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [key])
        }
        guard let sealed else { return nil }
        return try open(sealed, table: "setting", row: Array(key.utf8), column: "value")
    }

    /// Durable. The value is sealed, the key is not.
    ///
    /// - Parameter value: nil removes the setting.
    package func setSetting(_ key: String, value: [UInt8]?) throws(StoreError) {
        let sealed = value.map { seal($0, table: "setting", row: Array(key.utf8), column: "value") }
        try write(durable: true) { db in
            if let sealed {
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)")
                    .execute(arguments: [key, sealed])
            } else {
                try db.cachedStatement(sql: "DELETE FROM setting WHERE name = ?").execute(arguments: [key])
            }
        }
    }
}
