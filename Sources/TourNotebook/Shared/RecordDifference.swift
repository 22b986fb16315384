import TourModel

/// The differences from the previous version. Source: `Protocol/12-notebook.md`, "Differences".
package struct RecordDifference: Hashable, Sendable {
    /// A short field that is shown whole, before and now.
    package struct Field: Hashable, Sendable {
        /// `title`, `url` or `tags`.
        package var name: String
        /// The previous value.
        package var before: String
        /// The present value.
        package var now: String
    }

    /// The short fields that differ.
    package let fields: [Field]
    /// The difference of a note's text, a place's note, or an itinerary's description.
    package let lines: LineDifference
    /// The difference of an itinerary's stops; empty for other records.
    package let stops: StopDifference

    /// - Returns: nil for records of different kinds, which have nothing in common.
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

    /// The numbers of differences.
    package struct Summary: Hashable, Sendable {
        /// Stops added.
        package var stopsAdded = 0
        /// Stops removed.
        package var stopsRemoved = 0
        /// Stops moved.
        package var stopsMoved = 0
        /// Stops changed.
        package var stopsChanged = 0
        /// Lines added.
        package var linesAdded = 0
        /// Lines removed.
        package var linesRemoved = 0
        /// The names of the changed fields.
        package var fields: [String] = []

        /// No differences.
        package init() {}
    }

    /// The numbers of differences.
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
    /// The text that is compared line by line.
    package var text: String {
        switch content {
        case .note(let text): text
        case .place(let place): place.note ?? ""
        case .itinerary(let itinerary): itinerary.description ?? ""
        }
    }

    /// A place's link; empty for other records.
    package var url: String {
        guard case .place(let place) = content else { return "" }
        return place.url ?? ""
    }

    /// A place's tags; empty for other records.
    package var tags: [String] {
        guard case .place(let place) = content else { return [] }
        return place.tags
    }

    /// An itinerary's stops; empty for other records.
    package var stops: [SharedStop] {
        guard case .itinerary(let itinerary) = content else { return [] }
        return itinerary.stops
    }
}
