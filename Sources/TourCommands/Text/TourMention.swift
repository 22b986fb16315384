import TourJSON
import TourWeb

/// Decides when an answer mentions the tour.
package enum TourMention {
    /// - Parameter tours: as the local API lists them.
    package static func isNeeded(among tours: [JSON]) -> Bool { tours.count(where: { $0["active"]?.flag == true }) > 1 }

    /// Safe for a terminal.
    package static func name(of tour: JSON) -> String { TerminalText.safe(tour.shown("name")) }
}
