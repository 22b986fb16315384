import TourJSON
import TourModel
import TourWords

extension Fix {
    /// Writes the known fields into an object.
    func write(_ object: inout JSONObjectWriter) {
        object.number("latitude", text: coordinate.latitudeText)
        object.number("longitude", text: coordinate.longitudeText)
        if accuracyMetres > 0 { object.number("accuracyMetres", accuracyMetres) }
        if let fixedAt { object.text("fixedAt", Timestamp.text(milliseconds: fixedAt)) }
    }

    /// - Throws: `bad-location`. Source: `Protocol/Schema/local-api.yaml`, `Fix`.
    init(_ body: JSON?) throws(WebError) {
        guard let latitude = body?["latitude"]?.real, let longitude = body?["longitude"]?.real,
            let coordinate = Coordinate(degreesNorth: latitude, degreesEast: longitude)
        else {
            throw WebError(
                "bad-location",
                Phrase("A location has a latitude from -90 to 90 and a longitude from -180 to 180 degrees."))
        }
        let accuracy = body?["accuracyMetres"]?.integer.flatMap { UInt32(exactly: $0) }
        let fixedAt = body?["fixedAt"]?.text.flatMap { Timestamp($0) }.map { Int64($0.seconds) * 1_000 }
        guard Self.isAbsent(body?["accuracyMetres"]) || accuracy != nil,
            Self.isAbsent(body?["fixedAt"]) || fixedAt != nil,
            let fix = Fix(coordinate, accuracyMetres: accuracy ?? 0, fixedAt: fixedAt)
        else {
            throw WebError("bad-location", Phrase("The accuracy or the time of a location cannot be right."))
        }
        self = fix
    }

    private static func isAbsent(_ member: JSON?) -> Bool { member == nil || member == .null }
}
