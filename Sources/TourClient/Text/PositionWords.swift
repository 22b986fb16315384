import TourAPI
import TourModel
import TourWords

/// A member's position, as people read it.
package enum PositionWords {
    /// `350 m north-east, 12 s ago`, or the coordinates where our own position is unknown; `was …` when it is old.
    package static func of(_ position: MemberPosition) -> Phrase {
        let place = place(position)
        let time = DurationArgument.shown(seconds: position.ageSeconds)
        return position.live ? Phrase("\(place), \(time) ago") : Phrase("was \(place), \(time) ago")
    }

    private static func place(_ position: MemberPosition) -> Phrase {
        guard let metres = position.distanceMetres else {
            return Phrase(verbatim: position.place?.description ?? "")
        }
        guard let direction = position.direction else { return distance(metres) }
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
