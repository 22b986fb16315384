import TourGossip
import TourModel
import TourWire

// The positions of the members.
extension TourNode {
    /// As `members`; if another member shares its position, first asks the receiver for our own, for the distance.
    /// - Parameter here: this node's position, to be used instead of the receiver's.
    package func locatedMembers(_ tour: String?, here: Coordinate?) async throws -> MemberList {
        let session = try session(tour)
        let isSomebodyShown = session.gossip.sharedPositions(NodeClock.now).contains {
            $0.claim.member != session.own && $0.claim.fix != nil
        }
        if here == nil, isSomebodyShown { await askReceiver() }
        return try members(tour, here: here)
    }

    /// Of each member that shares its position, or shared it lately. A sharing that has ended gives no position.
    /// - Parameter here: this node's position; nil: the receiver's, if there is one.
    func positions(in session: TourSession, here: Coordinate?) -> [MemberID: MemberPosition] {
        let now = NodeClock.now
        let wall = NodeClock.wallMilliseconds
        let origin = here ?? receiver.fix(now)?.coordinate
        var positions = [MemberID: MemberPosition]()
        for (claim, takenAt) in session.gossip.sharedPositions(now) where claim.until > wall {
            guard let fix = claim.fix, let fixedAt = fix.fixedAt else { continue }
            // The member's clock may be ahead of ours: the position is at least as old as its row is here.
            let age = max(wall - fixedAt, (now - takenAt).microseconds / 1_000, 0)
            let isUs = claim.member == session.own
            let distance = isUs ? nil : origin.map { $0.metres(to: fix.coordinate) }
            let bearing = isUs ? nil : origin.flatMap { $0.bearing(to: fix.coordinate) }
            let view = FixView(fix)
            positions[claim.member] = MemberPosition(
                latitude: view.latitude, longitude: view.longitude, accuracyMetres: view.accuracyMetres,
                fixedAt: Timestamp.text(milliseconds: fixedAt), ageSeconds: Int(age / 1_000),
                live: age <= Limits.positionLifetime.microseconds / 1_000,
                until: Timestamp.text(milliseconds: claim.until),
                distanceMetres: distance.map { Int($0.rounded()) },
                bearingDegrees: bearing.map { Int($0.rounded()) % 360 }, direction: bearing.map(Wind.init(bearing:)))
        }
        return positions
    }
}
