import ServerBase
import TourCrypto
import TourModel
import TourNotebook

/// What became of an item that a device sent.
enum AppliedItem {
    /// The server had exactly this item already.
    case known(NotebookRow)
    /// The server's row stays, deleted or not.
    case held(NotebookRow)
    /// The item is stored; `isChanged` if not exactly as the device sent it.
    case stored(NotebookRow, isChanged: Bool)

    /// The server's row afterwards.
    var row: NotebookRow {
        switch self {
        case .known(let row), .held(let row), .stored(let row, _): row
        }
    }
}

// How an item that a device sent becomes the notebook's. The rules: `Protocol/12-notebook.md`, "Conflicts".
extension NotebookTransaction {
    /// Applies an item.
    /// - Parameter device: the name that the device gives itself; nil for apps that give none.
    /// - Parameter lost: gets the rows of edits that lost, also where a quota ends this afterwards.
    /// - Throws: `invalidField` for the id of an item of another kind; `quota`.
    mutating func apply(
        _ request: ItemRequest, from device: String?, lost: inout [NotebookRow]
    ) throws(Failure) -> AppliedItem {
        let held = try held(request.id)
        guard held.map({ $0.kind == request.kind }) ?? true else { throw .invalid(request.field("id")) }
        let before = try held.flatMap { row throws(Failure) in row.isDeleted ? nil : try row.content() }
        var item = try item(request, from: device, over: held, before)
        if let held, held.isDeleted {
            if request.base != nil, let row = try keep(item, .deleted) { lost.append(row) }
            return .held(held)
        }
        let isAsSent = item.content == request.content
        var isChanged = request.namesOtherFiles || !isAsSent
        let writer = device ?? notebook.session
        if let held, let before {
            let origin = NotebookOrigin(
                writer: writer, base: request.base,
                counts: request.base != nil || device != nil && request.version > 0)
            let there = NotebookVerdict.Held(content: before, version: held.version, writer: held.writer)
            switch NotebookVerdict(item, origin, held: there) {
            case .known: return item.version == held.version && !isChanged ? .known(held) : .held(held)
            case .deleted: return .held(held)
            case .overruled:
                // An item of an older version without a base may be an unchanged copy in an app; a named device that
                // sends the current version has edited it.
                let isEdit = request.base != nil || item.version == held.version
                if isEdit, let row = try keep(item, .overruled) { lost.append(row) }
                return .held(held)
            case .storedOver: if let row = try keep(try held.item(), .overruled) { lost.append(row) }
            case .stored: break
            }
            item.version = max(item.version, held.version + 1)
        }
        // The guide's app keeps no versions of categories, so none of them is news to it.
        if item.version != request.version, item.kind != .category || request.version > 0 { isChanged = true }
        let row = try put(item, body: isAsSent ? request.body : nil, by: writer, over: held)
        return .stored(row, isChanged: isChanged)
    }

    /// The item in the form in which the server would store it.
    /// - Parameter held: the row under the item's id, if any, deleted or not.
    /// - Parameter before: the content of that row; nil where there is none or it was deleted.
    private func item(
        _ request: ItemRequest, from device: String?, over held: NotebookRow?, _ before: NotebookContent?
    ) throws(Failure) -> NotebookItem {
        var item = NotebookItem(
            id: request.id, content: try content(of: request, from: device, over: held, before),
            version: request.version, createdAt: request.createdAt ?? held?.created ?? seconds,
            updatedAt: request.updatedAt ?? seconds)
        // An app may send no version, or 0 always, as the guide's does with categories: the version is the held one's.
        if item.version == 0, request.base == nil { item.version = held?.version ?? 1 }
        return item
    }

    /// The content with only the files that are here; fields for files that the app leaves out keep their stored
    /// values, and so do empty ones of an app that counts no versions: it may not have heard of what it uploaded.
    private func content(
        of request: ItemRequest, from device: String?, over held: NotebookRow?, _ before: NotebookContent?
    ) throws(Failure) -> NotebookContent {
        var content = request.content
        if device == nil, case .place(let last) = before {
            let isUncounted = request.base == nil && request.version <= held?.version ?? 0
            content = content.changingPlace { place in
                let (isBare, isFileless) = (place.imageURLs.isEmpty, place.fileURL == nil)
                if !request.hasPictures || isUncounted && isBare { place.imageURLs = last.imageURLs }
                if !request.hasFile || isUncounted && isFileless { place.fileURL = last.fileURL }
            }
        }
        guard let named = content.savedPlace?.files, !named.isEmpty else { return content }
        var there = Set<NotebookID>()
        for file in named.sorted() where try NotebookFileRows(sql: sql).has(file, of: account) { there.insert(file) }
        return content.changingPlace { $0.keepFiles(there.contains) }
    }

    /// Keeps an edit that lost a conflict, once, however often it loses.
    /// - Parameter isBounded: whether the limits of the notebook apply.
    /// - Returns: nil where it was kept before.
    /// - Throws: `quota`, in which case the edit that would overrule it is rejected too.
    mutating func keep(
        _ item: NotebookItem, _ reason: LostEdit.Reason, isBounded: Bool = true
    ) throws(Failure) -> NotebookRow? {
        guard let edit = LostEdit(item, reason) else { return nil }
        let name = Hash.of(
            .lostEdit, Array(item.kind.rawValue.utf8), item.id.bytes, Array(String(item.version).utf8),
            Array(try NotebookBody.text(of: item.content).utf8))
        guard let id = NotebookID(name.bytes.prefix(16)), try held(id) == nil else { return nil }
        let lost = NotebookItem(
            id: id, content: .lost(edit), version: 1, createdAt: seconds, updatedAt: seconds)
        return try put(lost, by: nil, over: nil, isBounded: isBounded)
    }
}
