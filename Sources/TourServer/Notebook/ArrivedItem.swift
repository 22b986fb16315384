import TourModel
import TourNotebook

/// An item that a device sent, as it would be stored.
struct ArrivedItem {
    private(set) var item: NotebookItem
    /// Whether that is another content than the device sent.
    private(set) var isChanged = false

    private let writer: String?
    private var body: String

    /// - Parameter held: what is there and was not deleted, and its content.
    init(
        _ pushed: PushedItem, from device: String?, over held: NotebookRow?, _ before: NotebookContent?,
        in writing: NotebookWriting
    ) throws(Failure) {
        item = pushed.item
        writer = device
        body = pushed.body
        item.createdAt = pushed.createdAt ?? held?.created ?? writing.seconds
        item.updatedAt = pushed.updatedAt ?? writing.seconds
        let content = try Self.content(of: pushed, from: device, before, in: writing)
        isChanged = pushed.namesOthers || content != item.content
        if content != item.content {
            item.content = content
            body = try NotebookBody.text(of: content)
        }
        // The guide's app gives categories no version: what it changed is the next one.
        if item.kind == .category, item.version == 0, pushed.base == nil {
            item.version = held.map { item.content == before ? $0.version : $0.version + 1 } ?? 1
        }
    }

    /// The content, with the files that are there alone, and where the app says nothing of files with those that were.
    private static func content(
        of pushed: PushedItem, from device: String?, _ before: NotebookContent?, in writing: NotebookWriting
    ) throws(Failure) -> NotebookContent {
        var content = pushed.item.content
        if device == nil, case .bookmark(let last) = before {
            content = content.changingBookmark { bookmark in
                if !pushed.saysPictures { bookmark.imageURLs = last.imageURLs }
                if !pushed.saysFile { bookmark.fileURL = last.fileURL }
            }
        }
        guard let named = content.bookmark?.files, !named.isEmpty else { return content }
        var there = Set<NotebookID>()
        for file in named.sorted() where try writing.sql.hasFile(file, of: writing.account) { there.insert(file) }
        return content.changingBookmark { $0.keepFiles(there.contains) }
    }

    /// Adds what came beside it, of which the device does not know the addresses yet.
    /// - Parameter version: what the item is then.
    mutating func change(version: Int64, _ change: (inout Bookmark) -> Void) throws(Failure) {
        item.content = item.content.changingBookmark(change)
        item.version = version
        isChanged = true
        body = try NotebookBody.text(of: item.content)
    }

    /// - Parameter held: what is there, not deleted.
    /// - Throws: `quota`.
    func put(in writing: inout NotebookWriting, over held: NotebookRow?) throws(Failure) -> NotebookRow {
        let change = NotebookWriting.Change(
            id: item.id, kind: item.kind, body: body, version: item.version, writer: writer, created: item.createdAt,
            updated: item.updatedAt)
        return try writing.put(change, over: held)
    }
}
