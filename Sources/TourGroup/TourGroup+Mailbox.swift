import TourCrypto
import TourModel
import TourWire

// The control events of a tour that a server gets. Source: `Protocol/09-mailbox.md`.
extension TourGroup {
    /// The control events behind these heads of their authors' logs, in the tour's order, without the genesis, which
    /// made the tour known.
    package func controls(behind heads: [MemberID: UInt64]) -> [Event] {
        controls.values.map(\.event)
            .filter { $0.id != genesisEvent.id && $0.header.sequence > heads[$0.header.author] ?? 0 }
            .sorted(by: Event.precedes)
    }

    /// The events that introduce a member to a server that has the genesis: those on which the roster depends, at most
    /// `Limits.mailboxControlsMax` of `Limits.mailboxControlBytesMax` bytes together.
    package var introduction: [[UInt8]] {
        var bytes = 0
        let fitting = welcome.prefix(Limits.mailboxControlsMax).prefix { event in
            bytes += event.count
            return bytes <= Limits.mailboxControlBytesMax
        }
        return Array(fitting)
    }
}
