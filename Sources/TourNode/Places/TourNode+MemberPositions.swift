import TourGossip
import TourModel
import TourWire

// Where the members are.
extension TourNode {
    /// The same as `members`; where somebody else shows where it is, the receiver is asked first where we are.
    /// - Parameter here: where this node is, if its receiver is not to say.
    package func locatedMembers(_ tour: String?, here: Coordinate?) async throws -> MemberList {
        let session = try session(tour)
        let isSomebodyShown = session.gossip.sharedPositions(NodeClock.now).contains {
            $0.claim.member != session.own && $0.claim.fix != nil
        }
        if here == nil, isSomebodyShown { await askReceiver() }
        return try members(tour, here: here)
    }

    /// Of each member that shares where it is, or was. What has ended is no position any more.
    /// - Parameter here: where this node is; nil: where its receiver says, if it has one.
    func positions(in session: TourSession, here: Coordinate?) -> [MemberID: MemberPosition] {
        let now = NodeClock.now
        let wall = NodeClock.wallMilliseconds
        let origin = here ?? receiver.fix(now)?.coordinate
        var positions = [MemberID: MemberPosition]()
        for (claim, takenAt) in session.gossip.sharedPositions(now) where claim.until > wall {
            guard let fix = claim.fix, let fixedAt = fix.fixedAt else { continue }
            // Its clock may be ahead of ours: it is at least as old as its row is here.
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
