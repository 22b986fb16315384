/// What an item of the notebook is; the raw value names it in requests, answers and the server's tables.
/// Source: `Protocol/12-notebook.md`, "Items".
package enum NotebookKind: String, CaseIterable, Codable, Sendable {
    case note = "notes"
    /// A saved place or link.
    case bookmark = "bookmarks"
    case category = "categories"
    /// An itinerary: it has its stops in order.
    case collection = "collections"
    /// A stop, in any number of itineraries.
    case sample = "samples"
    /// What lost a conflict, until somebody has looked at it.
    case lost
}
