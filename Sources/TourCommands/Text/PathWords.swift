import TourWeb

/// What is said of datagrams to single neighbours. Shapes: `Protocol/Schema/local-api.yaml`.
package enum PathWords {
    /// How messages go where one datagram does not reach all: from the `paths` of a status.
    package static func oneByOne(_ paths: JSON?) -> String {
        let working = paths?["working"]?.integer ?? 0
        let blocked = paths?["blocked"]?.integer ?? 0
        if blocked == 0 { return "messages go to each neighbour one by one" }
        if working == 0 { return "datagrams to single neighbours too: connections carry everything" }
        return "messages go one by one: quickly to \(working), over slower connections to \(blocked)"
    }

    /// Whether they go to a peer, their round trip, and how many are lost.
    package static func toPeer(_ peer: JSON) -> String {
        switch peer.shown("datagrams") {
        case "working":
            let time = peer.shown("rttMilliseconds")
            let lost = Double(peer.shown("lossPercent")) ?? 0
            let parts = [time.isEmpty ? "yes" : "\(time) ms", lost >= 1 ? "\(Int(lost.rounded())) % lost" : ""]
            return parts.filter { !$0.isEmpty }.joined(separator: ", ")
        case "blocked": return "held back"
        case "untested": return "not needed yet"
        default: return "no"
        }
    }
}
