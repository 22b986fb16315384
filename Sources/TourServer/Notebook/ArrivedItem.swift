import TourModel
import TourNotebook

/// An item that a device sent, in the form in which the server would store it.
struct ArrivedItem {
    private(set) var item: NotebookItem
    /// Whether the content differs from what the device sent.
    private(set) var isChanged = false

    private let writer: String?
    private var body: String

    /// - Parameter held: the row under the item's id, if any, deleted or not.
    /// - Parameter before: the content of that row; nil where there is none or it was deleted.
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
        // The guide's app sends categories without a version: a changed one gets the next version.
        if item.kind == .category, item.version == 0, pushed.base == nil {
            item.version = held.map { item.content == before ? $0.version : $0.version + 1 } ?? 1
        }
    }

    /// The content with only the files that are here; fields for files that the app leaves out keep their stored
    /// values.
    private static func content(
        of pushed: PushedItem, from device: String?, _ before: NotebookContent?, in writing: NotebookWriting
    ) throws(Failure) -> NotebookContent {
        var content = pushed.item.content
        if device == nil, case .place(let last) = before {
            content = content.changingPlace { place in
                if !pushed.saysPictures { place.imageURLs = last.imageURLs }
                if !pushed.saysFile { place.fileURL = last.fileURL }
            }
        }
        guard let named = content.savedPlace?.files, !named.isEmpty else { return content }
        var there = Set<NotebookID>()
        for file in named.sorted() where try writing.sql.hasFile(file, of: writing.account) { there.insert(file) }
        return content.changingPlace { $0.keepFiles(there.contains) }
    }

    /// Adds files that arrived beside the item, whose addresses the device does not know yet.
    /// - Parameter version: the item's version afterwards.
    mutating func change(version: Int64, _ change: (inout SavedPlace) -> Void) throws(Failure) {
        item.content = item.content.changingPlace(change)
        item.version = version
        isChanged = true
        body = try NotebookBody.text(of: item.content)
    }

    /// - Parameter held: the row under the item's id; nil where there is none. It must not be deleted.
    /// - Throws: `quota`.
    func put(in writing: inout NotebookWriting, over held: NotebookRow?) throws(Failure) -> NotebookRow {
        let change = NotebookWriting.Change(
            id: item.id, kind: item.kind, body: body, version: item.version, writer: writer, created: item.createdAt,
            updated: item.updatedAt)
        return try writing.put(change, over: held)
    }
}
