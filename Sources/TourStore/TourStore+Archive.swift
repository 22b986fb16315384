import Foundation
import GRDB
import TourModel

// Contents of events, kept beyond the keys that sealed them. Source: `Protocol/05-events.md`, "Wiping keys".
extension TourStore {
    /// Stores contents of events, sealed under the storage key; an existing one stays. Durable: the keys are wiped
    /// next.
    /// - Parameter contents: each with its event's row.
    /// - Parameter contents: by the event's row.
    package func archive(_ contents: [(row: Int64, content: [UInt8])]) throws(StoreError) {
        guard !contents.isEmpty else { return }
        try write(durable: true) { db in
            let insertion = try db.cachedStatement(sql: "INSERT OR IGNORE INTO archive (row, content) VALUES (?, ?)")
            for (row, content) in contents {
                let sealed = seal(content, table: "archive", row: Self.place(of: row), column: "content")
                try insertion.execute(arguments: [row, sealed])
            }
        }
    }

    /// - Throws: `damaged` when it was not sealed for this row with this key.
    func archived(_ sealed: Data?, row: Int64) throws(StoreError) -> [UInt8]? {
        guard let sealed else { return nil }
        return try open(sealed, table: "archive", row: Self.place(of: row), column: "content")
    }

    static func place(of row: Int64) -> [UInt8] {
        withUnsafeBytes(of: row.bigEndian) { [UInt8]($0) }
    }
}
