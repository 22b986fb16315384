import TourAPI
import TourModel
import TourNotebook
import TourWire

extension StopDifference.Change {
    fileprivate var word: String {
        switch self {
        case .added: "added"
        case .removed: "removed"
        case .moved: "moved"
        case .changed: "changed"
        }
    }
}

extension SharedChangesView {
    init(_ difference: RecordDifference, since: UInt64) {
        self.init(
            since: since,
            fields: difference.fields.map { Field(field: $0.name, before: $0.before, now: $0.now) },
            lines: difference.lines.lines.map {
                Line(change: $0.isAdded ? "added" : "removed", line: $0.number, text: $0.text)
            },
            stops: difference.stops.entries.map { entry in
                var fields = [String]()
                if case .changed(let names) = entry.change { fields = names }
                return StopChange(
                    change: entry.change.word, id: entry.stop.id.text, title: entry.stop.title,
                    from: entry.from, to: entry.to, fields: fields)
            })
    }
}

extension SharedRecordView.StopView {
    init(_ stop: SharedStop) {
        self.init(
            id: stop.id.text, title: stop.title, kind: stop.kind, note: stop.note,
            latitude: stop.place?.degreesNorth, longitude: stop.place?.degreesEast,
            at: stop.at.map { Timestamp(seconds: Int($0)).text })
    }
}

extension SharedRecordView {
    init(_ summary: SharedSummary, _ record: SharedRecord, _ changes: SharedChangesView?) {
        let place = GeoAddress(record.url)?.coordinate
        self.init(
            summary: summary, text: record.text, url: record.url.isEmpty ? nil : record.url,
            latitude: place?.degreesNorth, longitude: place?.degreesEast, tags: record.tags,
            stops: record.stops.map(StopView.init), changes: changes)
    }
}
