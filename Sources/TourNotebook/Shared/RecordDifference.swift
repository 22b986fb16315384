import TourModel

/// What is not as it was in the version before. Source: `Protocol/12-notebook.md`, "Differences".
package struct RecordDifference: Hashable, Sendable {
    /// Something short that is shown whole, before and now.
    package struct Field: Hashable, Sendable {
        /// `title`, `url` or `tags`.
        package var name: String
        package var before: String
        package var now: String
    }

    package let fields: [Field]
    /// Of a note its text, of a place its note, of an itinerary its description.
    package let lines: LineDifference
    /// Of an itinerary; of others there are none.
    package let stops: StopDifference

    /// - Returns: nil for records of two kinds: nothing of one is in the other.
    package init?(from old: SharedRecord, to new: SharedRecord) {
        guard old.kind == new.kind else { return nil }
        var fields = [Field]()
        func compare(_ name: String, _ before: String, _ now: String) {
            if before != now { fields.append(Field(name: name, before: before, now: now)) }
        }
        compare("title", old.title, new.title)
        compare("url", old.url, new.url)
        compare("tags", old.tags.joined(separator: ", "), new.tags.joined(separator: ", "))
        self.fields = fields
        lines = LineDifference(from: old.text, to: new.text)
        stops = StopDifference(from: old.stops, to: new.stops)
    }

    /// In numbers.
    package struct Summary: Hashable, Sendable {
        package var stopsAdded = 0
        package var stopsRemoved = 0
        package var stopsMoved = 0
        package var stopsChanged = 0
        package var linesAdded = 0
        package var linesRemoved = 0
        /// The names of the fields.
        package var fields: [String] = []

        package init() {}
    }

    package var summary: Summary {
        var summary = Summary()
        for entry in stops.entries {
            switch entry.change {
            case .added: summary.stopsAdded += 1
            case .removed: summary.stopsRemoved += 1
            case .moved: summary.stopsMoved += 1
            case .changed: summary.stopsChanged += 1
            }
        }
        summary.linesAdded = lines.added
        summary.linesRemoved = lines.removed
        summary.fields = fields.map(\.name)
        return summary
    }
}

extension SharedRecord {
    /// What is compared line by line.
    package var text: String {
        switch content {
        case .note(let text): text
        case .place(let place): place.note ?? ""
        case .itinerary(let itinerary): itinerary.description ?? ""
        }
    }

    package var url: String {
        guard case .place(let place) = content else { return "" }
        return place.url ?? ""
    }

    package var tags: [String] {
        guard case .place(let place) = content else { return [] }
        return place.tags
    }

    package var stops: [SharedStop] {
        guard case .itinerary(let itinerary) = content else { return [] }
        return itinerary.stops
    }
}
