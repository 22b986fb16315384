/// A file as every client gets it: its author's description, and how much of the file is here. Names and shapes:
/// `Protocol/Schema/local-api.yaml`.
package struct FileView: Encodable, Hashable, JSONObject {
    /// As its author named it: any text, and no path.
    package var name: String
    /// The media type that its author gave.
    package var media: String?
    /// Bytes.
    package var size: UInt64
    /// The sender's words with it.
    package var caption: String?
    /// Pixels.
    package var width: UInt32?
    /// Pixels.
    package var height: UInt32?
    /// A JPEG, in base64.
    package var thumbnail: String?
    /// Whether all of it is here, and how many bytes are.
    package var complete: Bool
    package var have: UInt64
}
