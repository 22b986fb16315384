import TourModel
import TourNotebook

/// An item of the notebook, and its state at the server.
package struct NotebookEntry: Hashable, Sendable {
    /// The item.
    package var item: NotebookItem
    /// Whether some of it is not at the server yet.
    package var isPending: Bool
    /// Why the server rejects it, in the server's words.
    package var problem: String?
    /// Pictures and files, including those that only the server has.
    package var files: [NotebookAttachment]
}

/// A picture or file of a saved place.
package struct NotebookAttachment: Hashable, Sendable {
    /// The part that an attachment plays for its place.
    package enum Role: String, Codable, Sendable {
        /// One of several pictures; the one file.
        case picture, file
    }

    /// The attachment's id.
    package var id: NotebookID
    /// The part that it plays for its place.
    package var role: Role
    /// A name for people; empty if unknown.
    package var name: String
    /// The media type, as in `Content-Type`; empty if unknown.
    package var media: String
    /// The number of bytes; 0 while none are on this device.
    package var bytes: Int
    /// Its address at the server; nil before it is there.
    package var url: String?

    package init(id: NotebookID, role: Role, name: String, media: String, bytes: Int, url: String? = nil) {
        self.id = id
        self.role = role
        self.name = name
        self.media = media
        self.bytes = bytes
        self.url = url
    }
}

/// One local change of the notebook.
package enum NotebookEdit: Sendable {
    /// Adds an item, or replaces its content.
    case put(NotebookID, NotebookContent)
    /// Deletes an item. A deleted stop is removed from every itinerary. A missing item is ignored.
    case delete(NotebookID)
    /// Adds an attachment to a saved place. A file replaces the previous one.
    case attach(NotebookID, NotebookAttachment, [UInt8])
    /// Removes an attachment from a saved place.
    case detach(NotebookID, attachment: NotebookID)
}
