import TourModel

/// Shapes as text, `POINT (28.9802 41.0086)`, longitude first. Source: OGC 06-103r4, "Well-known Text"; the altitude
/// and a reference system's number before it, `SRID=4326;`, are ignored.
enum WellKnownText {
    /// - Returns: nil for another shape, and for no place on the Earth.
    static func point(_ text: String) -> Coordinate? {
        guard text.utf8.count <= 256 else { return nil }
        var rest = text.trimmed.uppercased()[...]
        if rest.hasPrefix("SRID=4326;") { rest = rest.dropFirst("SRID=4326;".count) }
        guard rest.hasPrefix("POINT"), let open = rest.firstIndex(of: "("), rest.last == ")" else { return nil }
        guard ["", "Z", "M", "ZM"].contains(rest[..<open].dropFirst("POINT".count).trimmed) else { return nil }
        let numbers = rest[rest.index(after: open)...].dropLast().split(whereSeparator: \.isWhitespace)
        guard (2...4).contains(numbers.count), numbers.allSatisfy({ $0.allSatisfy { "+-.0123456789E".contains($0) } }),
            let east = Double(numbers[0]), let north = Double(numbers[1])
        else { return nil }
        return Coordinate(degreesNorth: north, degreesEast: east)
    }
}
