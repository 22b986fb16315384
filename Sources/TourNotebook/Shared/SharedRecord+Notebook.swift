import TourModel

// Converts between items of a notebook and shared records. Source: `Protocol/12-notebook.md`, "Shared records".
extension SharedRecord {
    /// The whole note.
    package init(_ note: Note) { self.init(title: note.title, content: .note(text: note.content)) }

    /// The shared part of a place: without pictures, file, category and marks, which stay its owner's.
    package init(_ place: SavedPlace) {
        let shared = SharedPlace(url: place.url?.nonEmpty, note: place.note?.nonEmpty, tags: place.tags)
        self.init(title: place.title, content: .place(shared))
    }

    /// - Parameter stops: the existing ones, in the itinerary's order.
    package init(_ itinerary: Itinerary, stops: [(id: NotebookID, stop: Stop)]) {
        let shared = SharedItinerary(
            description: itinerary.description?.nonEmpty, stops: stops.map { SharedStop($0.stop, id: $0.id) })
        self.init(title: itinerary.title, content: .itinerary(shared))
    }

    /// The items to add to a notebook for a copy: an itinerary after its stops.
    /// - Parameter now: seconds since 1970.
    /// - Parameter id: returns a new id.
    package func copies(now: Int64, id: () -> NotebookID) -> [(id: NotebookID, content: NotebookContent)] {
        switch content {
        case .note(let text): return [(id(), .note(Note(title: title, content: text)))]
        case .place(let shared):
            let place = SavedPlace(title: title, url: shared.url, note: shared.note, source: "share", tags: shared.tags)
            return [(id(), .place(place))]
        case .itinerary(let itinerary):
            let stops = itinerary.stops.map { (id: id(), content: NotebookContent.stop(Stop($0))) }
            let copy = Itinerary(
                title: title, description: itinerary.description,
                stops: stops.map { Itinerary.Entry(id: $0.id, addedAt: now) })
            return stops + [(id(), .itinerary(copy))]
        }
    }
}

extension SharedStop {
    /// The stop under its record id.
    package init(_ stop: Stop, id: NotebookID) {
        self.init(
            id: id, title: stop.title, kind: stop.materialType, note: stop.note?.nonEmpty, place: stop.place,
            at: stop.at == 0 ? nil : stop.at)
    }
}

extension Stop {
    /// A notebook's stop with the contents of a shared one.
    package init(_ stop: SharedStop) {
        self.init(title: stop.title, materialType: stop.kind, note: stop.note, place: stop.place, at: stop.at)
    }
}

extension SharedKind {
    /// The kind of item from which such a record is made.
    package var item: NotebookKind {
        switch self {
        case .note: .note
        case .place: .place
        case .itinerary: .itinerary
        }
    }

    /// - Returns: nil for a kind that is not shared.
    package init?(_ kind: NotebookKind) {
        guard let shared = Self.allCases.first(where: { $0.item == kind }) else { return nil }
        self = shared
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
