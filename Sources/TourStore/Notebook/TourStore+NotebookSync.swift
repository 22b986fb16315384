import Foundation
import GRDB
import TourCrypto
import TourModel
import TourNotebook

// The notebook and its server: what this device sends, and what an answer changes. Source: `Protocol/12-notebook.md`,
// "On a device".
extension TourStore {
    private static let deviceSetting = "notebook-device"
    private static let accountSetting = "notebook-account"
    private static let cursorSetting = "notebook-cursor"

    /// The server's id of the account that owns the notebook; nil while it was never synced.
    package func notebookAccount() throws(StoreError) -> String? {
        try setting(Self.accountSetting).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Claims the notebook: the first account owns it.
    /// - Returns: whether this account owns it.
    package func claimNotebook(for account: String) throws(StoreError) -> Bool {
        if let owner = try notebookAccount() { return owner == account }
        try setSetting(Self.accountSetting, value: Array(account.utf8))
        return true
    }

    /// Releases the notebook from its account; all items count as new. Pictures on this device stay with their places.
    package func unlinkNotebook() throws(StoreError) {
        try write(durable: true) { db in
            try db.execute(sql: "DELETE FROM notebook WHERE content IS NULL")
            let files = try Row.fetchAll(db, sql: "SELECT id FROM notebook_file WHERE sent = 1")
            for file in files { try forgetAddress(of: NotebookID(column: file.data(0)), db) }
            try db.execute(sql: "UPDATE notebook SET base = 0, sent = 0, pending = 1, problem = NULL")
            try setSetting(Self.accountSetting, value: nil, db)
            try setSetting(Self.cursorSetting, value: nil, db)
        }
    }

    /// Makes the file a new one for the next server.
    private func forgetAddress(of id: NotebookID, _ db: Database) throws {
        guard var file = try notebookFileRow(id, db) else { return }
        let address = file.attachment.url.flatMap { PlaceFile(address: $0) }
        file.isSent = false
        file.attachment.url = nil
        try save(file, db)
        guard let address, var local = try notebookRow(file.item, db)?.local,
            case .place(var place) = local.content
        else { return }
        place.drop(address)
        local.content = .place(place)
        try save(local, db)
    }

    /// Gives this device a new name: two copies of a store are two writers, and a restored one has not seen its own
    /// later writes.
    package func renewNotebookDevice() throws(StoreError) { try setSetting(Self.deviceSetting, value: nil) }

    /// The number of items and files that the server does not have yet.
    package func notebookPending() throws(StoreError) -> Int {
        try read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT (SELECT count(*) FROM notebook WHERE pending = 1) +
                            (SELECT count(*) FROM notebook_file WHERE sent = 0)
                        """)) ?? 0
        }
    }

    // MARK: Items

    /// The next items to send, and the position in the queue from which the next call continues. Durable: the store
    /// knows what it has sent even if no answer arrives.
    /// - Parameter position: 0, or the position that the last call returned.
    /// - Parameter limit: the most items, at least 1.
    /// - Parameter withRefused: whether to include items that a server rejected before.
    /// - Returns: nil while no account owns the notebook.
    package func nextNotebookExchange(
        after position: Int64, limit: Int, withRefused: Bool
    ) throws(StoreError) -> (exchange: DeltaExchange, position: Int64)? {
        try write(durable: true) { db in
            guard let account = try setting(Self.accountSetting, db) else { return nil }
            var exchange = DeltaExchange(
                cursor: try setting(Self.cursorSetting, db).map { String(decoding: $0, as: UTF8.self) },
                device: try notebookDevice(db), account: String(decoding: account, as: UTF8.self), limit: limit)
            var position = position
            for row in try waiting(after: position, limit: limit, withRefused: withRefused, db) {
                guard exchange.add(row.local, size: row.size) else { break }
                position = row.key
                try db.cachedStatement(sql: "UPDATE notebook SET sent = max(sent, version) WHERE key = ?")
                    .execute(arguments: [row.key])
            }
            return (exchange, position)
        }
    }

    private func notebookDevice(_ db: Database) throws -> String {
        if let known = try setting(Self.deviceSetting, db) { return String(decoding: known, as: UTF8.self) }
        let fresh = Hex.encode(Randomness.bytes(8))
        try setSetting(Self.deviceSetting, value: Array(fresh.utf8), db)
        return fresh
    }

    /// Up to one item above the limit, to show whether more remain.
    private func waiting(
        after position: Int64, limit: Int, withRefused: Bool, _ db: Database
    ) throws -> [(key: Int64, local: LocalItem, size: Int)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.notebookColumns), ifnull(length(content), 0) FROM notebook
                WHERE pending = 1 AND key > ? AND (problem IS NULL OR ?) ORDER BY key LIMIT ?
                """)
        var waiting: [(key: Int64, local: LocalItem, size: Int)] = []
        var bytes = 0
        let rows = try Row.fetchCursor(statement, arguments: [position, withRefused, limit + 1])
        while bytes <= DeltaExchange.bytesMax, let row = try rows.next() {
            // An id, times and versions besides the content.
            let size = try row.count(11) + 256
            bytes += size
            let found = try notebookRow(row)
            waiting.append((found.key, found.local, size))
        }
        return waiting
    }

