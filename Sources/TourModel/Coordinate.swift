/// A point on the Earth (WGS 84) in whole ten-millionths of a degree, about a centimetre: integers, so that all nodes
/// show and sign the same value. Source: `Protocol/05-events.md`, "Places".
package struct Coordinate: Hashable, Sendable {
    /// Degrees north x 10^7.
    package let latitude: Int32
    /// Degrees east x 10^7.
    package let longitude: Int32

    /// The units in one degree.
    package static let perDegree: Int32 = 10_000_000
    private static let latitudeMax = 90 * perDegree
    private static let longitudeMax = 180 * perDegree

    /// - Returns: nil beyond 90 degrees north or south, and beyond 180 east or west.
    package init?(latitude: Int32, longitude: Int32) {
        guard (-Self.latitudeMax...Self.latitudeMax).contains(latitude),
            (-Self.longitudeMax...Self.longitudeMax).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The nearest point that the units can express; exact for decimals with up to seven places.
    /// - Returns: nil beyond the ranges, and for values that are no numbers.
    package init?(degreesNorth: Double, degreesEast: Double) {
        guard let latitude = Self.whole(degreesNorth), let longitude = Self.whole(degreesEast) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Degrees north.
    package var degreesNorth: Double { Double(latitude) / Double(Self.perDegree) }
    /// Degrees east.
    package var degreesEast: Double { Double(longitude) / Double(Self.perDegree) }

    /// The latitude as an exact decimal without needless zeros: `-0.1277583`.
    package var latitudeText: String { Self.text(latitude) }
    /// The longitude in the same form.
    package var longitudeText: String { Self.text(longitude) }

    private static func whole(_ degrees: Double) -> Int32? {
        let value = (degrees * Double(perDegree)).rounded()
        return value.isFinite ? Int32(exactly: value) : nil
    }

    private static func text(_ value: Int32) -> String {
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: perDegree.magnitude)
        let sign = value < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest + perDegree.magnitude).dropFirst()
        let last = digits.lastIndex { $0 != "0" } ?? digits.startIndex
        return "\(sign)\(whole).\(digits[...last])"
    }
}

extension Coordinate: CustomStringConvertible {
    /// `48.8584,2.2945`, as on the command line.
    package var description: String { "\(latitudeText),\(longitudeText)" }
}
