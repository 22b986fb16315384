/// Why an entry of a file is no item of a notebook; scope: this entry. Fields have the file's names.
package enum EntryFault: Error, Hashable, Sendable {
    /// A field of the item is invalid.
    case item(NotebookFault)
    /// The category that a place names is invalid.
    case category(NotebookFault)
    /// A required field is missing.
    case missing(field: String)
    /// The element is no item of its list.
    case noItem
    /// No kind of item has this name.
    case noKind
    /// The coordinates are not decimal degrees, or out of range.
    case noPlace(fields: String)
    /// The time has no form that tables have, or one that may be of two days.
    case noTime
    /// A field should be a whole number.
    case noNumber(field: String)
    /// A stop names an itinerary whose id is neither here nor in the file.
    case noItinerary
    /// The itinerary has as many stops as it may.
    case itineraryFull(max: Int)
    /// The itinerary that the stop names has no valid title.
    case itineraryUntitled
    /// A line or an area of a map.
    case noPoint
    /// A bookmark that its own browser alone understands.
    case noAddress
    /// The file has the same thing in an earlier entry, which says something else.
    case twice(number: Int)
}

/// A value that an entry has and its item does not get; scope: this entry, which is imported all the same. Fields have
/// the file's names.
package enum EntryLoss: Hashable, Sendable {
    /// One of the two coordinates is missing: the item has none.
    case halfPlace(missing: String)
    /// The shape is no point: the item has no coordinates.
    case noPoint(field: String)
    /// A thing of a map has several points, and the item the first one.
    case morePoints
    /// The time says no zone, and was read as UTC.
    case noZone
    /// The row has more cells than the table has columns.
    case surplusCells
}
