/// One version of a record that a guide shares from a notebook. Source: `Protocol/12-notebook.md`, "Shared records".
package struct SharedRecord: Hashable, Sendable {
    /// 1…`Limits.notebookTitleBytesMax` bytes of UTF-8.
    package var title: String
    /// The rest of the record.
    package var content: SharedContent

    package init(title: String, content: SharedContent) {
        self.title = title
        self.content = content
    }

    /// The kind of record.
    package var kind: SharedKind { content.kind }
}

/// The kind of a shared record; its raw value is the wire value.
package enum SharedKind: UInt32, CaseIterable, Sendable {
    case note = 1
    case place
    case itinerary

    /// The name in messages, commands and JSON.
    package var word: String {
        switch self {
        case .note: "note"
        case .place: "place"
        case .itinerary: "itinerary"
        }
    }

    /// - Parameter word: a value of `word`.
    package init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }
}

/// The contents of a shared record besides its title.
package enum SharedContent: Hashable, Sendable {
    case note(text: String)
    case place(SharedPlace)
    case itinerary(SharedItinerary)

    /// The kind of record.
    package var kind: SharedKind {
        switch self {
        case .note: .note
        case .place: .place
        case .itinerary: .itinerary
        }
    }
}

/// A saved place or link, without its owner's private fields.
package struct SharedPlace: Hashable, Sendable {
    /// A link, or `geo:LAT,LON`.
    package var url: String?
    /// The guide's note.
    package var note: String?
    /// The guide's tags.
    package var tags: [String]

    package init(url: String?, note: String?, tags: [String]) {
        self.url = url
        self.note = note
        self.tags = tags
    }
}

/// An itinerary with its stops, in order.
package struct SharedItinerary: Hashable, Sendable {
    package var description: String?
    /// At most `Limits.notebookStopsMax`, each with another id.
    package var stops: [SharedStop]

    package init(description: String?, stops: [SharedStop]) {
        self.description = description
        self.stops = stops
    }
}

/// A stop of a shared itinerary.
package struct SharedStop: Hashable, Sendable {
    /// Identical in every version, wherever the stop is in the order.
    package var id: NotebookID
    package var title: String
    /// The kind of stop, as the author's program states it: `stop`, `museum`.
    package var kind: String
    /// The guide's note.
    package var note: String?
    /// The position.
    package var place: Coordinate?
    /// When the group will be there: whole seconds since 1970, never 0.
    package var at: Int64?

    package init(id: NotebookID, title: String, kind: String, note: String?, place: Coordinate?, at: Int64?) {
        self.id = id
        self.title = title
        self.kind = kind
        self.note = note
        self.place = place
        self.at = at
    }
}
