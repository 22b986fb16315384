import TourAPI
import TourModel
import TourPosition
import TourWire

extension SharingView {
    /// - Parameter sharing: nil: nothing is shared.
    init(_ sharing: Sharing?, _ fault: PositionFault?) {
        guard let sharing else {
            self.init(sharing: false, until: nil, position: nil, problem: nil)
            return
        }
        self.init(
            sharing: true, until: Timestamp.text(milliseconds: sharing.until),
            position: sharing.last.map { FixView($0.fix) },
            problem: fault)
    }
}

extension MemberPosition {
    /// - Parameters:
    ///   - age: how long the row has been here.
    ///   - origin: where distance and direction begin; nil: neither is known.
    /// - Returns: nil for a sharing that has ended, or sends no position.
    init?(_ claim: PositionClaim, age: Duration, from origin: Coordinate?, wallMilliseconds wall: Int64) {
        guard claim.until > wall, let fix = claim.fix, let fixedAt = fix.fixedAt else { return nil }
        // The member's clock may be ahead of ours: the position is at least as old as its row is here.
        let age = max(wall - fixedAt, age.microseconds / 1_000, 0)
        let bearing = origin.flatMap { $0.bearing(to: fix.coordinate) }
        let view = FixView(fix)
        self.init(
            latitude: view.latitude, longitude: view.longitude, accuracyMetres: view.accuracyMetres,
            fixedAt: Timestamp.text(milliseconds: fixedAt), ageSeconds: Int(age / 1_000),
            live: age <= Limits.positionLifetime.microseconds / 1_000, until: Timestamp.text(milliseconds: claim.until),
            distanceMetres: origin.map { Int($0.metres(to: fix.coordinate).rounded()) },
            bearingDegrees: bearing.map { Int($0.rounded()) % 360 },
            direction: bearing.map { Wind(bearing: $0).rawValue })
    }
}
