import TourAPI
import TourModel
import TourWords

/// A place as people read it.
package enum PlaceWords {
    /// `48.8584,2.2945 ± 12 m at 14:03`: the parts that are known.
    package static func of(_ fix: Fix) -> Phrase {
        var words = of(fix.coordinate)
        if fix.accuracyMetres > 0 { words = Phrase("\(words) ± \(Int(fix.accuracyMetres)) m") }
        if let time = fix.fixedAt {
            words = Phrase("\(words) at \(Timestamp(seconds: Int(time / 1_000)).clockTime)")
        }
        return words
    }

    /// - Returns: nil beyond the Earth.
    package static func of(_ fix: FixView) -> Phrase? {
        let time = fix.fixedAt.flatMap { Timestamp($0) }.map { Int64($0.seconds) * 1_000 }
        return fix.place.flatMap { Fix($0, accuracyMetres: fix.accuracyMetres ?? 0, fixedAt: time) }.map { of($0) }
    }

    /// `48.8584,2.2945`
    package static func of(_ place: Coordinate) -> Phrase { Phrase(verbatim: place.description) }
}
