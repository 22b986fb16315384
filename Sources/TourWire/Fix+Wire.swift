import SwiftProtobuf
import TourModel

extension Fix {
    /// - Returns: nil for a value out of range.
    init?(_ wire: WireFix) {
        guard let coordinate = Coordinate(latitude: wire.latitude, longitude: wire.longitude),
            let fixedAt = Int64(exactly: wire.fixedAt)
        else { return nil }
        self.init(coordinate, accuracyMetres: wire.accuracy, fixedAt: fixedAt == 0 ? nil : fixedAt)
    }

    var wire: WireFix {
        .with {
            $0.latitude = coordinate.latitude
            $0.longitude = coordinate.longitude
            $0.accuracy = accuracyMetres
            $0.fixedAt = UInt64(clamping: fixedAt ?? 0)
        }
    }
}