    /// Applies an answer. Durable. Does nothing when another account owns the notebook by now, or its cursor has moved.
    /// - Returns: whether the answer was applied.
    package func apply(_ answer: DeltaAnswer, to exchange: DeltaExchange) throws(StoreError) -> Bool {
        try write(durable: true) { db in
            let account = try setting(Self.accountSetting, db)
            let cursor = try setting(Self.cursorSetting, db)
            guard account == Array(exchange.account.utf8), cursor == exchange.request.cursor.map({ Array($0.utf8) })
            else { return false }
            if exchange.wentBack(answer) { try db.execute(sql: "UPDATE notebook SET pending = 1") }
            try settle(exchange, DeltaReading(answer), db)
            let sent = exchange.sent
            for item in answer.updated where !sent.contains(item.id) { try apply(item, db) }
            for id in answer.deleted where !sent.contains(id) {
                guard var local = try notebookRow(id, db)?.local else { continue }
                let before = local
                local.applyDeletion()
                if local != before { try saveDeletion(of: before, local, db) }
            }
            try setSetting(Self.cursorSetting, value: Array(answer.serverTime.utf8), db)
            return true
        }
    }

    private func settle(_ exchange: DeltaExchange, _ reading: DeltaReading, _ db: Database) throws {
        for sent in exchange.request.items {
            guard var local = try notebookRow(sent.item.id, db)?.local else { continue }
            let before = local
            local.settle(reading.outcome(of: local.id), sent: sent.item.content, version: sent.item.version)
            guard local != before else { continue }
            if local.isDeleted { try saveDeletion(of: before, local, db) } else { try save(local, db) }
        }
        for deletion in exchange.request.deletions {
            guard var local = try notebookRow(deletion.id, db)?.local,
                let version = exchange.deletedVersions[deletion.id]
            else { continue }
            let before = local
            local.settle(reading.outcome(ofDeleting: local.id), sent: nil, version: version)
            if local != before { try save(local, db) }
        }
    }

    private func apply(_ item: NotebookItem, _ db: Database) throws {
        guard var local = try notebookRow(item.id, db)?.local else {
            if let new = LocalItem(item) { try save(new, db) }
            return
        }
        let before = local
        local.apply(item)
        if local != before { try save(local, db) }
    }

    /// Records another device's deletion. That device had not seen pictures that were waiting for the server: they are
    /// kept with the lost edit.
    private func saveDeletion(of before: LocalItem, _ local: LocalItem, _ db: Database) throws {
        let hasUnsent = try notebookFiles(of: local.id, db).contains { !$0.isSent }
        if hasUnsent, let item = before.item, let edit = LostEdit(item, .deleted) {
            var random = SystemRandomNumberGenerator()
            let lost = LocalItem(
                new: .lost(edit), id: NotebookID.random(using: &random), now: now() / 1_000_000)
            try save(lost, db)
            try moveFiles(of: local.id, to: lost.id, db)
        }
        try save(local, db)
    }
}

// Uploads of files.
extension TourStore {
    /// The next picture or file that the server lacks, of a place that the server has in its current version.
    /// - Parameter position: 0, or that of the previous upload.
    /// - Parameter withRefused: whether to include files that the server rejected before.
    package func nextNotebookUpload(after position: Int64, withRefused: Bool) throws(StoreError) -> FileUpload? {
        try read { db in
            var position = position
            while let file = try nextUnsentFile(after: position, withRefused: withRefused, db) {
                position = file.key
                guard let local = try notebookRow(file.item, db)?.local, !local.isPending, let item = local.item,
                    local.kind == .place
                else { continue }
                let attachment = file.attachment
                return FileUpload(
                    position: position, item: item, id: attachment.id, isPicture: attachment.role == .picture,
                    name: attachment.name, media: attachment.media, length: attachment.bytes,
                    parts: Self.notebookParts(of: attachment.bytes))
            }
            return nil
        }
    }

    /// Records that the server accepted the file. Durable.
    /// - Parameter item: the place as the server has it now.
    package func settle(_ upload: FileUpload, as item: NotebookItem) throws(StoreError) {
        try write(durable: true) { db in
            guard var local = try notebookRow(item.id, db)?.local else { return }
            local.settle(upload: item, sent: upload.item.content, version: upload.item.version)
            let file = upload.file(in: item)
            var row = try notebookFileRow(upload.id, db)
            if row == nil, let file, case .place(var place) = local.content {
                // The user removed it meanwhile.
                place.drop(file)
                local.edit(.place(place), now: now() / 1_000_000)
            }
            try save(local, db)
            guard let file, case .place(let place) = local.content, row != nil else {
                // Its own address among these is unknown: it is fetched again on demand.
                return try removeFile(upload.id, db)
            }
            row?.isSent = true
            row?.attachment.url = place.files.first { $0.file == file }?.address
            if let row { try save(row, db) }
        }
    }

    /// Records that the server rejected the file.
    /// - Parameter words: the server's reason.
    package func refuse(_ upload: FileUpload, _ words: String) throws(StoreError) {
        try write(durable: false) { db in
            guard var row = try notebookFileRow(upload.id, db) else { return }
            row.problem = words
            try save(row, db)
        }
    }
}
