import TourAPI
import TourWords

/// The words about unicast datagrams. Shapes: `Protocol/Schema/local-api.yaml`.
package enum PathWords {
    /// How messages travel where multicast does not reach everybody: from the `paths` of a status.
    package static func oneByOne(_ paths: PathCounts) -> Phrase {
        let (working, blocked) = (paths.working, paths.blocked)
        if blocked == 0 { return Phrase("messages go to each neighbour one by one") }
        if working == 0 { return Phrase("datagrams to single neighbours too: connections carry everything") }
        return Phrase("messages go one by one: quickly to \(working), over slower connections to \(blocked)")
    }

    /// Whether datagrams reach a peer, their round trip, and their loss.
    package static func toPeer(_ peer: Peers.Link) -> Phrase {
        switch peer.datagrams {
        case "working":
            let lost = peer.lossPercent ?? 0
            let speed = peer.rttMilliseconds.map { Phrase("\(tenths($0)) ms") } ?? Phrase("yes")
            return lost >= 1 ? Phrase("\(speed), \(Int(lost.rounded())) % lost") : speed
        case "blocked": return Phrase("held back")
        case "untested": return Phrase("not needed yet")
        default: return Phrase("no")
        }
    }

    /// `12` or `12.3`
    private static func tenths(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
