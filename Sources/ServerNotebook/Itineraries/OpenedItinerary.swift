import ServerBase
import TourModel
import TourNotebook

/// An itinerary with the stops that are here. A stop that its device has not sent yet is skipped, so that positions
/// have no gaps.
struct OpenedItinerary: Sendable {
    /// A stop, and its entry in the itinerary.
    struct ListedStop: Sendable {
        let entry: Itinerary.Entry
        let item: NotebookItem
        /// The content of the item, without its note where the room is used up.
        let stop: Stop
    }

    let item: NotebookItem
    let content: Itinerary
    let stops: [ListedStop]
    /// Whether some notes were left out because all of them exceed the room of one answer.
    let isCut: Bool
}

extension NotebookItem {
    /// - Throws: `internal` for an item of another kind.
    func itinerary() throws(Failure) -> Itinerary {
        guard case .itinerary(let itinerary) = content else {
            throw Failure(.internalError, cause: "an itinerary is of another kind")
        }
        return itinerary
    }
}
