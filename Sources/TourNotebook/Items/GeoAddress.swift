import TourModel

/// `geo:48.8584,2.2945`: a place as an address that maps can open. Source: RFC 5870; other reference systems than WGS
/// 84 are rejected, altitude and further parameters ignored.
package struct GeoAddress: Hashable, Sendable {
    /// The position.
    package let coordinate: Coordinate

    /// The address of a position.
    package init(_ coordinate: Coordinate) { self.coordinate = coordinate }

    /// Parses an address; nil for another form.
    package init?(_ text: String) {
        guard text.utf8.count <= 256, text.prefix(4).lowercased() == "geo:" else { return nil }
        let parts = text.dropFirst(4).split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let system = parts.dropFirst().first { $0.lowercased().hasPrefix("crs=") }
        if let system, system.lowercased() != "crs=wgs84" { return nil }
        let numbers = first.split(separator: ",", omittingEmptySubsequences: false)
        guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0.allSatisfy { "+-.0123456789".contains($0) } }),
            let north = Double(numbers[0]), let east = Double(numbers[1]),
            let coordinate = Coordinate(degreesNorth: north, degreesEast: east)
        else { return nil }
        self.coordinate = coordinate
    }

    /// The address.
    package var text: String { "geo:\(coordinate)" }
}
