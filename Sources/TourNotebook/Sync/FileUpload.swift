import TourModel

/// A picture or file of a saved place that waits for its upload. Source: `Protocol/12-notebook.md`, "Files".
package struct FileUpload: Hashable, Sendable {
    /// Its position in the queue of uploads.
    package var position: Int64
    /// The saved place in the server's current version.
    package var item: NotebookItem
    /// The attachment's id on this device.
    package var id: NotebookID
    /// Whether it is a picture.
    package var isPicture: Bool
    /// A name for people; may be empty.
    package var name: String
    /// The media type, as in `Content-Type`; may be empty.
    package var media: String
    /// The length in bytes.
    package var length: Int
    /// The number of parts in which it is read.
    package var parts: Int

    package init(
        position: Int64, item: NotebookItem, id: NotebookID, isPicture: Bool, name: String, media: String, length: Int,
        parts: Int
    ) {
        self.position = position
        self.item = item
        self.id = id
        self.isPicture = isPicture
        self.name = name
        self.media = media
        self.length = length
        self.parts = parts
    }

    /// The upload among the item's files, when the server returned the item.
    /// - Returns: nil where it cannot be identified: the server already had the same bytes, or another device added
    ///   files too.
    package func file(in item: NotebookItem) -> PlaceFile? {
        guard case .place(let before) = self.item.content, case .place(let after) = item.content else {
            return nil
        }
        let known = Set(before.files.map(\.file))
        let new = after.files.filter { $0.isPicture == isPicture && !known.contains($0.file) }
        return new.count == 1 ? new.first?.file : nil
    }
}
