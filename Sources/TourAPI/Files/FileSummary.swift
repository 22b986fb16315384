import TourModel

/// A file of a tour, as lists show it. Shape: `Protocol/Schema/local-api.yaml`.
package struct FileSummary: Encodable, Hashable, JSONObject {
    /// The message's id.
    package var id: String
    /// The id of the sealed content.
    package var blobID: String
    /// The tour that the file belongs to.
    package var tourID: String
    /// `image` or `file`.
    package var type: String
    /// Safe to show, and safe as the name of a file.
    package var name: String
    /// The media type that its author gave.
    @Nullable package var media: String?
    /// Bytes.
    package var size: UInt64
    /// The sender's words with it.
    @Nullable package var caption: String?
    /// Pixels; nil where the author gave none.
    @Nullable package var width: UInt32?
    /// Pixels; nil where the author gave none.
    @Nullable package var height: UInt32?
    /// The sender.
    package var authorID: String
    /// The sender's name.
    package var authorName: String
    /// When, by the author's clock.
    package var sentAt: String
    /// Whether this node's member sent it.
    package var mine: Bool
    /// See `FileState`.
    package var state: FileState
    /// Bytes that are here.
    package var have: UInt64
    /// Whether all of it is here.
    package var complete: Bool
    /// Neighbours that have part of it, and those that have all of it.
    package var peers: Int
    /// Neighbours that have all of it.
    package var holders: Int
    /// Bytes a second, over the last three seconds.
    package var bytesPerSecond: UInt64
}

/// The part of `status` about files.
package struct FilesStatus: Encodable, Hashable, JSONObject {
    /// See `FilePolicy`.
    package var policy: String
    /// Files of the tour, how many of them are complete here, and the bytes of those.
    package var count: Int
    /// Of `count`, those that are complete here.
    package var complete: Int
    /// Bytes of the complete files.
    package var bytes: UInt64
    /// Files being fetched.
    package var fetching: Int
    /// Files that the server is known to have.
    package var atServer: Int
    /// Casts in progress, received or sent here.
    package var casts: Int
    /// Bytes received so far of files that are open.
    package var bytesPerSecond: UInt64
}

/// A file that was saved.
package struct SavedFile: Encodable, JSONObject {
    package var id: String
    /// Where it was saved.
    package var path: String
    /// Bytes.
    package var size: UInt64
}

/// A file that was sealed, stored and sent.
package struct SentFile: Encodable, JSONObject {
    package var id: String
    /// The sequence of its message.
    package var seq: UInt64
    /// How far its message has come.
    package var status: MessageStatus
    /// The id of the sealed content.
    package var blobID: String
    /// Safe to show, and safe as the name of a file.
    package var name: String
    /// Bytes.
    package var size: UInt64
}
