import TourModel
import TourNotebook

/// The address of a place for maps: `geo:`, as of RFC 5870 and as Android writes it, and links of Google, Apple and
/// OpenStreetMap.
///
/// A link may have the place that somebody chose, and the middle of the map that was on the screen: that one counts
/// only in a link that has nothing else.
struct MapAddress {
    let coordinate: Coordinate

    /// - Returns: nil for a link without coordinates, as short links are, and for one of another thing, whose map only
    ///   happened to stand there.
    init?(_ text: Substring) {
        let place = text.prefix(4).lowercased() == "geo:" ? Self.android(text) : Self.web(text)
        guard let place else { return nil }
        coordinate = place
    }

    /// Whether it is a link to a map, with or without coordinates.
    static func isMap(_ word: Substring) -> Bool {
        guard let host = host(word) else { return false }
        let labels = host.split(separator: ".")
        return labels.contains("maps") || labels.contains("openstreetmap") || host == "osm.org" || host == "www.osm.org"
            || (labels.contains("google") && afterHost(word).hasPrefix("/maps"))
            || (host == "goo.gl" && afterHost(word).hasPrefix("/maps"))
    }

    // MARK: - geo:

    private static func android(_ text: Substring) -> Coordinate? {
        let parts = text.split(separator: "?", maxSplits: 1)
        guard let first = parts.first, let address = GeoAddress(String(first)) else { return nil }
        guard parts.count > 1 else { return address.coordinate }
        // `geo:0,0?q=41.0,29.0(Gate)`: the place is that of the query.
        let query = fields(parts[1])
        guard let sought = query["q"] else { return address.coordinate }
        if let place = place(sought) { return place }
        return address.coordinate.latitude == 0 && address.coordinate.longitude == 0 ? nil : address.coordinate
    }

    // MARK: - The web

    private static func web(_ text: Substring) -> Coordinate? {
        guard let host = host(text) else { return nil }
        let rest = afterHost(text)
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].prefix { $0 != "?" }
        let query = fields(parts[0].dropFirst(path.count).dropFirst())
        let fragment = parts.count > 1 ? parts[1] : ""
        if host.hasSuffix("openstreetmap.org") || host.hasSuffix("osm.org") { return osm(path, query, fragment) }
        return host == "maps.apple.com" || host == "maps.apple" ? apple(query) : google(path, query)
    }

    private static func osm(_ path: Substring, _ query: [String: String], _ fragment: Substring) -> Coordinate? {
        if let north = query["mlat"], let east = query["mlon"] { return place("\(north),\(east)") }
        guard path.isEmpty || path == "/", query.isEmpty, fragment.hasPrefix("map=") else { return nil }
        let numbers = fragment.dropFirst(4).prefix { $0 != "&" }.split(separator: "/")
        return numbers.count == 3 ? place("\(numbers[1]),\(numbers[2])") : nil
    }

    private static func apple(_ query: [String: String]) -> Coordinate? {
        for name in ["coordinate", "ll", "daddr", "q", "address"] {
            if let place = query[name].flatMap(place) { return place }
        }
        return nil
    }

    private static func google(_ path: Substring, _ query: [String: String]) -> Coordinate? {
        for name in ["q", "query", "destination", "daddr", "center", "ll", "viewpoint"] {
            guard let text = query[name] else { continue }
            // With words for a place the others tell the map around it.
            return place(text)
        }
        guard query["saddr"] == nil, query["origin"] == nil else { return nil }
        let parts = path.split(separator: "/").drop { $0 == "maps" }
        guard let first = parts.first, first != "dir" else { return nil }
        if let pin = pin(path) { return pin }
        if ["place", "search"].contains(first) { return parts.dropFirst().first.flatMap { place(decoded($0)) } }
        return first.hasPrefix("@") ? view(first.dropFirst()) : place(decoded(first))
    }

    /// `!3d41.0085!4d28.98`: what the link is about, the last one if it has several.
    private static func pin(_ path: Substring) -> Coordinate? {
        let fields = path.split(separator: "!")
        guard let east = fields.lastIndex(where: { $0.hasPrefix("4d") }), east > fields.startIndex,
            fields[east - 1].hasPrefix("3d")
        else { return nil }
        return place("\(fields[east - 1].dropFirst(2)),\(fields[east].dropFirst(2))")
    }

    /// `@41.0086,28.9802,17z`
    private static func view(_ text: Substring) -> Coordinate? {
        let numbers = text.split(separator: ",")
        return numbers.count >= 2 ? place("\(numbers[0]),\(numbers[1])") : nil
    }

    // MARK: - Parts

    /// A place that is all of a text, apart from a name in parentheses.
    private static func place(_ text: String) -> Coordinate? {
        let place = text.hasPrefix("loc:") ? text.dropFirst(4) : text[...]
        let named = place.first == "(" ? place : place.prefix { $0 != "(" }
        var degrees = DegreesReader(named)
        guard let (coordinate, end) = degrees.place(), named[end...].allSatisfy({ $0 == " " }) else { return nil }
        return coordinate
    }

    private static func host(_ word: Substring) -> String? {
        let lower = word.lowercased()
        for scheme in ["https://", "http://"] where lower.hasPrefix(scheme) {
            return String(lower.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
        }
        return ["maps.google.", "maps.app.goo.gl/", "goo.gl/maps", "google.com/maps", "www.google.", "maps.apple.com/"]
            .contains { lower.hasPrefix($0) } ? String(lower.prefix { !"/?#".contains($0) }) : nil
    }

    private static func afterHost(_ word: Substring) -> Substring {
        let lower = word.lowercased()
        let scheme = lower.hasPrefix("https://") ? 8 : lower.hasPrefix("http://") ? 7 : 0
        return word.dropFirst(scheme).drop { !"/?#".contains($0) }
    }

    private static func fields(_ query: Substring) -> [String: String] {
        var fields: [String: String] = [:]
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields[String(parts[0])] = decoded(parts[1]) }
        }
        return fields
    }

    /// Percent signs and `+` as of forms.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                bytes.append(code ?? byte)
                if code != nil { rest = rest.dropFirst(2) }
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
