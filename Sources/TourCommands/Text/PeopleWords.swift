import TourJSON
import TourWeb
import TourWords

/// How many people are reachable, as the node counts them. Source: `Protocol/Schema/local-api.yaml`, `PeopleCount`.
package struct PeopleWords: Hashable, Sendable {
    private let total: Int
    private let reachable: Int

    /// - Returns: nil when the tour is over for this node.
    package init?(_ json: JSON?) {
        guard let total = json?["total"]?.integer, let reachable = json?["reachable"]?.integer else { return nil }
        self.total = total
        self.reachable = reachable
    }

    /// `5 of 8, you included`
    package var whole: Phrase { Phrase("\(reachable) of \(total), you included") }

    package var sentence: Phrase { Phrase("In reach: \(reachable) of \(total), you included.") }

    /// `5 of 8 near`, for narrow places.
    package var short: Phrase { Phrase("\(reachable) of \(total) near") }
}
