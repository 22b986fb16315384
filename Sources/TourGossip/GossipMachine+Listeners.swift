import TourModel
import TourWire

/// Who is on a segment, as its datagrams show.
package struct Listeners: Sendable {
    /// Members heard there.
    package let heard: Set<MemberID>
    /// Of them those that said that they hear this node, if one of them did lately.
    package let hearUs: Set<MemberID>
    /// Of a thousand datagrams, how many nine of ten of those who report miss at most.
    package let lossPerMille: Int

    package static let none = Listeners(heard: [], hearUs: [], lossPerMille: 0)
}

// What those need to know who cast files. Source: `Protocol/11-blobs.md`, "Multicast session".
extension GossipMachine {
    package func listeners(on id: SegmentID, now: Instant) -> Listeners {
        guard let segment = segments[id] else { return .none }
        let heard = segment.voices.keys.filter { segment.hears($0, now: now) }
        // In a large tour most of them name us now and then only.
        let isHeard = heard.contains { segment.isHeard(by: $0, now: now) }
        let hearUs = isHeard ? heard.filter { segment.isHeard(by: $0, within: Limits.hearerMemory, now: now) } : []
        return Listeners(heard: Set(heard), hearUs: Set(hearUs), lossPerMille: segment.reportedLoss(now: now))
    }

    /// What is still needed of casts, to everybody on a segment.
    mutating func say(_ asks: [CastAsk], on id: SegmentID, _ now: Instant, _ outputs: inout [Output]) {
        var datagram = Datagram(sender: own.prefix, counter: 0)
        datagram.castAsks = asks
        send(datagram, on: id, now, &outputs)
    }
}
