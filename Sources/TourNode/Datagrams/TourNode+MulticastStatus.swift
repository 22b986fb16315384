import TourAPI
import TourDiscovery
import TourGossip
import TourGroup
import TourModel
import TourTransport

extension TourSession {
    /// Whether the link leads to an active member of the tour.
    fileprivate func isLinkedToMember(_ connection: LinkConnection) -> Bool {
        guard !connection.isRestricted, let peer = connection.peer, let member = member(of: peer) else { return false }
        return group.roster.members[member]?.isActive == true
    }
}

extension TourNode {
    /// How long nobody must have heard us before that means something: several beacons are sent meanwhile.
    private static let airTrialDuration: Duration = .seconds(20)

    func multicast(on interface: NetworkInterface) -> (state: MulticastState, heard: Int, heardBy: Int) {
        let id = SegmentID(value: Int(interface.index))
        guard settings.usesMulticast, let port = multicast.ports[id], port.port != nil else { return (.off, 0, 0) }
        guard let session = try? session(nil) else { return (.unknown, 0, 0) }
        let now = NodeClock.now
        let listeners = session.gossip.listeners(on: id, now: now)
        let (heard, heardBy) = (listeners.heard.count, listeners.hearUs.count)
        if heardBy > 0 { return (.working, heard, heardBy) }
        // Members linked over this interface could hear us; members who left no longer listen.
        let isTried = session.connections.values.contains {
            interface.addresses.contains($0.localAddress) && now - $0.openedAt > Self.airTrialDuration
                && session.isLinkedToMember($0)
        }
        return (isTried ? .blocked : .unknown, heard, 0)
    }

    /// Over all networks: `blocked` if one is, since that is worth a look; else `working` if one works.
    var multicastState: MulticastState {
        let states = usableInterfaces.map { multicast(on: $0).state }
        return [.blocked, .working, .unknown].first(where: states.contains) ?? .off
    }

    var multicastFinding: Finding {
        guard settings.usesMulticast else { return .multicastOff }
        let states = usableInterfaces.map { ($0.name, multicast(on: $0)) }
        let blocked = states.filter { $0.1.state == .blocked }.map(\.0)
        guard blocked.isEmpty else { return .multicastBlocked(blocked) }
        let working = states.filter { $0.1.state == .working }
        guard !working.isEmpty else { return .multicastUntested }
        return .multicastWorks(working.map { Finding.Reach(interface: $0, members: $1.heardBy) })
    }
}
