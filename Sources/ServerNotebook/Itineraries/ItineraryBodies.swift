import Foundation
import TourModel
import TourNotebook

/// A time in the form of the guide to these resources: `2024-05-10T12:34:56.000Z`.
struct MillisecondTime: Encodable {
    /// Seconds since 1970.
    let seconds: Int64

    var text: String { Timestamp(seconds: Int(seconds)).text.dropLast() + ".000Z" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A stop in the form that clients of seed 000 read.
struct StopBody: Encodable {
    let id: String
    let userId: String
    let title: String
    let materialType: String
    let note: String?
    /// `geo:38.6431,34.8289`.
    let place: String?
    let at: MillisecondTime?
    let isDeleted: Bool
    let createdAt: MillisecondTime
    let updatedAt: MillisecondTime

    init(_ stop: Stop, of item: NotebookItem, user: String, isDeleted: Bool = false) {
        id = ResourceName.text(item)
        userId = user
        title = stop.title
        materialType = stop.materialType
        note = stop.note
        place = stop.place.map { GeoAddress($0).text }
        at = stop.at.map(MillisecondTime.init(seconds:))
        self.isDeleted = isDeleted
        createdAt = MillisecondTime(seconds: item.createdAt)
        updatedAt = MillisecondTime(seconds: item.updatedAt)
    }
}

/// An itinerary in the form that clients of seed 000 read.
struct ItineraryBody: Encodable {
    struct Entry: Encodable {
        let stopID: String
        /// The index among the visible stops, from 0.
        let position: Int
        let addedAt: MillisecondTime
        let stop: StopBody

        private enum CodingKeys: String, CodingKey {
            case position, addedAt
            case stopID = "sampleId"
            case stop = "sample"
        }

        init(_ listed: OpenedItinerary.ListedStop, at position: Int, user: String) {
            stopID = ResourceName.stop(listed.entry.id)
            self.position = position
            addedAt = MillisecondTime(seconds: listed.entry.addedAt)
            stop = StopBody(listed.stop, of: listed.item, user: user)
        }
    }

    let id: String
    let userId: String
    let title: String
    let description: String?
    let isDeleted: Bool
    let createdAt: MillisecondTime
    let updatedAt: MillisecondTime
    let stops: [Entry]

    private enum CodingKeys: String, CodingKey {
        case id, userId, title, description, isDeleted, createdAt, updatedAt
        case stops = "samples"
    }

    init(_ opened: OpenedItinerary, user: String, isDeleted: Bool = false) {
        let item = opened.item
        id = ResourceName.text(item)
        userId = user
        title = opened.content.title
        description = opened.content.description
        self.isDeleted = isDeleted
        createdAt = MillisecondTime(seconds: item.createdAt)
        updatedAt = MillisecondTime(seconds: item.updatedAt)
        // A deleted itinerary no longer shows its stops.
        stops = isDeleted ? [] : opened.stops.enumerated().map { Entry($1, at: $0, user: user) }
    }
}

/// A client's change of a stop: an absent field stays as it is, and null clears an optional one.
struct StopChange: Decodable {
    var title: String?
    var materialType: String?
    /// In these three, the outer nil means that the request does not name the field.
    var note: String??
    var place: Coordinate??
    var at: Int64??
    var itineraryIDs: [String]?
    var isDeleted: Bool?

    private enum CodingKeys: String, CodingKey {
        case title, materialType, note, place, at, isDeleted
        case itineraryIDs = "collectionIds"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        materialType = try fields.decodeIfPresent(String.self, forKey: .materialType)
        if fields.contains(.note) { note = .some(try fields.decodeIfPresent(String.self, forKey: .note)) }
        if fields.contains(.place) {
            let text = try fields.decodeIfPresent(String.self, forKey: .place)
            let address = text.flatMap { GeoAddress($0) }
            guard text == nil || address != nil else {
                throw DecodingError.dataCorruptedError(forKey: .place, in: fields, debugDescription: "no geo: address")
            }
            place = .some(address?.coordinate)
        }
        if fields.contains(.at) {
            let time = try fields.decodeIfPresent(Date.self, forKey: .at)
            at = .some(time.map { Int64(min(max($0.timeIntervalSince1970, -62_167_219_200), 253_402_300_799)) })
        }
        itineraryIDs = try fields.decodeIfPresent([String].self, forKey: .itineraryIDs)
        isDeleted = try fields.decodeIfPresent(Bool.self, forKey: .isDeleted)
    }

    func applied(to stop: Stop) -> Stop {
        var stop = stop
        if let title { stop.title = title }
        if let materialType { stop.materialType = materialType }
        if let note { stop.note = note }
        if let place { stop.place = place }
        if let at { stop.at = at }
        return stop
    }
}

/// A client's change of an itinerary; see `StopChange`.
struct ItineraryChange: Decodable {
    var title: String?
    /// The outer nil means that the request does not name the field.
    var description: String??
    var isDeleted: Bool?

    private enum CodingKeys: CodingKey { case title, description, isDeleted }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        if fields.contains(.description) {
            description = .some(try fields.decodeIfPresent(String.self, forKey: .description))
        }
        isDeleted = try fields.decodeIfPresent(Bool.self, forKey: .isDeleted)
    }

    func applied(to itinerary: Itinerary) -> Itinerary {
        var itinerary = itinerary
        if let title { itinerary.title = title }
        if let description { itinerary.description = description }
        return itinerary
    }
}
