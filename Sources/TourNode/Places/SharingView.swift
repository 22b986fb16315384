import TourAPI
import TourModel
import TourPosition

/// Whether this node shares its position. `TourPresentation` makes the answer of it.
package struct SharingView: Sendable {
    /// Whether a sharing is in progress.
    package var sharing: Bool
    /// When the sharing ends; nil: nothing is shared.
    package var until: String?
    /// The position sent last.
    package var position: FixView?
    /// Why no newer position is sent.
    package var problem: PositionFault?
}

extension FixView {
    init(_ fix: Fix) {
        self.init(
            latitude: fix.coordinate.degreesNorth, longitude: fix.coordinate.degreesEast,
            accuracyMetres: fix.accuracyMetres == 0 ? nil : fix.accuracyMetres,
            fixedAt: fix.fixedAt.map { Timestamp.text(milliseconds: $0) })
    }
}
