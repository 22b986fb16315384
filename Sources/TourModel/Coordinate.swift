/// A point on the Earth (WGS 84) in whole ten-millionths of a degree, about a centimetre: integers, so that all nodes
/// show and sign the same. Source: `Protocol/05-events.md`, "Places".
package struct Coordinate: Hashable, Sendable {
    /// Degrees north x 10^7.
    package let latitude: Int32
    /// Degrees east x 10^7.
    package let longitude: Int32

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

    /// The nearest point that can be written; of decimals with up to seven places the very one.
    /// - Returns: nil beyond the ranges, and for what is no number.
    package init?(degreesNorth: Double, degreesEast: Double) {
        guard let latitude = Self.whole(degreesNorth), let longitude = Self.whole(degreesEast) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    package var degreesNorth: Double { Double(latitude) / Double(Self.perDegree) }
    package var degreesEast: Double { Double(longitude) / Double(Self.perDegree) }

    /// Degrees as a decimal without needless zeros, exactly: `-0.1277583`.
    package var latitudeText: String { Self.text(latitude) }
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
    /// `48.8584,2.2945`: as it is written on the command line.
    package var description: String { "\(latitudeText),\(longitudeText)" }
}
