import TourAPI
import TourWords

// How many people are reachable.
extension PeopleCount {
    /// `5 of 8, you included`
    package var whole: Phrase { Phrase("\(reachable) of \(total), you included") }

    package var sentence: Phrase { Phrase("In reach: \(reachable) of \(total), you included.") }

    /// `5 of 8 near`, for narrow places.
    package var short: Phrase { Phrase("\(reachable) of \(total) near") }
}
