import Foundation
import GRDB
import TourModel
import TourNotebook

// The notebook of this device's user: notes, saved places, itineraries. Source: `Protocol/12-notebook.md`.
extension TourStore {
    /// The items of one kind, by their time of creation and then by id.
    package func notebook(_ kind: NotebookKind) throws(StoreError) -> [NotebookEntry] {
        try notebookEntries("kind = ? AND content IS NOT NULL ORDER BY created, id", [kind.rawValue])
    }

    /// - Returns: nil for an item that was deleted, or never existed.
    package func notebookEntry(_ id: NotebookID) throws(StoreError) -> NotebookEntry? {
        try notebookEntries("id = ? AND content IS NOT NULL", [id.column]).first
    }

    /// All items whose id has this prefix.
    /// - Parameter prefix: at least 6 digits, in either case; dashes are ignored. Anything else matches no item.
    package func notebookEntries(idPrefix prefix: String) throws(StoreError) -> [NotebookEntry] {
        let digits = prefix.filter { $0 != "-" }
        guard (6...32).contains(digits.utf8.count),
            let first = NotebookID(digits + String(repeating: "0", count: 32 - digits.utf8.count)),
            let last = NotebookID(digits + String(repeating: "f", count: 32 - digits.utf8.count))
        else { return [] }
        return try notebookEntries(
            "id BETWEEN ? AND ? AND content IS NOT NULL ORDER BY id", [first.column, last.column])
    }

    /// The ids among these of items that were deleted, here or on another device: such an id does not come back, so an
    /// import gives the items new ids.
    package func deletedNotebookIDs(among ids: Set<NotebookID>) throws(StoreError) -> Set<NotebookID> {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM notebook WHERE id = ? AND content IS NULL)")
            return try ids.filter { id in try Bool.fetchOne(statement, arguments: [id.column]) ?? false }
        }
    }

    private func notebookEntries(
        _ selection: String, _ arguments: StatementArguments
    ) throws(StoreError) -> [NotebookEntry] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT \(Self.notebookColumns) FROM notebook WHERE \(selection)")
            // Few items have files; this avoids a query for each item.
            let withFiles = try Set(
                Data.fetchAll(db.cachedStatement(sql: "SELECT DISTINCT item FROM notebook_file")))
            var entries: [NotebookEntry] = []
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                let local = try notebookRow(row).local
                guard let item = local.item else { continue }
                let files = withFiles.contains(item.id.column) ? try notebookFiles(of: item.id, db) : []
                entries.append(
                    NotebookEntry(
                        item: item, isPending: local.isPending || files.contains { !$0.isSent },
                        problem: local.problem ?? files.lazy.compactMap(\.problem).first,
                        files: attachments(of: local, files)))
            }
            return entries
        }
    }

    /// Applies edits. Durable, and all or nothing. Edits without effect are ignored.
    /// - Parameters:
    ///   - expected: the contents on which the edits are based: a sync may have changed them since.
    ///   - seconds: since 1970.
    /// - Throws: `changedMeanwhile`; `notThisKind`; `noRoom(.notebook)`, also for an attachment beyond
    ///   `Limits.notebookFileBytesMax`, or one more than `Limits.notebookPicturesMax`.
    package func editNotebook(
        _ edits: [NotebookEdit], expecting expected: [NotebookID: NotebookContent] = [:], now seconds: Int64
    ) throws(StoreError) {
        try write(durable: true) { db in
            for (id, content) in expected where try notebookRow(id, db)?.local.content != content {
                throw StoreError.changedMeanwhile
            }
            for edit in edits {
                switch edit {
                case .put(let id, let content): try put(id, content, seconds, db)
                case .delete(let id):
                    try keepFiles(of: id, for: edits, db)
                    try delete(id, seconds, db)
                case .attach(let id, let attachment, let bytes): try attach(id, attachment, bytes, db)
                case .detach(let id, let attachment): try detach(id, attachment, seconds, db)
                }
            }
            // Once for all edits: the count reads the whole index.
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM notebook WHERE content IS NOT NULL"))
            guard count ?? 0 <= Limits.notebookItemsMax else { throw StoreError.noRoom(.notebook) }
        }
    }

    /// An item restored after a lost conflict gets back the pictures that no server has.
    private func keepFiles(of lost: NotebookID, for edits: [NotebookEdit], _ db: Database) throws {
        guard case .lost(let edit) = try notebookRow(lost, db)?.local.content else { return }
        for case .put(let id, let content) in edits where content == edit.item.content {
            return try moveFiles(of: lost, to: id, db)
        }
    }

    private func put(_ id: NotebookID, _ content: NotebookContent, _ seconds: Int64, _ db: Database) throws {
        guard var local = try notebookRow(id, db)?.local else {
            return try save(LocalItem(new: content, id: id, now: seconds), db)
        }
        guard local.kind == content.kind else { throw StoreError.notThisKind }
        let before = local
        local.edit(content, now: seconds)
        if local != before { try save(local, db) }
    }

    private func delete(_ id: NotebookID, _ seconds: Int64, _ db: Database) throws {
        guard var local = try notebookRow(id, db)?.local, !local.isDeleted else { return }
        if local.delete(now: seconds) { try save(local, db) } else { try removeNotebookRow(id, db) }
        guard local.kind == .stop else { return }
        for row in try notebookRows(.itinerary, db) {
            guard case .itinerary(var itinerary) = row.local.content,
                itinerary.stops.contains(where: { $0.id == id })
            else { continue }
            itinerary.stops.removeAll { $0.id == id }
            try put(row.local.id, .itinerary(itinerary), seconds, db)
        }
    }

    private func notebookRows(_ kind: NotebookKind, _ db: Database) throws -> [NotebookRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.notebookColumns) FROM notebook WHERE kind = ? AND content IS NOT NULL")
        return try Row.fetchAll(statement, arguments: [kind.rawValue]).map { try notebookRow($0) }
    }

    private func attach(
        _ id: NotebookID, _ attachment: NotebookAttachment, _ bytes: [UInt8], _ db: Database
    ) throws {
        guard let local = try notebookRow(id, db)?.local, case .place = local.content,
            try notebookFileRow(attachment.id, db) == nil
        else { throw StoreError.notThisKind }
        guard bytes.count <= Limits.notebookFileBytesMax else { throw StoreError.noRoom(.notebook) }
        let files = try notebookFiles(of: id, db)
        if attachment.role == .file {
            for file in files where file.attachment.role == .file && !file.isSent {
                try removeFile(file.attachment.id, db)
            }
        } else {
            let pictures = attachments(of: local, files).filter { $0.role == .picture }
            guard pictures.count < Limits.notebookPicturesMax else { throw StoreError.noRoom(.notebook) }
        }
        var kept = attachment
        kept.bytes = bytes.count
        kept.url = nil
        try save(FileRow(key: 0, item: id, attachment: kept, isSent: false, problem: nil), db)
        try saveParts(of: kept.id, bytes, db)
    }

    private func detach(_ id: NotebookID, _ attachment: NotebookID, _ seconds: Int64, _ db: Database) throws {
        guard let local = try notebookRow(id, db)?.local, case .place(var place) = local.content else {
            throw StoreError.notThisKind
        }
        let kept = attachments(of: local, try notebookFiles(of: id, db)).first { $0.id == attachment }
        guard let kept else { return }
        if let file = kept.url.flatMap({ PlaceFile(address: $0) }) {
            place.drop(file)
            try put(id, .place(place), seconds, db)
        }
        try removeFile(attachment, db)
    }
}
