import TourJSON
import TourWeb
import TourWords

/// A member's position, as people read it.
package enum PositionWords {
    /// `350 m north-east, 12 s ago`, or the coordinates where our own position is unknown; `was …` when it is old.
    /// - Parameter position: `MemberPosition` of the local API.
    /// - Returns: nil where there is none.
    package static func of(_ position: JSON?) -> Phrase? {
        guard let position, let age = position["ageSeconds"]?.integer else { return nil }
        let place = place(position)
        let time = DurationArgument.shown(seconds: age)
        let isLive = position["live"]?.flag == true
        return isLive ? Phrase("\(place), \(time) ago") : Phrase("was \(place), \(time) ago")
    }

    private static func place(_ position: JSON) -> Phrase {
        guard let metres = position["distanceMetres"]?.integer else {
            return Phrase(verbatim: "\(position.shown("latitude")),\(position.shown("longitude"))")
        }
        guard let direction = position["direction"]?.text else { return distance(metres) }
        return Phrase("\(distance(metres)) \(words(direction))")
    }

    /// `350 m`, `2.4 km`, `120 km`.
    package static func distance(_ metres: Int) -> Phrase {
        switch metres {
        case ..<1_000: Phrase("\(metres) m")
        case ..<10_000: Phrase("\(metres / 1_000).\(metres % 1_000 / 100) km")
        default: Phrase("\(metres / 1_000) km")
        }
    }

    private static func words(_ direction: String) -> Phrase {
        switch direction {
        case "north": Phrase("north")
        case "north-east": Phrase("north-east")
        case "east": Phrase("east")
        case "south-east": Phrase("south-east")
        case "south": Phrase("south")
        case "south-west": Phrase("south-west")
        case "west": Phrase("west")
        case "north-west": Phrase("north-west")
        default: Phrase(verbatim: TerminalText.safe(direction))
        }
    }
}
