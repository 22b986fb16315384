/// Why an entry of a file is no item of a notebook; scope: this entry. Fields are named as the file names them.
package enum EntryFault: Error, Hashable, Sendable {
    case item(NotebookFault)
    /// Of the category that a place names.
    case category(NotebookFault)
    case missing(field: String)
    /// It is not what stands in such a list.
    case noItem
    /// No kind of thing has that name.
    case noKind
    case noID
    /// Not in decimal degrees, or beyond the poles.
    case noPlace(fields: String)
    case noTime
    case noNumber(field: String)
    /// A stop is in an itinerary whose id is neither here nor in the file.
    case noItinerary
    case itineraryFull(max: Int)
    case itineraryUntitled
}
