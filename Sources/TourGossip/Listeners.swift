import TourModel
import TourWire

/// The members on a segment, as their datagrams show.
package struct Listeners: Sendable {
    /// How long a hearer of ours counts in what people see: it must still be heard and have named us within this time.
    static let memory: Duration = .seconds(900)

    /// Members that this node hears there.
    package let heard: Set<MemberID>
    /// Those of `heard` that named this node as heard, if at least one of them did lately.
    package let hearUs: Set<MemberID>
    /// The losses of a thousand datagrams that nine of ten reporting members do not exceed.
    package let lossPerMille: Int

    /// An unknown segment, or one on which nobody is heard.
    package static let none = Listeners(heard: [], hearUs: [], lossPerMille: 0)
}

// The facts that senders of casts need. Source: `Protocol/11-blobs.md`, "Multicast session".
extension Multicast {
    /// The members heard on a segment; `.none` if this node is not on it.
    func listeners(on id: SegmentID, now: Instant) -> Listeners {
        guard let segment = segments[id] else { return .none }
        let heard = segment.voices.keys.filter { segment.hears($0, now: now) }
        // In a large tour most members name us only now and then.
        let isHeard = heard.contains { segment.isHeard(by: $0, now: now) }
        let hearUs = isHeard ? heard.filter { segment.isHeard(by: $0, within: Listeners.memory, now: now) } : []
        return Listeners(heard: Set(heard), hearUs: Set(hearUs), lossPerMille: segment.reportedLoss(now: now))
    }

    /// Sends to everybody on a segment what this node still needs of casts.
    mutating func send(_ asks: [CastAsk], on id: SegmentID, _ step: inout Step<some RandomNumberGenerator>) {
        var datagram = Datagram(sender: own.prefix, counter: 0)
        datagram.castAsks = asks
        send(datagram, on: id, &step)
    }
}
