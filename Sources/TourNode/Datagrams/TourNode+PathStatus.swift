import TourAPI
import TourGossip
import TourGroup
import TourModel

extension PathQuality {
    var roundTripMilliseconds: Double? { roundTrip.map { Double($0.microseconds / 100) / 10 } }

    /// Nil unless datagrams come through, since nothing was measured then.
    var lossPercent: Double? { state == .working ? Double(lossPerMille) / 10 : nil }
}

extension TourSession {
    /// The quality of all links to members whose replication has begun.
    var pathQualities: [LinkID: PathQuality] {
        gossip.neighbours.reduce(into: [:]) { qualities, neighbour in
            guard group.roster.members[neighbour.value]?.isActive == true else { return }
            qualities[neighbour.key] = gossip.pathQuality(of: neighbour.key)
        }
    }
}

extension TourNode {
    /// What the doctor finds about unicast datagrams, where they do not reach all neighbours.
    var pathFindings: [Finding] {
        guard let session = try? session(nil), session.isActive, multicastState != .working else { return [] }
        let qualities = session.pathQualities
        let working = qualities.values.filter { $0.state == .working }
        let names = session.view(store)
        let blocked = qualities.filter { $0.value.state == .blocked }.keys.sorted()
            .compactMap { session.gossip.neighbours[$0] }.map { names.distinctName(of: $0) }
        guard blocked.isEmpty else { return [.pathsBlocked(blocked, of: qualities.count)] }
        return working.isEmpty ? [] : [Finding(paths: working)]
    }
}

extension Finding {
    fileprivate init(paths qualities: [PathQuality]) {
        let slowest = qualities.compactMap(\.roundTripMilliseconds).max()
        let lost = (qualities.compactMap(\.lossPercent).max() ?? 0).rounded()
        self = .paths(qualities.count, milliseconds: slowest.map { Int($0.rounded(.up)) }, lost: Int(lost))
    }
}

extension PathCounts {
    init(of session: TourSession) {
        self.init()
        for quality in session.pathQualities.values {
            switch quality.state {
            case .untested: untested += 1
            case .working: working += 1
            case .blocked: blocked += 1
            case .off: off += 1
            }
        }
    }
}
