import TourModel
import TourNotebook
import TourStore

/// An item of the notebook as its user sees it: its fields as on the wire, and how it stands with the server.
/// Source: `Protocol/Schema/local-api.yaml`, `NotebookItem`.
package struct NotebookView: Encodable, Sendable {
    package let item: NotebookItem
    private let entry: NotebookEntry
    /// An itinerary's stops in their order, if requested.
    private let stops: [NotebookView]?

    init(_ entry: NotebookEntry, stops: [NotebookView]? = nil) {
        self.entry = entry
        item = entry.item
        self.stops = stops
    }

    private struct File: Encodable {
        var id: NotebookID
        var role: String
        var name: String
        var media: String
        var bytes: Int
        /// Whether the file's bytes are on this device.
        var here: Bool
        @Nullable var url: String?
    }

    private enum Key: String, CodingKey { case type, pending, problem, files, stops }

    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(item.kind, forKey: .type)
        try fields.encode(entry.isPending, forKey: .pending)
        try fields.encode(Nullable(wrappedValue: entry.problem), forKey: .problem)
        if item.kind == .place {
            let files = entry.files.map {
                File(
                    id: $0.id, role: $0.role.rawValue, name: SafeFileName(Self.name(of: $0)).text, media: $0.media,
                    bytes: $0.bytes, here: $0.bytes > 0 || $0.url == nil, url: $0.url)
            }
            try fields.encode(files, forKey: .files)
        }
        try fields.encodeIfPresent(stops, forKey: .stops)
    }

    /// The name under which a file is saved, before it is made safe.
    static func name(of file: NotebookAttachment) -> String {
        guard file.name.isEmpty else { return file.name }
        let end = file.media.split(separator: "/").last.map { "." + $0 } ?? ""
        return (file.role == .picture ? "picture" : "file") + (file.media.hasPrefix("image/") ? end : "")
    }
}
