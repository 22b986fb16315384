/// What a guide shares of a notebook, as it stands in one version. Source: `Protocol/12-notebook.md`,
/// "Shared records".
package struct SharedRecord: Hashable, Sendable {
    /// 1…`Limits.notebookTitleBytesMax` bytes of UTF-8.
    package var title: String
    package var content: SharedContent

    package init(title: String, content: SharedContent) {
        self.title = title
        self.content = content
    }

    package var kind: SharedKind { content.kind }
}

/// What a shared record is; the raw value names it on the wire.
package enum SharedKind: UInt32, CaseIterable, Sendable {
    case note = 1
    case place
    case itinerary

    /// As messages, commands and JSON call it.
    package var word: String {
        switch self {
        case .note: "note"
        case .place: "place"
        case .itinerary: "itinerary"
        }
    }

    /// - Parameter word: as `word`.
    package init?(word: String) {
        guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }
}

/// What a shared record says beside its title.
package enum SharedContent: Hashable, Sendable {
    case note(text: String)
    case place(SharedPlace)
    case itinerary(SharedItinerary)

    package var kind: SharedKind {
        switch self {
        case .note: .note
        case .place: .place
        case .itinerary: .itinerary
        }
    }
}

/// A saved place or link, without what is its owner's alone.
package struct SharedPlace: Hashable, Sendable {
    /// A link, or `geo:LAT,LON`.
    package var url: String?
    package var note: String?
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
    /// No two of the same id, at most `Limits.notebookStopsMax`.
    package var stops: [SharedStop]

    package init(description: String?, stops: [SharedStop]) {
        self.description = description
        self.stops = stops
    }
}

/// A stop of a shared itinerary.
package struct SharedStop: Hashable, Sendable {
    /// The same in every version, wherever the stop stands.
    package var id: RecordID
    package var title: String
    /// What kind of thing it is, as the author's program says: `stop`, `museum`.
    package var kind: String
    package var note: String?
    package var place: Coordinate?
    /// When the group is there: whole seconds since 1970, never 0.
    package var at: Int64?

    package init(id: RecordID, title: String, kind: String, note: String?, place: Coordinate?, at: Int64?) {
        self.id = id
        self.title = title
        self.kind = kind
        self.note = note
        self.place = place
        self.at = at
    }
}
