import SwiftProtobuf
import TourModel

extension SharedRecord {
    /// Assembles one version.
    /// - Parameter parts: all of them, in order.
    /// - Throws: `WireError.recordMalformed` (scope record) if they belong to different versions, one is missing, or
    ///   the data is no record.
    package init(parts: [SharedPart]) throws(WireError) {
        guard let last = parts.last, let head = last.head, last.parts == parts.count,
            parts.enumerated().allSatisfy({ $1.part == $0 && $1.isBeside(last) })
        else { throw .recordMalformed }
        var data = [UInt8]()
        data.reserveCapacity(parts.count * Limits.sharedPartBytesMax)
        for part in parts { data += part.data }
        guard let content = SharedContent(head.kind, decoding: data) else { throw .recordMalformed }
        self.init(title: head.title, content: content)
    }

    /// Splits the record into parts that events can carry.
    /// - Returns: nil for a record that others would reject because it, or something in it, is too long.
    package func parts(of record: NotebookID, version: UInt64) -> [SharedPart]? {
        guard title.fits(Limits.notebookTitleBytesMax), (1...Limits.sharedVersionMax).contains(version) else {
            return nil
        }
        let data = content.encode()
        let size = Limits.sharedPartBytesMax
        let count = max((data.count + size - 1) / size, 1)
        guard count <= Limits.sharedPartsMax, SharedContent(kind, decoding: data) == content else { return nil }
        return (0..<count).map { part in
            SharedPart(
                record: record, version: version, part: part, parts: count,
                data: Array(data.dropFirst(part * size).prefix(size)),
                head: part + 1 == count ? SharedPart.Head(kind: kind, title: title) : nil)
        }
    }
}

extension SharedPart {
    fileprivate func isBeside(_ other: SharedPart) -> Bool {
        record == other.record && version == other.version && parts == other.parts
    }
}

extension SharedContent {
    /// Total: nil for data that is no such record, or out of range.
    fileprivate init?(_ kind: SharedKind, decoding data: [UInt8]) {
        switch kind {
        case .note:
            guard let wire = decoded(WireSharedNote.self, data),
                wire.text.utf8.count <= Limits.notebookTextBytesMax
            else { return nil }
            self = .note(text: wire.text)
        case .place:
            guard let wire = decoded(WireSharedPlace.self, data, within: .sharedPlace),
                let place = SharedPlace(wire)
            else { return nil }
            self = .place(place)
        case .itinerary:
            guard let wire = decoded(WireSharedItinerary.self, data, within: .sharedItinerary),
                let itinerary = SharedItinerary(wire)
            else { return nil }
            self = .itinerary(itinerary)
        }
    }

    fileprivate func encode() -> [UInt8] {
        switch self {
        case .note(let text): encoded(WireSharedNote.with { $0.text = text })
        case .place(let place): encoded(place.wire)
        case .itinerary(let itinerary): encoded(itinerary.wire)
        }
    }
}

extension SharedPlace {
    fileprivate init?(_ wire: WireSharedPlace) {
        guard wire.url.utf8.count <= Limits.notebookURLBytesMax, wire.note.utf8.count <= Limits.notebookTextBytesMax,
            wire.tags.count <= Limits.notebookTagsMax,
            wire.tags.allSatisfy({ $0.fits(Limits.notebookWordBytesMax) })
        else { return nil }
        self.init(
            url: wire.url.isEmpty ? nil : wire.url, note: wire.note.isEmpty ? nil : wire.note, tags: wire.tags)
    }

    fileprivate var wire: WireSharedPlace {
        .with {
            $0.url = url ?? ""
            $0.note = note ?? ""
            $0.tags = tags
        }
    }
}

extension SharedItinerary {
    fileprivate init?(_ wire: WireSharedItinerary) {
        let stops = wire.stops.compactMap { SharedStop($0) }
        guard wire.description_p.utf8.count <= Limits.notebookTextBytesMax,
            stops.count == wire.stops.count, stops.count <= Limits.notebookStopsMax,
            Set(stops.map(\.id)).count == stops.count
        else { return nil }
        self.init(description: wire.description_p.isEmpty ? nil : wire.description_p, stops: stops)
    }

    fileprivate var wire: WireSharedItinerary {
        .with {
            $0.description_p = description ?? ""
            $0.stops = stops.map(\.wire)
        }
    }
}

extension SharedStop {
    /// The kind of a stop for which the author's program gave none.
    private static let usualKind = "stop"
    /// The years 0 to 9999, those with a written form.
    private static let times: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    fileprivate init?(_ wire: WireSharedStop) {
        guard let id = NotebookID(wire.id.array), wire.title.fits(Limits.notebookTitleBytesMax),
            wire.kind.utf8.count <= Limits.notebookWordBytesMax, wire.note.utf8.count <= Limits.notebookTextBytesMax,
            Self.times.contains(wire.at)
        else { return nil }
        let fix = wire.hasPlace ? Fix(wire.place) : nil
        guard (fix != nil) == wire.hasPlace else { return nil }
        self.init(
            id: id, title: wire.title, kind: wire.kind.isEmpty ? Self.usualKind : wire.kind,
            note: wire.note.isEmpty ? nil : wire.note, place: fix?.coordinate, at: wire.at == 0 ? nil : wire.at)
    }

    fileprivate var wire: WireSharedStop {
        .with {
            $0.id = wireData(id.bytes)
            $0.title = title
            $0.kind = kind == Self.usualKind ? "" : kind
            $0.note = note ?? ""
            if let place {
                $0.place = .with {
                    $0.latitude = place.latitude
                    $0.longitude = place.longitude
                }
            }
            $0.at = at ?? 0
        }
    }
}
