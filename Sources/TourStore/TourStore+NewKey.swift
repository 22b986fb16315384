import Foundation
import GRDB
import Glibc
import Synchronization
import TourCrypto

// A new storage key: everything sealed under the old one is sealed again. Source: `Protocol/01-identity.md`, "A new
// key".
extension TourStore {
    /// Seals everything under another key, in one transaction: after a power cut or a kill everything is under one key
    /// or everything under the other. All other calls wait meanwhile, readers too; `seal` and `open` use the new key
    /// from then on. Once this returns the disk has everything, and nothing sealed under the old key remains in the
    /// database or log.
    ///
    /// - Parameter key: 32 bytes, already stored in a file: see `StorageKeyFile.Slot.next`.
    /// - Parameter progress: receives the values done and the total, on the calling thread.
    /// - Throws: `busy` while a backup is being made; `damaged` when a value does not open; then nothing has changed.
    ///   When the disk fails, `isSealed` shows which key counts.
    package func renewKey(
        _ key: SecretBytes, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) {
        try beginAlone()
        defer { endAlone() }
        do {
            try writingAlone { db in
                try setDurable(true, db)
                try db.inCachedTransaction { try sealAnew(key, db, progress) }
                storageKey.withLock { $0 = key }
                _ = try db.checkpoint(.truncate)
            }
        } catch {
            throw StoreError(database: error)
        }
    }

    private func sealAnew(_ key: SecretBytes, _ db: Database, _ progress: (Int, Int) -> Void) throws {
        let rows = try SealedColumn.all.map { (column: $0, keys: try $0.keys(db)) }
        let total = rows.reduce(0) { $0 + $1.keys.count }
        var count = 0
        for (column, keys) in rows {
            try column.replace(keys, db) { sealed, row, name in
                var bytes = try open(sealed, table: column.table, row: row, column: name)
                let plain = SecretBytes(taking: &bytes)
                return plain.withBytes {
                    Data(Seal.seal($0, key: key, associatedData: Self.place(column.table, row, name)))
                }
            } done: {
                count += 1
                progress(count, total)
            }
        }
    }

    /// Whether the database of a directory is sealed under this key; false when there is none. The answer survives a
    /// power cut: a kill may have left a commit that the disk does not have yet, and the caller destroys the other key
    /// next.
    /// - Throws: why the database cannot be read, or not be written to the disk.
    package static func isSealed(_ directory: DataDirectory, under key: SecretBytes) throws(StoreError) -> Bool {
        guard PrivateFile.exists(directory.database) else { return false }
        // Symbolic links are not followed.
        Glibc.close(try PrivateFile.open(directory.database, flags: O_RDWR))
        do {
            let queue = try DatabaseQueue(path: directory.database, configuration: configuration)
            let sealed = try queue.writeWithoutTransaction { db in
                let sealed = try Data.fetchOne(
                    db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [keyCheck])
                _ = try db.checkpoint(.truncate)
                return sealed
            }
            try queue.close()
            guard let sealed else { return false }
            let associatedData = place("setting", Array(keyCheck.utf8), "value")
            return (try? Seal.open(sealed, key: key, associatedData: associatedData)) != nil
        } catch {
            throw StoreError(database: error)
        }
    }
}
