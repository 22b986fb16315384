import TourModel

/// A file that the user wants to send.
package struct FileDraft: Sendable {
    /// An absolute path.
    package var path: String
    /// The sender's words with it; empty: none.
    package var caption: String
    /// Whether to prepare and send it as a picture.
    package var isImage: Bool
    /// The id of the message that it replies to.
    package var replyTo: String?
    /// The name that the user gave it; nil: the path's.
    package var name: String?

    package init(path: String, caption: String, isImage: Bool, replyTo: String?, name: String? = nil) {
        self.path = path
        self.name = name
        self.caption = caption
        self.isImage = isImage
        self.replyTo = replyTo
    }
}
