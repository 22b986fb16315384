/// The kind of an item in the notebook; its raw value is the name in requests, answers and the server's tables.
/// Source: `Protocol/12-notebook.md`, "Items".
package enum NotebookKind: String, CaseIterable, Codable, Sendable {
    /// A note.
    case note = "notes"
    /// A saved place or link.
    case bookmark = "bookmarks"
    /// A category of saved places.
    case category = "categories"
    /// An itinerary, with its stops in order.
    case collection = "collections"
    /// A stop of any number of itineraries.
    case sample = "samples"
    /// An edit that lost a conflict, until somebody has looked at it.
    case lost
}
