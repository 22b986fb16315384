import TourAPI

/// Decides when an answer mentions the tour.
package enum TourMention {
    package static func isNeeded(among tours: [TourSummary]) -> Bool { tours.count(where: \.active) > 1 }
}
