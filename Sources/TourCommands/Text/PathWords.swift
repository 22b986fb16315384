import TourJSON
import TourWeb
import TourWords

/// The words about unicast datagrams. Shapes: `Protocol/Schema/local-api.yaml`.
package enum PathWords {
    /// How messages travel where multicast does not reach everybody: from the `paths` of a status.
    package static func oneByOne(_ paths: JSON?) -> Phrase {
        let working = paths?["working"]?.integer ?? 0
        let blocked = paths?["blocked"]?.integer ?? 0
        if blocked == 0 { return Phrase("messages go to each neighbour one by one") }
        if working == 0 { return Phrase("datagrams to single neighbours too: connections carry everything") }
        return Phrase("messages go one by one: quickly to \(working), over slower connections to \(blocked)")
    }

    /// Whether datagrams reach a peer, their round trip, and their loss.
    package static func toPeer(_ peer: JSON) -> Phrase {
        switch peer.shown("datagrams") {
        case "working":
            let time = peer.shown("rttMilliseconds")
            let lost = Double(peer.shown("lossPercent")) ?? 0
            let speed = time.isEmpty ? Phrase("yes") : Phrase("\(time) ms")
            return lost >= 1 ? Phrase("\(speed), \(Int(lost.rounded())) % lost") : speed
        case "blocked": return Phrase("held back")
        case "untested": return Phrase("not needed yet")
        default: return Phrase("no")
        }
    }
}
