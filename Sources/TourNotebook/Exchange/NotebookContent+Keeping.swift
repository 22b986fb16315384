extension NotebookContent {
    /// With the present values of fields that the file has no room for.
    /// - Parameter held: of the same kind; another kind changes nothing.
    func keeping(_ fields: Set<ImportedNotebook.Field>, of held: NotebookContent) -> NotebookContent {
        switch (self, held) {
        case (.place(var place), .place(let held)):
            if fields.contains(.localID) { place.localID = held.localID }
            if fields.contains(.files) { (place.imageURLs, place.fileURL) = (held.imageURLs, held.fileURL) }
            if fields.contains(.address) { place.url = held.url }
            if fields.contains(.note) { place.note = held.note }
            if fields.contains(.category) { place.categoryID = held.categoryID }
            if fields.contains(.tags) { place.tags = held.tags }
            if fields.contains(.read) { place.isRead = held.isRead }
            if fields.contains(.favorite) { place.isFavorite = held.isFavorite }
            if fields.contains(.source) { place.source = held.source }
            return .place(place)
        case (.category(var category), .category(let held)):
            if fields.contains(.localID) { category.localID = held.localID }
            if fields.contains(.icon) { category.icon = held.icon }
            if fields.contains(.color) { category.color = held.color }
            if fields.contains(.order) { category.order = held.order }
            return .category(category)
        case (.itinerary(var itinerary), .itinerary(let held)):
            if fields.contains(.note) { itinerary.description = held.description }
            if fields.contains(.stops) { itinerary.stops = held.stops }
            return .itinerary(itinerary)
        case (.stop(var stop), .stop(let held)):
            if fields.contains(.type) { stop.materialType = held.materialType }
            if fields.contains(.note) { stop.note = held.note }
            if fields.contains(.place) { stop.place = held.place }
            if fields.contains(.time) { stop.at = held.at }
            return .stop(stop)
        case (.note(var note), .note(let held)):
            if fields.contains(.note) { note.content = held.content }
            return .note(note)
        default: return self
        }
    }
}
