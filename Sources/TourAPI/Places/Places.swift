import TourModel

// Places as coordinates; nil beyond the Earth.

extension FixView {
    package var place: Coordinate? { Coordinate(degreesNorth: latitude, degreesEast: longitude) }
}

extension MemberPosition {
    package var place: Coordinate? { Coordinate(degreesNorth: latitude, degreesEast: longitude) }
}

extension MeetingView {
    /// Nil also where the place is given in words only.
    package var place: Coordinate? { Coordinate(latitude, longitude) }
}

extension SharedRecordView {
    /// Nil also for a record without a place.
    package var place: Coordinate? { Coordinate(latitude, longitude) }
}

extension SharedRecordView.StopView {
    /// Nil also for a stop without a place.
    package var place: Coordinate? { Coordinate(latitude, longitude) }
}

extension Coordinate {
    fileprivate init?(_ degreesNorth: Double?, _ degreesEast: Double?) {
        guard let degreesNorth, let degreesEast else { return nil }
        self.init(degreesNorth: degreesNorth, degreesEast: degreesEast)
    }
}
