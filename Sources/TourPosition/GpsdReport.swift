import FoundationEssentials
import TourModel

/// One line of gpsd, reduced to what concerns the position. Source: gpsd_json(5).
package enum GpsdReport: Hashable {
    /// gpsd's greeting.
    case version
    /// The number of receivers.
    case devices(Int)
    /// A receiver was activated or deactivated.
    case device(isActive: Bool)
    /// A receiver's report; nil without a fix.
    case position(Position?)
    /// Any other JSON object with a class.
    case other

    /// A fix as gpsd reported it.
    package struct Position: Hashable {
        /// The position.
        package var coordinate: Coordinate
        /// The accuracy in metres; 0: not known.
        package var accuracyMetres: UInt32
        /// The time by the receiver's clock, in milliseconds since 1970; nil: the receiver does not know it.
        package var fixedAt: Int64?

        package init(coordinate: Coordinate, accuracyMetres: UInt32, fixedAt: Int64?) {
            self.coordinate = coordinate
            self.accuracyMetres = accuracyMetres
            self.fixedAt = fixedAt
        }
    }

    /// - Returns: nil for a line that is not JSON in gpsd's form, or with an invalid position.
    package init?(_ line: [UInt8]) {
        guard let object = try? JSONDecoder().decode(Line.self, from: Data(line)) else { return nil }
        switch object.class {
        case "VERSION": self = .version
        case "DEVICES": self = .devices(object.devices?.count ?? 0)
        case "DEVICE": self = .device(isActive: object.activated?.isOn ?? false)
        case "TPV":
            // Modes 0 and 1 mean no fix, whatever else the line contains.
            guard object.mode ?? 0 >= 2 else {
                self = .position(nil)
                return
            }
            guard let position = Position(object) else { return nil }
            self = .position(position)
        default: self = .other
        }
    }

    fileprivate struct Line: Decodable {
        var `class`: String
        var devices: [Ignored]?
        var activated: Activation?
        var mode: Int?
        var lat: Double?
        var lon: Double?
        var eph: Double?
        var epx: Double?
        var epy: Double?
        var time: String?
    }

    fileprivate struct Ignored: Decodable {}

    /// The time of activation, as text or as a number; 0 after deactivation.
    fileprivate struct Activation: Decodable {
        let isOn: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                isOn = number != 0
            } else {
                isOn = !(try container.decode(String.self)).isEmpty
            }
        }
    }
}

extension GpsdReport.Position {
    fileprivate init?(_ line: GpsdReport.Line) {
        guard let north = line.lat, let east = line.lon,
            let coordinate = Coordinate(degreesNorth: north, degreesEast: east)
        else { return nil }
        self.coordinate = coordinate
        // `eph` is the total error; older versions report only those of the two directions.
        let error = line.eph ?? line.epx.flatMap { x in line.epy.map { y in (x * x + y * y).squareRoot() } }
        accuracyMetres = error.map(Self.metres) ?? 0
        if let time = line.time {
            guard let date = Self.date(time) else { return nil }
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
            guard let fixedAt = Int64(exactly: milliseconds) else { return nil }
            self.fixedAt = fixedAt
        }
    }

    private static func metres(_ error: Double) -> UInt32 {
        guard error > 0 else { return 0 }
        return UInt32(min(error.rounded(.up), Double(Fix.accuracyMax)))
    }

    private static func date(_ text: String) -> Date? {
        let parts = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? parts.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}
