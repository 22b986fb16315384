import TourGossip
import TourGroup
import TourModel
import TourWords

/// How many neighbours unicast datagrams reach. Source: `Protocol/08-datagrams.md`, "Paths".
package struct PathCounts: Encodable, Sendable {
    /// No datagram was needed yet, or the first is on its way.
    package var untested = 0
    /// Datagrams come through.
    package var working = 0
    /// Datagrams do not come through, or one side has no port for them: the link carries everything.
    package var blocked = 0
    /// Switched off.
    package var off = 0

    init() {}

    init(of session: TourSession) {
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

extension PathQuality.State: Encodable {}

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
    /// The doctor's line on unicast datagrams, where they do not reach all neighbours.
    var pathChecks: [Check] {
        guard let session = try? session(nil), session.isActive, multicastState != .working else { return [] }
        let qualities = session.pathQualities
        let working = qualities.values.filter { $0.state == .working }
        let names = session.view(store)
        let blocked = qualities.filter { $0.value.state == .blocked }.keys.sorted()
            .compactMap { session.gossip.neighbours[$0] }.map { names.distinctName(of: $0) }
        guard blocked.isEmpty else { return [Check.blockedPaths(blocked, of: qualities.count)] }
        return working.isEmpty ? [] : [Check.paths(working)]
    }
}

extension TourNode.Check {
    static func blockedPaths(_ names: [String], of links: Int) -> TourNode.Check {
        let shown = Phrase(list: names.prefix(5)) + Phrase(verbatim: names.count > 5 ? " …" : "")
        return TourNode.Check(
            name: "datagrams", state: .warning,
            message: Phrase(
                links,
                one: """
                    Datagrams do not come through to \(names.count) of \(links) neighbour (\(shown)): their \
                    connections carry everything, which is slow where packets are lost.
                    """,
                other: """
                    Datagrams do not come through to \(names.count) of \(links) neighbours (\(shown)): their \
                    connections carry everything, which is slow where packets are lost.
                    """),
            advice: Phrase(
                """
                Something between the two holds UDP back: a firewall on one of the devices, or the network. Let \
                tour-chat through, or use a hotspot of your own.
                """))
    }

    static func paths(_ qualities: [PathQuality]) -> TourNode.Check {
        let times = qualities.compactMap(\.roundTripMilliseconds)
        let count = qualities.count
        var sentences = [
            Phrase(
                count, one: "Messages go one by one to \(count) neighbour.",
                other: "Messages go one by one to \(count) neighbours.")
        ]
        if let slowest = times.max() {
            sentences.append(Phrase("They are there and back in \(Int(slowest.rounded(.up))) ms at most."))
        }
        let lost = Int((qualities.compactMap(\.lossPercent).max() ?? 0).rounded())
        if lost > 0 { sentences.append(Phrase("Of 100 up to \(lost) are lost and sent again.")) }
        return TourNode.Check(
            name: "datagrams", state: .ok, message: Phrase(sentences, separator: " "), advice: .empty)
    }
}
