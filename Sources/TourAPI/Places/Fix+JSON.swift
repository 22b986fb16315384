import TourJSON
import TourModel

// A position. Source: `Protocol/Schema/local-api.yaml`, `Fix`.
extension Fix: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        let accuracy: UInt32? = try members["accuracyMetres"]
        let text: String? = try members["fixedAt"]
        let fixedAt = text.flatMap { Timestamp($0) }.map { Int64($0.seconds) * 1_000 }
        guard text == nil || fixedAt != nil else { throw ContractError("fixedAt") }
        let coordinate: Coordinate = try members.among()
        guard let fix = Fix(coordinate, accuracyMetres: accuracy ?? 0, fixedAt: fixedAt) else {
            throw ContractError("accuracyMetres")
        }
        self = fix
    }

    /// The position as a request says it.
    package var json: JSON {
        var members = [
            JSONMember(name: "latitude", value: .number(coordinate.latitudeText)),
            JSONMember(name: "longitude", value: .number(coordinate.longitudeText)),
        ]
        if accuracyMetres > 0 {
            members.append(JSONMember(name: "accuracyMetres", value: .number(String(accuracyMetres))))
        }
        if let fixedAt {
            members.append(JSONMember(name: "fixedAt", value: .text(Timestamp.text(milliseconds: fixedAt))))
        }
        return .object(members)
    }

    /// Writes the known members into an object.
    package func write(_ object: inout JSONObjectWriter) {
        object.number("latitude", text: coordinate.latitudeText)
        object.number("longitude", text: coordinate.longitudeText)
        if accuracyMetres > 0 { object.number("accuracyMetres", accuracyMetres) }
        if let fixedAt { object.text("fixedAt", Timestamp.text(milliseconds: fixedAt)) }
    }
}

extension Coordinate: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        guard let place = Coordinate(degreesNorth: try members["latitude"], degreesEast: try members["longitude"])
        else { throw ContractError("latitude") }
        self = place
    }
}
