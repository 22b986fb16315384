import TourModel

/// A stop of an itinerary. The contract calls it a sample. Source: seed 000.
package struct Stop: Hashable, Sendable {
    /// The title.
    package var title: String
    /// The kind of stop that the app states: `stop`, `museum`, `illustration`.
    package var materialType: String
    /// The user's note.
    package var note: String?
    /// The position.
    package var place: Coordinate?
    /// When the group will be there: whole seconds since 1970.
    package var at: Int64?

    package init(
        title: String, materialType: String = "stop", note: String? = nil, place: Coordinate? = nil, at: Int64? = nil
    ) {
        self.title = title
        self.materialType = materialType
        self.note = note
        self.place = place
        self.at = at
    }

    func check() throws(NotebookFault) {
        try NotebookFault.checkName(title, "title", Limits.notebookTitleBytesMax)
        try NotebookFault.checkName(materialType, "material_type", Limits.notebookWordBytesMax)
        try NotebookFault.check(note, "note", Limits.notebookTextBytesMax)
    }
}

extension Stop: Codable {
    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case title, note, place, at
        case materialType = "material_type"
    }

    /// `place` is a `geo:` address.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        var place: Coordinate?
        if let text = try fields.decodeIfPresent(String.self, forKey: .place) {
            guard let address = GeoAddress(text) else {
                throw DecodingError.dataCorruptedError(forKey: .place, in: fields, debugDescription: "no geo: address")
            }
            place = address.coordinate
        }
        self.init(
            title: try fields.decode(String.self, forKey: .title),
            materialType: try fields.decodeIfPresent(String.self, forKey: .materialType) ?? "stop",
            note: try fields.decodeIfPresent(String.self, forKey: .note), place: place,
            at: try fields.decodeIfPresent(WholeSeconds.self, forKey: .at)?.seconds)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(title, forKey: .title)
        try fields.encode(materialType, forKey: .materialType)
        try fields.encodeIfPresent(note, forKey: .note)
        try fields.encodeIfPresent(place.map { GeoAddress($0).text }, forKey: .place)
        try fields.encodeIfPresent(at.map { WholeSeconds(seconds: $0) }, forKey: .at)
    }
}
