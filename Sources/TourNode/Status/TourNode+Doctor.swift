import TourAPI
import TourDiscovery
import TourGossip
import TourGroup
import TourImage
import TourModel
import TourRuntime
import TourStore

// Checks of everything that a tour depends on.
extension TourNode {
    /// Runs every check.
    package func doctor() async -> [Finding] {
        let server = settings.isOffline ? [] : await serverFindings()
        // A finding only where guests are to be let in by https, and are not.
        let https = await seats.secureTrouble.map { [Finding.noHTTPS($0)] } ?? []
        let rest =
            [clockFinding, diskFinding, .storageKey(keyHome)] + pictureFindings + https + ownLogFindings
            + shareFindings
        // Without a running node nothing listens and nothing looks for others: the network is not to blame.
        guard !settings.isOffline else { return [.noNode] + rest + voidFindings }
        return [discoveryFinding, networkFinding, linksFinding, multicastFinding] + pathFindings + server + rest
            + voidFindings
    }

    private var discoveryFinding: Finding {
        guard discovery != nil else { return .discoveryOff }
        switch discoveryState {
        case .running: return .discoveryRuns(announced: Set(addressBook.candidates.values.map(\.instance)).count)
        case .starting: return .discoveryStarts
        case .unavailable:
            let instead = hasDatagrams ? Finding.Fallback.datagrams : .addresses(ownAddresses(), port: port)
            return .discoveryFails(discoveryState, instead: instead)
        }
    }

    /// Whether multicast beacons are sent on some network: members and joiners find us by them.
    private var hasDatagrams: Bool { multicastState != .off && multicastState != .blocked }

    private var networkFinding: Finding {
        .network(
            own: ownAddresses(), all: usableInterfaces.flatMap(\.addresses),
            hasLinks: sessions.values.contains { !$0.connections.isEmpty }, port: port)
    }

    private var linksFinding: Finding {
        guard let session = try? session(nil) else { return .noTour }
        guard session.isActive || session.state == .closed else { return .inactive(session.inactivity) }
        return Finding(
            links: session.connections.count, to: session.group.roster.linking.count { $0.id != session.own },
            of: session.record.name, isClosed: session.state == .closed, seesNobody: addressBook.candidates.isEmpty)
    }

    private var clockFinding: Finding {
        let own = NodeClock.wallMilliseconds
        guard own >= NodeTime.builtAt else { return .clockBeforeProgram }
        if let time = sessions.values.map(\.wallMilliseconds).first(where: { $0 != own }),
            time - own > Self.clockLagMax
        {
            return .clockBehind
        }
        return .clockRight
    }

    private static let clockLagMax: Int64 = 86_400_000

    private var diskFinding: Finding {
        guard let room = FreeSpace(at: settings.dataDirectory) else { return .diskUnreadable(settings.dataDirectory) }
        return .diskFree(mebibytes: room.freeBytes / 1_048_576)
    }

    /// A finding only where pictures cannot be prepared.
    private var pictureFindings: [Finding] { PictureTool().missing.map { [.noPictures(missing: $0)] } ?? [] }

    /// A finding for each tour whose own log is not in order.
    private var ownLogFindings: [Finding] {
        let now = NodeClock.now
        return sessions.values.sorted { $0.tour < $1.tour }.compactMap { session -> Finding? in
            if let heard = session.machine.twinSeenAt, now - heard < Self.twinShownMax, !session.isOut,
                !session.machine.hasLostKey
            {
                return .twin(session.record.name)
            }
            return session.gossip.ownLogState == .ready ? nil : .silent(session.silence)
        }
    }

    /// A running second device gives a sign of life every few seconds.
    private static let twinShownMax: Duration = .seconds(600)

    /// A finding for each act of ours that no longer counts.
    private var voidFindings: [Finding] {
        let wall = NodeClock.wallMilliseconds
        return sessions.values.sorted { $0.tour < $1.tour }
            .flatMap { news(of: $0).voidedActs(wallMilliseconds: wall) }.map { .voided($0) }
    }
}

extension Finding {
    /// - Parameters:
    ///   - others: the tour's other members, without those who left or were removed.
    ///   - seesNobody: no node is announced on the networks here.
    package init(links: Int, to others: Int, of tour: String, isClosed: Bool, seesNobody: Bool) {
        self =
            if others == 0 {
                .alone(tour, isClosed: isClosed)
            } else if links == 0 {
                .notLinked(others: others, seesNobody: seesNobody)
            } else {
                .linked(links, tour)
            }
    }
}
