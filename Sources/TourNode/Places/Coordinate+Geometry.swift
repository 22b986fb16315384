import Glibc
import TourModel

// Distances and directions on a sphere: within half a percent everywhere, which is enough to find each other.
extension Coordinate {
    /// The Earth's mean radius, in metres. Source: IUGG.
    private static let radius = 6_371_008.8

    /// Along the great circle, in metres: 0 to half of the circumference. The haversine formula stays exact for small
    /// distances.
    package func metres(to other: Coordinate) -> Double {
        let north = Self.radians(other.degreesNorth - degreesNorth)
        let east = Self.radians(other.degreesEast - degreesEast)
        let (here, there) = (Self.radians(degreesNorth), Self.radians(other.degreesNorth))
        let half = sin(north / 2) * sin(north / 2) + cos(here) * cos(there) * sin(east / 2) * sin(east / 2)
        // Rounding may exceed 1 slightly.
        return 2 * Self.radius * asin(min(half, 1).squareRoot())
    }

    /// The direction in which to set out for the other place on the great circle: degrees from north over east, 0 up
    /// to 360.
    /// - Returns: nil at the same place, where there is no direction.
    package func bearing(to other: Coordinate) -> Double? {
        guard metres(to: other) > 0 else { return nil }
        let east = Self.radians(other.degreesEast - degreesEast)
        let (here, there) = (Self.radians(degreesNorth), Self.radians(other.degreesNorth))
        let angle = atan2(sin(east) * cos(there), cos(here) * sin(there) - sin(here) * cos(there) * cos(east))
        let degrees = (angle * 180 / .pi).truncatingRemainder(dividingBy: 360)
        let positive = degrees < 0 ? degrees + 360 : degrees
        return positive < 360 ? positive : 0
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}

/// One of eight directions.
package enum Wind: String, CaseIterable, Sendable {
    case north, northEast = "north-east", east, southEast = "south-east", south, southWest = "south-west", west
    case northWest = "north-west"

    /// - Parameter bearing: degrees from north over east, 0 up to 360.
    package init(bearing: Double) {
        self = Self.allCases[Int((bearing / 45).rounded()) % Self.allCases.count]
    }
}
