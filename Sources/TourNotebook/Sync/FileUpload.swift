/// A picture or file of a saved place on its way to the server. Source: `Protocol/12-notebook.md`, "Files".
package struct FileUpload: Hashable, Sendable {
    /// Its place in the line of those that wait.
    package var place: Int64
    /// The saved place, as the server has it.
    package var item: NotebookItem
    package var id: NotebookID
    package var isPicture: Bool
    /// For people; may be empty.
    package var name: String
    /// As in `Content-Type`; may be empty.
    package var media: String
    /// In bytes.
    package var length: Int
    /// In how many parts it is read.
    package var parts: Int

    package init(
        place: Int64, item: NotebookItem, id: NotebookID, isPicture: Bool, name: String, media: String, length: Int,
        parts: Int
    ) {
        self.place = place
        self.item = item
        self.id = id
        self.isPicture = isPicture
        self.name = name
        self.media = media
        self.length = length
        self.parts = parts
    }

    /// Which of the item's files this one is, when it came back with it.
    /// - Returns: nil where that cannot be told: the server had the same bytes already, or somebody else added some.
    package func file(in item: NotebookItem) -> BookmarkFile? {
        guard case .bookmark(let before) = self.item.content, case .bookmark(let after) = item.content else {
            return nil
        }
        let known = Set(before.files.map(\.file))
        let new = after.files.filter { $0.isPicture == isPicture && !known.contains($0.file) }
        return new.count == 1 ? new.first?.file : nil
    }
}
