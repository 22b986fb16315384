import TourModel

/// A file of a tour, as lists show it. Shape: `Protocol/Schema/local-api.yaml`.
package struct FileSummary: Encodable, Sendable {
    /// The message's.
    package var id: String
    package var blobID: String
    package var tourID: String
    /// `image` or `file`.
    package var type: String
    /// Safe to show, and as the name of a file.
    package var name: String
    @Nullable package var media: String?
    /// Bytes.
    package var size: UInt64
    @Nullable package var caption: String?
    @Nullable package var width: UInt32?
    @Nullable package var height: UInt32?
    package var authorID: String
    package var authorName: String
    package var sentAt: String
    package var mine: Bool
    /// See `FileState`.
    package var state: String
    /// Bytes that are here.
    package var have: UInt64
    package var complete: Bool
    /// Neighbours that have something of it, and those that have all of it.
    package var peers: Int
    package var holders: Int
    /// What came in the last three seconds, a second.
    package var bytesPerSecond: UInt64
}

/// A file that was saved.
package struct SavedFile: Encodable, Sendable {
    package var id: String
    package var path: String
    package var size: UInt64
}

/// A file that somebody wants to send.
package struct FileDraft: Sendable {
    /// Absolute.
    package var path: String
    package var caption: String
    /// Whether it is prepared and sent as a picture.
    package var isImage: Bool
    package var replyTo: String?
    /// What its user calls it; nil: as the path says.
    package var name: String?

    package init(path: String, caption: String, isImage: Bool, replyTo: String?, name: String? = nil) {
        self.path = path
        self.name = name
        self.caption = caption
        self.isImage = isImage
        self.replyTo = replyTo
    }
}

/// A file that is sealed, stored and sent.
package struct SentFile: Encodable, Sendable {
    package var id: String
    package var seq: UInt64
    package var status: MessageStatus
    package var blobID: String
    package var name: String
    package var size: UInt64
}
