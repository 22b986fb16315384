import TourWeb

/// Where a member is, as people read it.
package enum PositionWords {
    /// `350 m north-east, 12 s ago`, or with the place where nobody knows where we are; `was …` when it is old.
    /// - Parameter position: `MemberPosition` of the local API.
    /// - Returns: nil where there is none.
    package static func of(_ position: JSON?) -> String? {
        guard let position, let age = position["ageSeconds"]?.integer else { return nil }
        let place =
            if let metres = position["distanceMetres"]?.integer {
                distance(metres) + (position["direction"]?.text.map { " \($0)" } ?? "")
            } else {
                "\(position.shown("latitude")),\(position.shown("longitude"))"
            }
        let isLive = position["live"]?.flag == true
        return (isLive ? "" : "was ") + "\(place), \(DurationArgument.shown(seconds: age)) ago"
    }

    /// `350 m`, `2.4 km`, `120 km`.
    package static func distance(_ metres: Int) -> String {
        switch metres {
        case ..<1_000: "\(metres) m"
        case ..<10_000: "\(metres / 1_000).\(metres % 1_000 / 100) km"
        default: "\(metres / 1_000) km"
        }
    }
}
