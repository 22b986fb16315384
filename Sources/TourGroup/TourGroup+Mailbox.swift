import TourCrypto
import TourModel
import TourWire

// What a server is given of a tour's control events. Source: `Protocol/09-mailbox.md`.
extension TourGroup {
    /// The control events that stand behind these heads of their authors' logs, in the tour's order; the genesis, which
    /// made the tour known, is left out.
    package func controls(behind heads: [MemberID: UInt64]) -> [Event] {
        controls.values.map(\.event)
            .filter { $0.id != genesisEvent.id && $0.header.sequence > heads[$0.header.author] ?? 0 }
            .sorted(by: Event.precedes)
    }

    /// What introduces a member to somebody who has the genesis: the events that the roster rests on, at most
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
