import TourAPI
import TourGroup
import TourModel
import TourRuntime
import TourStore

// A setting of this node alone: notifies a guide, quietly and once, of each member who stays behind.
extension TourNode {
    static func stragglerSetting(_ member: MemberID) -> String { "stragglers/\(member.hex)" }

    /// The watch's setting, and the members that are out of reach now.
    package func stragglerWatch(_ tour: String?) throws -> StragglerView {
        let session = try session(tour)
        let overdue = session.stragglers.overdue(session.lastSigns, now: NodeClock.wallMicroseconds)
        let (view, positions) = (session.view(store), overdue.isEmpty ? [:] : positions(in: session, here: nil))
        return StragglerView(
            minutes: session.stragglers.minutes,
            stragglers: overdue.compactMap { straggler($0, session, view, positions) }
                .sorted { $0.lastSeen < $1.lastSeen })
    }

    /// Sets the watch.
    /// - Parameter minutes: in `StragglerWatch.minutes`; nil: turns the watch off.
    /// - Throws: `bad-time`.
    package func watchStragglers(minutes: Int?, in tour: String?) throws -> StragglerView {
        let session = try session(tour)
        guard minutes.map(StragglerWatch.minutes.contains) ?? true else {
            throw NodeError.roll(.badStragglerTime)
        }
        do {
            try store.setSetting(Self.stragglerSetting(session.own), value: minutes.map { [UInt8(clamping: $0)] })
        } catch {
            throw NodeError.store(error)
        }
        session.stragglers.minutes = minutes
        return try stragglerWatch(session.tour.hex)
    }

    /// Once a second.
    func tickStragglers(of session: TourSession) {
        guard session.stragglers.minutes != nil, session.isActive else { return }
        if session.connections.isEmpty { session.stragglers.pause(at: NodeClock.wallMicroseconds) }
        let new = session.stragglers.review(session.lastSigns, now: NodeClock.wallMicroseconds)
        guard !new.isEmpty else { return }
        let minutes = session.stragglers.minutes ?? 0
        if new.count > Self.namedMax {
            let change = TourChange.stragglers(new.count, minutes: minutes)
            return notify(of: TourNote(change, nil, isOwn: false, session.state), session)
        }
        let (view, positions) = (session.view(store), positions(in: session, here: nil))
        for member in new {
            guard let straggler = straggler(member, session, view, positions) else { continue }
            let place = straggler.position.map {
                TourChange.Coordinates(latitude: $0.latitude, longitude: $0.longitude)
            }
            let change = TourChange.straggler(straggler.name, minutes: minutes, lastPlace: place)
            notify(of: TourNote(change, member, isOwn: false, session.state), session)
        }
    }

    private static let namedMax = 3

    private func straggler(
        _ member: MemberID, _ session: TourSession, _ view: TourView, _ positions: [MemberID: MemberPosition]
    ) -> StragglerView.Straggler? {
        let wall = NodeClock.wallMicroseconds
        guard let seen = session.machine.presence.signs.seenAt(member, now: NodeClock.now, wall: wall) else {
            return nil
        }
        return StragglerView.Straggler(
            memberID: member.hex, name: view.distinctName(of: member),
            lastSeen: Timestamp.text(microseconds: seen), hops: session.machine.presence.signs.hops(member),
            position: positions[member], by: GuestHost(of: member, in: session, view))
    }
}

extension TourSession {
    /// The last signs of life of members that are not reachable, but once were. Of a guest nothing is heard while the
    /// device with which it is cannot be heard: that one is missed.
    fileprivate var lastSigns: [MemberID: Int64] {
        let now = NodeClock.now
        let away = group.roster.people.filter { member in
            let host = member.admittedBySeatHost.map { seatBook.host(of: member.id) ?? $0 }
            return !isReachable(member.id, now: now) && host.map { isReachable($0, now: now) } ?? true
        }
        return Dictionary(
            uniqueKeysWithValues: away.compactMap { member in
                machine.presence.signs.seenAt(member.id, now: now, wall: NodeClock.wallMicroseconds).map {
                    (member.id, $0)
                }
            })
    }

    func readStragglerSetting(_ store: TourStore) throws(StoreError) {
        let minutes = try store.setting(TourNode.stragglerSetting(own))?.first.map(Int.init)
        stragglers = StragglerWatch(
            minutes: minutes.flatMap { StragglerWatch.minutes.contains($0) ? $0 : nil },
            since: NodeClock.wallMicroseconds)
    }
}
