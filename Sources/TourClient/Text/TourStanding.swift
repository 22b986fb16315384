import TourAPI
import TourWords

/// The state of a tour for this node, in words. The states: `Protocol/Schema/local-api.yaml`, `TourState`.
package enum TourStanding {
    /// For a table.
    package static func word(_ state: TourState) -> Phrase {
        switch state {
        case .active: Phrase("active")
        case .closed: Phrase("closed")
        case .left: Phrase("left")
        case .removed: Phrase("removed")
        case .keyForked: Phrase("key forked")
        case .keyRetired: Phrase("key given up")
        }
    }

    /// For a user who wants to write and cannot.
    package static func sentence(_ state: TourState) -> Phrase {
        switch state {
        case .closed: Phrase("closed")
        case .left: Phrase("you left")
        case .removed: Phrase("you were removed")
        case .keyForked: Phrase("another device has your key")
        case .keyRetired: Phrase("you gave your key up")
        case .active: Phrase("active")
        }
    }
}
