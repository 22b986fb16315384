/// The role of a saved place's file: one of its pictures, or its one other file.
package enum NotebookFileRole: String, Sendable {
    case picture, file
}

/// A file for a saved place, given as bytes.
package struct NewNotebookFile: Sendable {
    package var role: NotebookFileRole
    package var name: String
    /// The media type that the sender claims: it counts only where the bytes do not show the type.
    package var media: String?
    package var bytes: [UInt8]

    package init(role: NotebookFileRole, name: String, media: String?, bytes: [UInt8]) {
        self.role = role
        self.name = name
        self.media = media
        self.bytes = bytes
    }
}
