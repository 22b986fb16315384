/// The kind of an item in the notebook; its raw value is the contract's name in requests and answers, and that of the
/// server's tables: the contract calls a saved place a bookmark, an itinerary a collection and a stop a sample.
/// Source: `Protocol/12-notebook.md`, "Items".
package enum NotebookKind: String, CaseIterable, Codable, Sendable {
    /// A note.
    case note = "notes"
    /// A saved place or link.
    case place = "bookmarks"
    /// A category of saved places.
    case category = "categories"
    /// An itinerary, with its stops in order.
    case itinerary = "collections"
    /// A stop of any number of itineraries.
    case stop = "samples"
    /// An edit that lost a conflict, until somebody has looked at it.
    case lost
}
