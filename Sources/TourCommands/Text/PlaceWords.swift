import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// A place as people read it.
package enum PlaceWords {
    /// `48.8584,2.2945 ± 12 m at 14:03`: the parts that are known.
    /// - Parameter fix: `Fix` of the local API.
    /// - Returns: nil where there is no place.
    package static func of(_ fix: JSON) -> Phrase? {
        guard fix["latitude"]?.real != nil, fix["longitude"]?.real != nil else { return nil }
        var words = Phrase(verbatim: "\(fix.shown("latitude")),\(fix.shown("longitude"))")
        if let accuracy = fix["accuracyMetres"]?.integer { words = Phrase("\(words) ± \(accuracy) m") }
        if let time = Timestamp(fix.shown("fixedAt")) { words = Phrase("\(words) at \(time.clockTime)") }
        return words
    }
}
